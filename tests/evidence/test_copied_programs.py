"""Tests that copy the program and run the copy test its behaviour; those that read the copy look at code."""

from tests.evidence.conftest import CLASSIFY, Examine, messages

LOOKED = "Some tests look at code instead of behaviour; what they catch doesn't count."
MAIN = "\nif __name__ == '__main__':\n    import sys\n    print(classify(*map(int, sys.argv[1:])))\n"
HEAD = """
import doctest, os, runpy, shutil, subprocess, sys
from pathlib import Path
import pytest

HERE = Path(__file__).parent

def answer(path, value):
    command = [sys.executable, str(path), str(value), "2"]
    return subprocess.run(command, capture_output=True, text=True).stdout

@pytest.fixture(params=[shutil.copy, shutil.copy2, shutil.copyfile, os.link, os.symlink, "tree", "moved", "cp"])
def copied(request, tmp_path):
    target = tmp_path / "other.py"
    if request.param == "tree":
        return Path(shutil.copytree(HERE, tmp_path / "all")) / "classify.py"
    if request.param == "cp":
        subprocess.run(f"cp classify.py {target} && mv {target} {tmp_path}/third.py", shell=True, check=True)
        return tmp_path / "third.py"
    if request.param == "moved":
        return shutil.move(shutil.copy("classify.py", tmp_path), target)
    request.param(HERE / "classify.py", target)
    return target
"""
RUNS = """
def test_started(copied):
    assert (answer(copied, 1), answer(copied, 2)) == ("low\\n", "high\\n")
"""
IMPORTS = """
def test_imported(copied, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(copied).parent))
    module = __import__(Path(copied).stem)
    assert (module.classify(1, 2), module.classify(2, 2)) == ("low", "high")

def test_run_path(copied):
    classify = runpy.run_path(str(copied))["classify"]
    assert (classify(1, 2), classify(2, 2)) == ("low", "high")
"""
READS = """
def test_started(copied):
    assert (answer(copied, 1), answer(copied, 2)) == ("low\\n", "high\\n")
    assert Path(copied).read_text()
"""


def test_a_copy_of_the_program_carries_every_fault(examine: Examine) -> None:
    for body in (RUNS, IMPORTS):
        facts = examine(classify=CLASSIFY + MAIN, test_classify=HEAD + body)
        assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
        said = messages(facts["tests.mutation_score"])
        assert LOOKED not in said
        assert "classify.py:3" not in said
        assert "classify.py:4" not in said
        assert "classify.py:5" not in said


def test_reading_a_copy_of_the_program_is_a_look(examine: Examine) -> None:
    facts = examine(classify=CLASSIFY + MAIN, test_classify=HEAD + READS)
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert LOOKED in messages(facts["tests.mutation_score"])
    assert facts["tests.mutation_score"].value == 0.0


def test_a_copy_that_a_test_changes_has_its_own_code(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY + MAIN,
        test_classify=HEAD
        + """
def test_changed(copied):
    Path(copied).unlink()
    Path(copied).write_text("print('mine')")
    assert answer(copied, 1) == "mine\\n"
""",
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


EXAMPLES = """
def classify(value, limit):
    '''
    >>> classify(1, 2), classify(2, 2)
    ('low', 'high')
    '''
    return "low" if value < limit else "high"
"""


def test_finding_examples_is_no_look(examine: Examine) -> None:
    facts = examine(
        {"pytest.ini": "[pytest]\naddopts = --doctest-modules\n"},
        classify=EXAMPLES,
        test_classify="""
            import doctest, classify
            def test_examples():
                assert doctest.testmod(classify) == (0, 1)
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0, messages(facts["tests.mutation_score"])
