"""Standard streams that are closed, full, read no more, or made for another alphabet: no traceback, no lost fight."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalforge.model.text import ASCII_TWINS
from tests.cli.retold import MEASUREMENTS
from tests.conftest import REPOSITORY
from tests.judged import FIRST_WIN, WEAK

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.fixture(autouse=True)
def _measurements(evidence_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEASUREMENTS, str(evidence_cache))


def shell(words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line for bash, in which ``evalforge`` is the command; its status is that of the command, not of a reader.

    ``retold`` is it, too, for tests of what is said about a judging: it measures only what has changed.
    """
    python = shlex.quote(sys.executable)
    commands = {"evalforge": "evalforge", "retold": "tests.cli.retold"}
    defined = "; ".join(f'{name}() {{ {python} -m {module} "$@"; }}' for name, module in commands.items())
    line = f"set -o pipefail; {defined}; {words}"
    ended = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        timeout=120,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONUNBUFFERED": "", **environment},
    )
    assert b"Traceback" not in ended.stderr
    assert b"Exception ignored" not in ended.stderr
    return ended


def attempts() -> list[dict[str, object]]:
    return json.loads(shell("evalforge attempts --json").stdout)


@pytest.mark.parametrize(
    "command", ["codex furnace-controller", "rubric furnace-controller --json", "bosses", "schema", "--help"]
)
def test_a_reader_that_leaves_is_no_error(command: str) -> None:
    for reader in ("head -1", "true"):
        ended = shell(f"evalforge {command} | {reader}")
        assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("form", ["", "--plain", "--json"])
@pytest.mark.parametrize(
    ("command", "solution", "status"),
    [("evalforge", WEAK, 1), ("retold", FIRST_WIN, 0)],
    ids=["weak", "first-win"],
)
def test_a_fight_goes_on_to_its_end_when_its_reader_leaves(
    command: str, solution: Path, status: int, form: str
) -> None:
    ended = shell(f"{command} judge training-dummy {solution} {form} | true")
    assert (ended.returncode, ended.stderr) == (status, b"")
    assert [attempt["state"] for attempt in attempts()] == ["judged"]


def test_watching_ends_when_its_reader_leaves() -> None:
    for form, reader in (("", "true"), ("--plain", "head -3"), ("--json", "true")):
        assert shell(f"evalforge watch training-dummy {WEAK} {form} | {reader}").returncode == 0


@FULL
@pytest.mark.parametrize(
    "command", ["codex furnace-controller", "rubric furnace-controller --json", "bosses --json", "--help", "--version"]
)
def test_output_that_can_not_be_written_is_told(command: str) -> None:
    for unbuffered in ("", "1"):
        ended = shell(f"evalforge {command} >/dev/full", PYTHONUNBUFFERED=unbuffered)
        assert (ended.returncode, ended.stdout) == (2, b"")
        assert ended.stderr == b"evalforge: standard output can't be written (No space left on device)\n"


@FULL
def test_a_fight_that_can_not_be_told_is_kept() -> None:
    for form in ("--plain", "--json"):
        ended = shell(f"retold judge training-dummy {WEAK} {form} >/dev/full")
        assert (ended.returncode, b"standard output can't be written" in ended.stderr) == (2, True)
    assert [attempt["state"] for attempt in attempts()] == ["judged", "judged"]


