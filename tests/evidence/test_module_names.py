"""Modules of a program that are named like Python's own: what works with ``python3 entry.py`` works in the judge."""

import subprocess
import sys
from pathlib import Path

import pytest

from evalforge.evidence.control_files import control_file_notices
from tests import factories
from tests.command_line import run
from tests.judged import FLAWLESS

IMPORTS = {"statistics.py": "statistics", "code.py": "code", "token.py": "token", "calendar/rules.py": "calendar.rules"}
TESTS = """
from {module} import objection, strike


def test_strike():
    assert strike("A", 1) == ["Thwack! A lands blow 1."]


def test_objection():
    assert "NAME" in objection(" ", 1)
"""


def write_program(folder: Path, path: str) -> None:
    """The flawless program, its rules in a module of their own, and tests of both."""
    source = (FLAWLESS / "dummy.py").read_text("utf-8")
    head, rest = source.split("FEWEST_BLOWS", 1)
    rules, main = f"FEWEST_BLOWS{rest}".split("def main", 1)
    helper = folder / path
    helper.parent.mkdir(parents=True, exist_ok=True)
    (helper.parent / "__init__.py").touch() if helper.parent != folder else None
    helper.write_text(f'"""The rules."""\n\n{rules.rstrip()}\n', "utf-8")
    imports = f"from {IMPORTS[path]} import objection, strike\n\n\n"
    (folder / "dummy.py").write_text(f"{head.rstrip()}\n\n{imports}def main{main}", "utf-8")
    (folder / "test_rules.py").write_text(TESTS.format(module=IMPORTS[path]), "utf-8")
    program_tests = (FLAWLESS / "tests" / "test_dummy.py").read_text("utf-8")
    (folder / "test_dummy.py").write_text(program_tests.replace(".parent.parent", ".parent"), "utf-8")


@pytest.mark.usefixtures("warm_engine")
@pytest.mark.parametrize("path", IMPORTS)
def test_a_module_named_like_pythons_own_works(path: str, tmp_path: Path) -> None:
    write_program(tmp_path, path)
    alone = subprocess.run([sys.executable, "dummy.py", "A"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert alone.stdout == "Thwack! A lands blow 1.\n"
    ended = run("judge", "training-dummy", tmp_path, "--no-save", "--again")
    assert "STRONG PASS  7 of 7" in ended.stdout, ended.stdout[-2000:]


def test_a_module_that_python_never_imports_is_left_out() -> None:
    notices = control_file_notices(factories.submission(os="x = 1\n", statistics="x = 1\n"))
    assert notices == ("os.py was left out of the run: Python imports its own module os instead: choose another name.",)
