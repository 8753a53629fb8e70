"""Tab in a shell: commands, options, bosses, attempts and folders, as the program itself knows them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run
from tests.judged import WEAK


def offered(line: str, folder: Path, own_home: Path) -> set[str]:
    """What a shell would be offered at the end of a line."""
    answer = folder / "answer"
    environment = {
        **os.environ, "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line, "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9", "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "EVALFORGE_HOME": str(own_home),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }  # fmt: skip
    subprocess.run([sys.executable, "-m", "evalforge"], env=environment, cwd=folder, check=True, timeout=60)
    return set(answer.read_text().split("\n"))


def test_commands_options_bosses_and_folders(tmp_path: Path, own_home: Path) -> None:
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solution.txt").touch()
    for line, words in {
        "evalforge jud": {"judge"},
        "evalforge judge --no": {"--notes", "--no-save"},
        "evalforge judge furn": {"furnace-controller"},
        "evalforge batch furnace-controller sol": {"solutions/"},
        "evalforge judge --format sa": {"sarif"},
    }.items():
        assert {word.strip() for word in offered(line, tmp_path, own_home)} == words, line


@pytest.mark.usefixtures("warm_engine")
def test_attempts_are_offered_by_their_ids(tmp_path: Path, own_home: Path) -> None:
    assert offered("evalforge attempt ", tmp_path, own_home) >= {"--json"}
    run("judge", "training-dummy", WEAK)
    [line] = [line for line in run("attempts").stdout.splitlines() if "raining" in line]
    assert any(
        word.strip() and word.strip() in line.split() for word in offered("evalforge attempt ", tmp_path, own_home)
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str, tmp_path: Path) -> None:
    ended = run("completion", shell)
    assert ended.returncode == 0
    assert {"evalforge", "evalforge-game"} <= set(ended.stdout.replace('"', " ").split())
    if program := shutil.which(shell):
        script = tmp_path / "script"
        script.write_text(ended.stdout)
        subprocess.run([program, "-n", script], check=True, timeout=60)


def test_without_a_shell_that_asks_nothing_is_loaded() -> None:
    code = "import sys; from evalforge.cli.main import main; main(['--version']); print('argcomplete' in sys.modules)"
    environment = {name: value for name, value in os.environ.items() if name != "_ARGCOMPLETE"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "False"
