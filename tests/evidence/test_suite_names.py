"""What pytest collects are the tests, however they are named and made, and whatever file they are in."""

from pathlib import Path

import pytest

from evalforge.evidence.static import read_code
from evalforge.evidence.suite.run import Suite, find_suite
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests.command_line import run
from tests.judged import FLAWLESS

SETTINGS = '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\npython_functions = ["check_*"]\n'


def test_tests_beside_the_program_are_judged(tmp_path: Path, warm_engine: None) -> None:
    tests = (FLAWLESS / "tests" / "test_dummy.py").read_text("utf-8")
    (tmp_path / "dummy.py").write_bytes((FLAWLESS / "dummy.py").read_bytes())
    (tmp_path / "check_dummy.py").write_text(
        tests.replace("def test_", "def check_").replace(".parent.parent", ".parent"), "utf-8"
    )
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    ended = run("judge", "training-dummy", tmp_path, "--no-save", "--again")
    assert "STRONG PASS  7 of 7" in ended.stdout, ended.stdout[-2000:]


def found(test_host: PlayerTestHost, files: dict[str, str]) -> dict[str, float]:
    submission = Submission.of({"tally.py": "def count(text): return len(text.split())\n", **files})
    suite = find_suite(Suite([test_host], submission)).contents
    facts = {fact.name: fact.value for fact in read_code(submission, Execution(suite=suite))}
    return {name: facts[f"tests.{name}"] for name in ("count", "asserts", "empty")} | {
        "program": facts["code.functions"]
    }


CHECK = "assert count('a') == 1\n"
IT = "from tally import count\n"
WAYS = {
    "by settings": {
        "pytest.ini": "[pytest]\npython_files = spec_*.py\npython_functions = it_*\npython_classes = Describe*\n",
        "spec_it.py": f"{IT}class DescribeIt:\n    def it_counts(self): {CHECK}    def help(self): assert True\n",
    },
    "inherited": {
        "tests/__init__.py": "",
        "tests/base.py": f"{IT}class Base:\n    n = 0\n    def test_n(self): {CHECK}",
        "tests/test_it.py": "from tests import base\nclass TestIt(base.Base): pass\n",
    },
    "made by a factory": {"test_it.py": f"{IT}def make():\n    def test(): {CHECK}    return test\ntest_a = make()\n"},
    "imported": {"checks.py": f"{IT}def test_a(): {CHECK}", "test_all.py": "from checks import *\n"},
    "decorated": {
        "test_it.py": f"{IT}from unittest.mock import patch\n@patch('os.getcwd')\n@patch('os.listdir')\n"
        f"def test_a(a, b): {CHECK}"
    },
    "doctests": {"pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n", "USE.md": f">>> {IT}>>> count('a')\n1\n"},
    "with parameters": {
        "test_it.py": f"import pytest\n{IT}@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n): {CHECK}"
    },
    "left out by settings": {
        "pytest.ini": "[pytest]\naddopts = --ignore=old\n",
        "old/test_old.py": f"{IT}def test_old(): {CHECK}",
        "test_it.py": f"{IT}def test_a(): {CHECK}",
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_what_pytest_collects_is_a_test(test_host: PlayerTestHost, way: str) -> None:
    measured = found(test_host, WAYS[way])
    assert (measured["count"], measured["empty"], measured["program"]) == (1, 0, 1)
    assert measured["asserts"] >= 1
