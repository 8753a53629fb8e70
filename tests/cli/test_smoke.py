"""The program as a process: what only a real one shows. The tier ``process`` has the rest of it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalforge import __version__
from tests.conftest import REPOSITORY
from tests.judged import FIRST_WIN, WEAK

_FULL = Path("/dev/full")


def program(*arguments: object, **streams: object) -> "subprocess.CompletedProcess[str]":
    """One command, in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "evalforge", *map(str, arguments)],
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
        text=True,
        timeout=120,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert "Traceback (most recent call last)" not in ended.stderr
    return ended


def test_the_version() -> None:
    ended = program("--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"evalforge {__version__}\n", "")


def test_a_fight_gives_one_result_and_its_status() -> None:
    ended = program("judge", "training-dummy", FIRST_WIN, "--json")
    assert (ended.returncode, json.loads(ended.stdout)["verdict"], ended.stderr) == (0, "pass", "")


def test_wrong_usage_is_status_2() -> None:
    ended = program("codex", "dragon")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("evalforge: There is no boss called 'dragon'.")


def test_the_game_needs_a_terminal() -> None:
    ended = program()
    assert (ended.returncode, ended.stdout, "The game needs a terminal" in ended.stderr) == (2, "", True)


@pytest.mark.skipif(not _FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_is_status_2() -> None:
    with _FULL.open("w") as full:
        ended = program("bosses", stdout=full)
    assert ended.returncode == 2
    assert ended.stderr == "evalforge: standard output can't be written (No space left on device)\n"


def test_ctrl_c_ends_a_watch_with_its_last_verdict() -> None:
    command = [sys.executable, "-u", "-m", "evalforge", "watch", "training-dummy", str(WEAK)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/", env=environment) as process:
        assert process.stdout is not None
        assert any("FAIL" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    assert (process.returncode, "Stopped at" in rest) == (1, True)


LOADED = """
import sys
from evalforge.cli.main import main
try:
    main({arguments!r})
except SystemExit:
    pass
for name in ("textual", "anthropic", "pydantic", "rich", "pytest"):
    if name in sys.modules:
        print("LOADED", name)
"""


@pytest.mark.parametrize(
    ("arguments", "may_load"),
    [
        (["--version"], set()),
        (["--help"], set()),
        (["bosses"], set()),
        (["judge", "training-dummy", str(WEAK), "--no-save"], {"pydantic", "rich"}),
    ],
)
def test_a_command_loads_only_what_it_needs(arguments: list[str], may_load: set[str]) -> None:
    code = LOADED.format(arguments=arguments)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", env=environment)
    loaded = {line.split()[1] for line in ended.stdout.splitlines() if line.startswith("LOADED")}
    assert loaded <= may_load
