"""``doctor`` and ``judge`` wherever a judging may fail: they agree in every situation.

Where the situation is one of a process (its streams, user, layers, disks), a process runs them.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evalforge.sandbox.host.cage import syscalls
from tests.cli.both_commands import COMMANDS, run_both
from tests.command_line import Ended, run
from tests.conftest import REPOSITORY
from tests.judged import FIRST_WIN, FLAWLESS, WEAK
from tests.privileges import can_pass, interpreter_for_nobody
from tests.warm_engine import EnginePool

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
        is_apart: Whether each has a process of its own, because its streams or its files are in question.
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
    is_apart: bool = False

    @property
    def has_own_python(self) -> bool:
        """Whether the player's code runs in an interpreter that isn't ours."""
        return "python" in f"{self.options} {self.settings}"


REFUSED, UNUSABLE, INVALID = (1, 3), (1, 2), (2, 2)
ELSEWHERE = {"EVALFORGE_HOME": "{place}/disk/home"}
WORK = {"TMPDIR": "{place}/disk"}
OF_PROCESSES = {
    "as it is": Situation(),
    "bare environment": Situation(
        before=("/bin/sh", "-c", BARE, "sh"),
        options=("--python", "python3"),
        variables={"LC_ALL": "C", "PYTHONOPTIMIZE": "2", "ANTHROPIC_API_KEY": "sk-ant-none"},
        is_apart=True,
    ),
    "on a terminal": Situation(before=(sys.executable, "-c", ON_A_TERMINAL), is_apart=True),
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
    "read-only home": Situation(UNUSABLE, mounts="ro", variables=ELSEWHERE, reason="--no-save"),
    "home on a tiny disk": Situation(UNUSABLE, mounts="size=64k", variables=ELSEWHERE, reason="disk is full"),
    "home that is nearly full": Situation(UNUSABLE, mounts="size=160k", variables=ELSEWHERE),
    "home and work on a small disk": Situation(mounts="size=4m", variables={**ELSEWHERE, **WORK}),
    "no files left for work": Situation(
        REFUSED, mounts="nr_inodes=9", variables=WORK, reason="No space is left", is_apart=True
    ),
    "read-only folder for work": Situation(mounts="ro", variables=WORK),
}
SAID = {
    "old Python": Situation(REFUSED, options=("--python", "{place}/python3.7"), reason="this is 3.7"),
    "old Python in the settings": Situation(REFUSED, settings="python = '{place}/python3.7'", reason="this is 3.7"),
    "missing Python": Situation(INVALID, options=("--python", "{place}/nothing"), reason="does not exist"),
    "Python that can't be run": Situation(REFUSED, options=("--python", "{place}/text"), reason="Permission denied"),
    "Python that says nothing": Situation(REFUSED, options=("--python", "/bin/true"), reason="ended without an answer"),
    "home that is a file": Situation(INVALID, variables={"EVALFORGE_HOME": "{place}/text"}),
    "damaged history": Situation(UNUSABLE, variables={"EVALFORGE_HOME": "{place}/damaged"}, reason="Move the file"),
    "judge without a key": Situation(UNUSABLE, variables={"EVALFORGE_JUDGE": "claude"}, reason="no key"),
    "judge that there is not": Situation(UNUSABLE, settings="judge = 'nosuch'", reason="nosuch"),
    "server that is down": Situation(
        REFUSED, settings="base_url = 'http://127.0.0.1:9'\nmodel = 'small'", reason="Nothing answers at"
    ),
    "settings that can't be read": Situation(INVALID, settings="python =", reason="can't be read"),
}


@pytest.fixture(scope="module")
def interpreters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Pythons that can't run the player's code."""
    folder = tmp_path_factory.mktemp("interpreters")
    (folder / "python3.7").write_text(PYTHON_37.format(python=sys.executable))
    (folder / "python3.7").chmod(0o755)
    (folder / "text").write_text("no program\n")
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
    for name in ("python3.7", "text"):
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

    @classmethod
    def of(cls, ended: Ended) -> "Answer":
        """Read how a command ended."""
        try:
            data = json.loads(ended.stdout)
        except ValueError:
            data = {}
        failed = [check for check in data.get("checks", ()) if check["state"] == "failed"]
        words = [ended.stderr, *(f"{check['message']} {check['remedy']}" for check in failed)]
        return cls(ended.returncode, data, " ".join(" ".join(words).split()))


