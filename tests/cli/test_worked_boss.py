"""The worked boss of the guide: its files and commands, in the order of the page, from an empty folder to a class."""

import re
import shutil
from pathlib import Path

import pytest

from tests.command_line import run_in
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("warm_engine")
PAGE = REPOSITORY / "docs" / "how-to" / "worked-boss.md"
# "`bosses/roman-clerk/boss.yaml`:" above a block with its text, and a block of commands
_STEP = re.compile(r"^(?:`(?P<path>[^`\n]+)`:\n\n)?```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def perform(folder: Path, line: str) -> str:
    """Type one line of the page; gives what was printed."""
    command, _, remark = line.partition("  #")
    program, *words = command.split()
    if program == "rm":
        for name in words[1:]:
            shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()
        return ""
    assert program == "evalforge", line
    ended = run_in(folder, *words)
    expected = 2 if "exit status 2" in remark else 0
    assert ended.returncode == expected, (line, ended.stdout, ended.stderr)
    return ended.stdout


def test_the_worked_boss_is_sound_and_judges_a_class(tmp_path: Path) -> None:
    printed: dict[str, str] = {}
    for step in _STEP.finditer(PAGE.read_text("utf-8")):
        if step["path"]:
            target = tmp_path / step["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step["body"], "utf-8")
        else:
            assert step["kind"] == "sh"
            for line in step["body"].splitlines():
                if line.startswith("evalforge batch"):  # by now a student has done something
                    shutil.copy(tmp_path / "bosses/roman-clerk/exemplars/plain/roman.py", tmp_path / "class/ada")
                printed[line] = perform(tmp_path, line)
    assert printed["evalforge check bosses/roman-clerk"].splitlines()[-1] == "Nothing to fix."
    judged = next(text for line, text in printed.items() if line.startswith("evalforge batch"))
    assert "2/4" in judged.replace(" of ", "/"), judged