def test_nothing_else_is_written_to_a_closed_streams_number() -> None:
    closed = b"evalforge: standard output can't be written (Bad file descriptor)\n"
    commands = ("bosses", "bosses --json", "codex furnace-controller", "--help", "--version")
    for command in (*(f"evalforge {command}" for command in commands), "retold doctor --json"):
        ended = shell(f"{command} >&-")
        assert (ended.returncode, ended.stderr) == (2, closed), command
    for command in ("evalforge judge", "retold judge --json"):
        ended = shell(f"{command} training-dummy {WEAK} >&- <&-")
        assert (ended.returncode, ended.stderr.endswith(closed)) == (2, True)
    assert [attempt["state"] for attempt in attempts()] == ["judged", "judged"]
    for closed in ("2>&-", "2>/dev/full" if Path("/dev/full").exists() else "2>/dev/null"):
        wrong = shell(f"evalforge codex dragon {closed}")
        assert (wrong.returncode, wrong.stdout) == (2, b"")
        command = "evalforge" if closed == "2>&-" else "retold"
        assert shell(f"{command} judge training-dummy {WEAK} --json {closed}").returncode == 1
        assert shell(f"evalforge codex {closed}").returncode == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_alphabet_without_a_letter_shows_a_question_mark(encoding: str) -> None:
    for command in (
        "evalforge codex furnace-controller",
        "evalforge --help",
        f"retold judge training-dummy {WEAK} --plain --no-save",
    ):
        ended = shell(command, PYTHONIOENCODING=encoding)
        assert ended.returncode == (1 if "judge" in command else 0)
        assert ended.stdout.decode(encoding)


def test_signs_of_ours_have_twins_in_ascii() -> None:
    commands = ("evalforge progress", "evalforge bosses", "evalforge rubric furnace-controller")
    for command in (f"retold judge training-dummy {FIRST_WIN} --plain", *commands):
        printed = shell(command, PYTHONIOENCODING="ascii").stdout.decode("ascii")
        whole = shell(command, PYTHONIOENCODING="utf-8").stdout.decode("utf-8")
        if command in commands:
            assert printed.count("?") == whole.count("?"), command
        assert not [line for line in printed.splitlines() if line.lstrip().startswith("?")], command
    fight = shell(f"retold judge training-dummy {FIRST_WIN}", PYTHONIOENCODING="ascii").stdout
    assert b"+ one_blow: " in fight


@pytest.mark.parametrize(
    "command",
    [
        "evalforge progress",
        "evalforge bosses",
        f"retold judge training-dummy {WEAK} --no-save --again",
        "evalforge --help",
    ],
)
def test_a_locale_without_other_letters_gets_ascii(command: str) -> None:
    printed = shell(command, LC_ALL="C")
    whole = shell(command, LC_ALL="C.UTF-8").stdout.decode()
    assert printed.stdout.isascii()
    assert printed.stderr.isascii()
    assert whole.translate(ASCII_TWINS).encode("ascii", "replace").decode() == printed.stdout.decode()


@pytest.mark.parametrize("choice", ["PYTHONIOENCODING=utf-8", "EVALFORGE_ASCII=0"])
def test_who_chooses_letters_gets_them_in_any_locale(choice: str) -> None:
    whole = shell("evalforge codex furnace-controller", LC_ALL="C.UTF-8").stdout
    assert not whole.isascii()
    assert shell("evalforge codex furnace-controller", LC_ALL="C", **dict([choice.split("=")])).stdout == whole


def test_documents_keep_every_letter_in_any_locale() -> None:
    for form in ("junit", "sarif", "markdown"):
        command = f"retold judge training-dummy {WEAK} --no-save --format {form}"
        assert shell(command, LC_ALL="C").stdout == shell(command, LC_ALL="C.UTF-8").stdout, form


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_says_the_same_in_every_alphabet(encoding: str) -> None:
    command = f"retold judge training-dummy {WEAK} --json --no-save --notes 'caf\u00e9 \u2026'"
    told = json.loads(shell(command, PYTHONIOENCODING=encoding).stdout.decode(encoding))
    assert told == json.loads(shell(command).stdout)
    codex = "evalforge codex furnace-controller --json"
    told = json.loads(shell(codex, PYTHONIOENCODING=encoding).stdout.decode(encoding))
    assert told == json.loads(shell(codex, PYTHONIOENCODING="utf-8").stdout)


SLOW = """
import sys, time
from importlib.abc import MetaPathFinder

class Slow(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            print("loading", flush=True)
            time.sleep(60)

sys.meta_path.insert(0, Slow())
sys.argv = ["evalforge", "bosses"]
from evalforge.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["evalforge.cli.main", "argparse", "evalforge.cli.commands.bosses"])
def test_ctrl_c_while_it_is_loaded_ends_it_in_order(module: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.format(module=module)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, "evalforge: stopped\n")