class Scene:
    """A situation made real in a folder."""

    def __init__(self, situation: Situation, place: Path) -> None:
        self._situation, self._place = situation, place
        self.options = tuple(self._here(option) for option in situation.options)
        home, state = place / "home", place / "home" / "state"
        home.mkdir(mode=0o777)
        home.chmod(0o777)
        state.mkdir(mode=0o700)
        (state / "config.toml").write_text(self._here(situation.settings))
        if situation.user:
            for path in (state, state / "config.toml"):
                os.chown(path, int(situation.user), int(situation.user))
        self.variables = {
            "HOME": str(home),
            "EVALFORGE_HOME": str(state),
            "XDG_DATA_HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            **{name: self._here(value) for name, value in situation.variables.items()},
        }

    def _here(self, text: str) -> str:
        return text.replace("{place}", str(self._place))

    def start(self, *words: str) -> Ended:
        """Run a module of Python's in a process of its own, in this situation."""
        situation = self._situation
        python = interpreter_for_nobody(self._place) if situation.user else sys.executable
        command = [
            *(mounting(situation.mounts, self._place) if situation.mounts else []),
            *(self._here(word) for word in situation.before),
            *(becoming(situation.user) if situation.user else []),
            *([python, "-m", "tests.without_layers", situation.withheld] if situation.withheld else []),
            *(python, "-m", *words),
        ]
        ended = subprocess.run(
            [*command, *self.options],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "COLUMNS": "400", **self.variables},
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def ask_both(self) -> list[Answer]:
        """Ask ``doctor`` and ``judge``."""
        if self._situation.is_apart:
            return [Answer.of(self.start("evalforge", *command)) for command in COMMANDS]
        both = self.start("tests.cli.both_commands")
        assert both.returncode == 0, both.stderr
        return [Answer.of(Ended(**ended)) for ended in json.loads(both.stdout)]


def check_agreement(situation: Situation, answers: Sequence[Answer]) -> None:
    """Compare what both commands did with what they must do."""
    doctor, judge = answers
    assert (doctor.status, judge.status) == situation.statuses, f"{doctor.words}\n{judge.words}"
    for answer in answers:
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


@pytest.mark.skipif(not syscalls.MACHINE, reason="layers are withheld by system call filters, on Linux alone")
@pytest.mark.parametrize("situation", OF_PROCESSES.values(), ids=OF_PROCESSES)
def test_doctor_and_judge_agree(situation: Situation, place: Path) -> None:
    check_agreement(situation, Scene(situation, place).ask_both())


@pytest.mark.parametrize("situation", SAID.values(), ids=SAID)
def test_they_agree_on_options_and_settings(
    situation: Situation, place: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    request.getfixturevalue("warm_engine" if situation.has_own_python else "measured_once")
    scene = Scene(situation, place)
    for name, value in scene.variables.items():
        monkeypatch.setenv(name, value)
    check_agreement(situation, [Answer.of(ended) for ended in run_both(*scene.options)])


def test_no_save_is_the_way_round_a_history_that_is_not_written(place: Path) -> None:
    judging = ("judge", "training-dummy", str(FIRST_WIN), "--json", "--no-save")
    ended = Scene(Situation(mounts="ro", variables=ELSEWHERE), place).start("evalforge", *judging)
    assert ended.returncode == 0, ended.stderr


def test_variables_of_python_change_no_worker_and_no_sandbox(
    place: Path, measured_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "sitecustomize.py").write_text("import builtins, os; builtins.len = None; os._exit(9)\n")
    before = [run("judge", "training-dummy", folder, "--no-save", "--again").stdout for folder in (WEAK, FLAWLESS)]
    for name, value in {"PYTHONPATH": str(place), "PYTHONOPTIMIZE": "2", "PYTHONINSPECT": "1"}.items():
        monkeypatch.setenv(name, value)
    engines = EnginePool()  # it starts under these variables
    monkeypatch.setattr("evalforge.fight.Engine", engines.lend)
    after = [run("judge", "training-dummy", folder, "--no-save", "--again").stdout for folder in (WEAK, FLAWLESS)]
    assert after == before
    assert "STRONG PASS" in after[1]
    assert run("doctor", "--python", sys.executable).returncode == 0
    engines.close()
