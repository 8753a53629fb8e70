"""Tests that are named by pytest's settings are tests to the judge, wherever they are."""

from pathlib import Path

from evalforge.evidence.pytest_settings import suite_names
from evalforge.evidence.static import read_code
from evalforge.model.submission import Submission
from tests.command_line import run
from tests.judged import FLAWLESS

SETTINGS = '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\npython_functions = ["check_*"]\n'
CLASSES = "[pytest]\npython_files = spec_*.py\npython_functions = it_*\npython_classes = Describe*\n"


def test_tests_beside_the_program_are_judged(tmp_path: Path, warm_engine: None) -> None:
    tests = (FLAWLESS / "tests" / "test_dummy.py").read_text("utf-8")
    (tmp_path / "dummy.py").write_bytes((FLAWLESS / "dummy.py").read_bytes())
    (tmp_path / "check_dummy.py").write_text(
        tests.replace("def test_", "def check_").replace(".parent.parent", ".parent"), "utf-8"
    )
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    ended = run("judge", "training-dummy", tmp_path, "--no-save", "--again")
    assert "STRONG PASS  7 of 7" in ended.stdout, ended.stdout[-2000:]


def test_methods_and_classes_are_named_by_settings_too() -> None:
    spec = "class DescribeIt:\n    def it_adds(self): assert 1 + 1 == 2\n    def helper(self): assert True\n"
    submission = Submission.of({"main.py": "x = 1\n", "pytest.ini": CLASSES, "src/spec_it.py": spec})
    facts = {fact.name: fact.value for fact in read_code(submission, names=suite_names(submission))}
    assert (facts["tests.files"], facts["tests.count"], facts["code.files"]) == (1, 1, 1)
