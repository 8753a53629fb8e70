"""``doctor`` and ``judge`` side by side, as processes, wherever a judging may fail: they agree in every situation."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evalforge.sandbox.host.cage import syscalls
from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.judged import FLAWLESS, WEAK
from tests.privileges import can_pass, interpreter_for_nobody

NOBODY = "65534"
BARE = 'mkdir {place}/$$; cd {place}/$$; rmdir {place}/$$; unset EVALFORGE_HOME; ulimit -n 64; exec "$@" <&-'
"""Neither a language, a home, standard input, many open files nor a folder to be in; a key, and an optimized Python."""
ON_A_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
PYTHON_37 = """#!{python}
import runpy, sys
sys.version_info = (3, 7, 17, "final", 0)
sys.argv = [word for word in sys.argv[1:] if not word.startswith("-")]
sys.path.insert(0, sys.argv[0])
runpy.run_path(sys.argv[0] + "/__main__.py", run_name="__main__")
"""


@dataclass(frozen=True)
class Situation:
    """Where the two commands run. ``{place}`` in a word is a folder of its own, in which ``{place}/disk`` is empty.

    Attributes:
        statuses: The exit statuses of ``doctor`` and of ``judge``.
        before: A command that starts them.
        mounts: Options of a file system in memory, mounted on ``{place}/disk`` for them.
        options: Options of both.
        variables: Environment variables.
        withheld: Layers of the sandbox that the kernel doesn't grant.
        user: The user.
        settings: The content of ``config.toml``.
        reason: Words that both must print.
        isolation: The layer that both must name.
    """

    statuses: tuple[int, int] = (0, 0)
    before: tuple[str, ...] = ()
    mounts: str = ""
    options: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    withheld: str = ""
    user: str = ""
    settings: str = ""
    reason: str = ""
    isolation: str = ""


REFUSED, UNUSABLE, INVALID = (1, 3), (1, 2), (2, 2)
ELSEWHERE = {"EVALFORGE_HOME": "{place}/disk/home"}
WORK = {"TMPDIR": "{place}/disk"}
SITUATIONS = {
    "as it is": Situation(),
    "bare environment": Situation(
        before=("/bin/sh", "-c", BARE, "sh"),
        options=("--python", "python3"),
        variables={"LC_ALL": "C", "PYTHONOPTIMIZE": "2", "ANTHROPIC_API_KEY": "sk-ant-none"},
    ),
    "on a terminal": Situation(before=(sys.executable, "-c", ON_A_TERMINAL)),
    "no process folder": Situation(before=("/bin/sh", "-c", 'mount -t tmpfs none /proc; exec "$@"', "sh"), mounts="ro"),
    "another user": Situation(user=NOBODY),
    "another user without Landlock": Situation(user=NOBODY, withheld="landlock", isolation="namespaces"),
    "another user without namespaces": Situation(user=NOBODY, withheld="namespaces", isolation="standard"),
    "another user's home": Situation(INVALID, user=NOBODY, variables={"EVALFORGE_HOME": "{place}/closed/home"}),
    "no Landlock": Situation(withheld="landlock", isolation="namespaces"),
    "no namespaces": Situation(withheld="namespaces", isolation="standard"),
    "no filter": Situation(REFUSED, withheld="seccomp", reason="--i-trust-this-code"),
    "no Landlock or namespaces": Situation(REFUSED, withheld="landlock,namespaces", reason="--i-trust-this-code"),
    "no layer": Situation(REFUSED, withheld="landlock,namespaces,seccomp", reason="--i-trust-this-code"),
    "no layer, trusted": Situation(
        withheld="landlock,namespaces,seccomp", options=("--i-trust-this-code",), isolation="basic"
    ),
    "old Python": Situation(REFUSED, options=("--python", "{place}/python3.7"), reason="this is 3.7"),
    "old Python in the settings": Situation(REFUSED, settings="python = '{place}/python3.7'", reason="this is 3.7"),
    "missing Python": Situation(INVALID, options=("--python", "{place}/nothing"), reason="does not exist"),
    "Python that can't be run": Situation(REFUSED, options=("--python", "{place}/text"), reason="Permission denied"),
    "Python that says nothing": Situation(REFUSED, options=("--python", "/bin/true"), reason="ended without an answer"),
    "Python without pytest": Situation(REFUSED, options=("--python", "{place}/bare/bin/python"), reason="pytest"),
    "read-only home": Situation(UNUSABLE, mounts="ro", variables=ELSEWHERE, reason="--no-save"),
    "home on a tiny disk": Situation(UNUSABLE, mounts="size=64k", variables=ELSEWHERE, reason="disk is full"),
    "home that is nearly full": Situation(UNUSABLE, mounts="size=160k", variables=ELSEWHERE),
    "home and work on a small disk": Situation(mounts="size=4m", variables={**ELSEWHERE, **WORK}),
    "home that is a file": Situation(INVALID, variables={"EVALFORGE_HOME": "{place}/text"}),
    "damaged history": Situation(UNUSABLE, variables={"EVALFORGE_HOME": "{place}/damaged"}, reason="Move the file"),
    "no files left for work": Situation(REFUSED, mounts="nr_inodes=9", variables=WORK, reason="No space is left"),
    "read-only folder for work": Situation(mounts="ro", variables=WORK),
    "judge without a key": Situation(UNUSABLE, variables={"EVALFORGE_JUDGE": "claude"}, reason="no key"),
    "judge that there is not": Situation(UNUSABLE, settings="judge = 'nosuch'", reason="nosuch"),
    "server that is down": Situation(
        REFUSED, settings="base_url = 'http://127.0.0.1:9'\nmodel = 'small'", reason="Nothing answers at"
    ),
    "settings that can't be read": Situation(INVALID, settings="python =", reason="can't be read"),
}


@pytest.fixture(scope="module")
def interpreters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Pythons that can't run the player's code, or not their tests."""
    folder = tmp_path_factory.mktemp("interpreters")
    (folder / "python3.7").write_text(PYTHON_37.format(python=sys.executable))
    (folder / "python3.7").chmod(0o755)
    (folder / "text").write_text("no program\n")
    venv.create(folder / "bare", with_pip=False, symlinks=True)
    # Nor does our pytest run there, as in a Python that is too old for it.
    (library,) = (folder / "bare" / "lib").glob("python3*/site-packages")
    (library / "without.pth").write_text("import sys; sys.modules['pluggy'] = None\n")
    return folder


@pytest.fixture
def place(interpreters: Path) -> Iterator[Path]:
    """A folder that every user can pass, which pytest's own folders don't allow."""
    folder = Path(tempfile.mkdtemp(prefix="evalforge-doctor-", dir="/tmp"))
    folder.chmod(0o755)
    for name in ("disk", "damaged"):
        (folder / name).mkdir()
    (folder / "closed").mkdir(mode=0o700)
    (folder / "damaged" / "attempts.sqlite3").write_bytes(b"no database at all" * 99)
    for name in ("python3.7", "text", "bare"):
        (folder / name).symlink_to(interpreters / name)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def mounting(options: str, place: Path) -> list[str]:
    """The beginning of a command that sees a file system in memory at ``disk``; skips if none may be mounted."""
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    mount = f"mount -t tmpfs -o {options} none {place}/disk"
    if not shutil.which("unshare") or subprocess.run([*unshare, "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    return [*unshare, "/bin/sh", "-c", f'{mount}; exec "$@"', "sh"]


def becoming(user: str) -> list[str]:
    if not shutil.which("setpriv") or not can_pass(REPOSITORY):
        pytest.skip("no other user can run this checkout")
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


@dataclass(frozen=True)
class Answer:
    """What one command did: its exit status, the JSON it printed, and what it said on errors."""

    status: int
    data: dict[str, Any]
    words: str


class SideBySide:
    """Runs commands in one situation, each in a new home."""

    def __init__(self, situation: Situation, place: Path) -> None:
        self._situation, self._place = situation, place
        python = interpreter_for_nobody(place) if situation.user else sys.executable
        self._command = [
            *(mounting(situation.mounts, place) if situation.mounts else []),
            *(self._here(word) for word in situation.before),
            *(becoming(situation.user) if situation.user else []),
            *([python, "-m", "tests.without_layers", situation.withheld] if situation.withheld else []),
            *(python, "-m", "evalforge"),
        ]

    def _here(self, text: str) -> str:
        return text.replace("{place}", str(self._place))

    def ask(self, *arguments: str) -> Answer:
        """Run one command."""
        home = Path(tempfile.mkdtemp(dir=self._place))
        home.chmod(0o777)
        state = home / "state"
        state.mkdir(mode=0o700)
        (state / "config.toml").write_text(self._here(self._situation.settings))
        if self._situation.user:
            for path in (state, state / "config.toml"):
                os.chown(path, int(self._situation.user), int(self._situation.user))
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(home),
            "COLUMNS": "400",
            "EVALFORGE_HOME": str(state),
            "XDG_DATA_HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            **{name: self._here(value) for name, value in self._situation.variables.items()},
        }
        options = map(self._here, self._situation.options)
        ended = subprocess.run(
            [*self._command, *arguments, *options],
            env=environment,
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        try:
            data = json.loads(ended.stdout)
        except ValueError:
            data = {}
        failed = [check for check in data.get("checks", ()) if check["state"] == "failed"]
        words = [ended.stderr, *(f"{check['message']} {check['remedy']}" for check in failed)]
        return Answer(ended.returncode, data, " ".join(" ".join(words).split()))

    def ask_both(self) -> tuple[Answer, Answer]:
        """Ask ``doctor`` and ``judge`` at the same time."""
        judging = ("judge", "training-dummy", str(FLAWLESS), "--json", "--full")
        with ThreadPoolExecutor(2) as threads:
            return tuple(threads.map(lambda arguments: self.ask(*arguments), [("doctor", "--json"), judging]))


@pytest.mark.skipif(not syscalls.MACHINE, reason="layers are withheld by system call filters, on Linux alone")
@pytest.mark.parametrize("situation", SITUATIONS.values(), ids=SITUATIONS)
def test_doctor_and_judge_agree(situation: Situation, place: Path) -> None:
    doctor, judge = SideBySide(situation, place).ask_both()
    assert (doctor.status, judge.status) == situation.statuses, f"{doctor.words}\n{judge.words}"
    for answer in (doctor, judge):
        assert situation.reason.lower() in answer.words.lower()
        assert "Traceback" not in answer.words
        assert "Please report" not in answer.words
    checks = doctor.data.get("checks", [])
    failed = [check for check in checks if check["state"] == "failed"]
    assert bool(failed) == (doctor.status == 1)
    assert all(check["remedy"] for check in failed)
    if situation.isolation or judge.status == 0:
        isolation = next(check for check in checks if check["name"] == "isolation")
        assert isolation["message"].partition(".")[0] == (situation.isolation or judge.data["isolation"])
        assert judge.data["isolation"] == (situation.isolation or judge.data["isolation"])


def test_no_save_is_the_way_round_a_history_that_is_not_written(place: Path) -> None:
    situation = Situation(mounts="ro", variables=ELSEWHERE)
    judge = SideBySide(situation, place).ask("judge", "training-dummy", str(FLAWLESS), "--json", "--no-save")
    assert judge.status == 0, judge.words


def test_variables_of_python_change_no_worker_and_no_sandbox(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "sitecustomize.py").write_text("import builtins, os; builtins.len = None; os._exit(9)\n")
    before = [run("judge", "training-dummy", folder, "--no-save", "--again").stdout for folder in (WEAK, FLAWLESS)]
    for name, value in {"PYTHONPATH": str(place), "PYTHONOPTIMIZE": "2", "PYTHONINSPECT": "1"}.items():
        monkeypatch.setenv(name, value)
    after = [run("judge", "training-dummy", folder, "--no-save", "--again").stdout for folder in (WEAK, FLAWLESS)]
    assert after == before
    assert "STRONG PASS" in after[1]
    assert run("doctor", "--python", sys.executable).returncode == 0
