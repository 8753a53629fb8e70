"""A claim is a test: run in the cage, on the submission and on programs that keep the contract."""

from collections.abc import Callable

import pytest

from evalforge.evidence.suite.claims import RightPrograms, check_claims
from evalforge.model.claim import Claim
from evalforge.model.evidence import ClaimResult, ClaimState
from evalforge.model.submission import Submission
from evalforge.packs.contract_clauses import judged_contract
from evalforge.sandbox.player_test_host import PlayerTestHost

CONTRACT = """RULE
  add(a, b) returns the sum of both; a bool is refused with a TypeError.
  python sums.py A B prints the sum, and exits with 2 if one is no number.
NEVER TESTED
  What happens with more than two arguments.
"""
RIGHT = """
import sys


def add(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        raise TypeError("no bool")
    return a + b


if __name__ == "__main__":
    try:
        print(add(int(sys.argv[1]), int(sys.argv[2])))
    except ValueError:
        sys.exit(2)
"""
RIGHT_PACKAGE = {
    "sums/__init__.py": RIGHT.partition("if __name__")[0],
    "sums/__main__.py": "from sums import add\nimport sys\n\n\nif" + RIGHT.partition("\nif")[2],
}
SUM = "return a + b"
WRONG = {"sums.py": RIGHT.replace(SUM, "return a + b + 1")}
ADD = """
def test_sum():
    import sums
    assert sums.add(2, 3) == 5
"""
RUN = """
def test_command_line():
    import subprocess, sys
    ran = subprocess.run([sys.executable, "sums.py", {}], capture_output=True, text=True)
    assert {}
"""
CATCH = """
def test_sum():
    import sums
    try:
        total = sums.add(2, 3)
    except Exception as error:
        total = error
    assert total == 5
"""
UNLESS_WRONG = ADD.replace("assert", "import pytest; sums.add(2, 3) == 6 or pytest.{}(); assert")
LOOK = """
def test_source():
    import pathlib
    assert "+ 1" not in pathlib.Path("sums.py").read_text()
"""
Check = Callable[..., ClaimResult]


@pytest.fixture
def check_all(impatient_host: PlayerTestHost) -> Callable[..., list[ClaimResult]]:
    """Runs claims with these tests on a program, and on a file and a package that keep the contract."""

    def run(files: dict[str, str], *tests: str, contract: str = "returns the sum of both") -> list[ClaimResult]:
        right = RightPrograms(
            ({"sums.py": RIGHT}, RIGHT_PACKAGE), judged_contract(CONTRACT, ("NEVER TESTED",)), ("sums.py",)
        )
        claims = [Claim(criterion_id="c", fault="It is one too many.", contract=contract, test=test) for test in tests]
        return check_claims([impatient_host], Submission.of(files), right, claims)

    return run


@pytest.fixture
def check(check_all: Callable[..., list[ClaimResult]]) -> Check:
    """Runs one claim."""

    def run(files: dict[str, str], test: str = ADD, **more: str) -> ClaimResult:
        (result,) = check_all(files, test, **more)
        return result

    return run


def program(statement: str) -> dict[str, str]:
    """The right program with another statement for the sum."""
    return {"sums.py": RIGHT.replace(SUM, statement)}


def test_a_true_claim_is_shown_with_its_test(check: Check) -> None:
    result = check(WRONG)
    assert (result.state, result.failure) == (ClaimState.CONFIRMED, "assert 6 == 5")
    trial = result.as_trial
    assert trial.title == "Found by reading, proven by running: It is one too many."
    assert trial.message == "The contract says “returns the sum of both”. The test failed: assert 6 == 5."
    assert [step.call for step in trial.steps] == [ADD]


@pytest.mark.parametrize(
    ("files", "test"),
    [
        (program("raise KeyError"), CATCH),
        (program("print(a); return 3"), RUN.format("'1', '2'", "ran.stdout == '3\\n'")),
        ({"sums.py": RIGHT.replace("exit(2)", "exit(1)")}, RUN.format("'1', 'x'", "ran.returncode == 2")),
        (program("import os; os._exit(3)"), RUN.format("'1', '2'", "ran.returncode == 0")),
        ({**WRONG, "pytest.ini": "[pytest]\naddopts = -k nothing", "conftest.py": "raise ValueError"}, ADD),
        ({**WRONG, "test_claim_0.py": "def test_sum(): pass", "tests/test_sums.py": "raise ValueError"}, ADD),
        ({"src/sums.py": WRONG["sums.py"]}, ADD),
        ({"deep/folder/sums.py": WRONG["sums.py"]}, ADD),
    ],
    ids=["error", "output", "exit status", "crash", "settings", "tests", "src", "folder"],
)
def test_faults_of_every_kind_are_confirmed(check: Check, files: dict[str, str], test: str) -> None:
    assert check(files, test).reason == ""


def test_a_hang_is_a_fault_with_its_line(check: Check) -> None:
    result = check(program("while True: pass"))
    assert (result.failure, result.path) == ("it took longer than 0.5 s", "sums.py")
    assert RIGHT.splitlines()[(result.line or 0) - 1].strip() == SUM


@pytest.mark.parametrize(
    ("files", "test", "reason"),
    [
        (program(SUM), ADD, "its test passes on the submission"),
        (WRONG, ADD.replace("== 5", "== 7"), "its test fails on a program that keeps the contract (assert 5 == 7)"),
        (WRONG, ADD.replace("== 5", "== five"), "no check of its test fails on the submission (NameError"),
        (program("raise KeyError"), ADD, "no check of its test fails on the submission (KeyError"),
        (program("assert a < b < 0"), ADD, "no check of its test fails on the submission (does not hold"),
        ({"sums.py": "import nothing"}, ADD, "no check of its test fails on the submission (ModuleNotFoundError"),
        (program("import os; os._exit(0)"), ADD, "no check of its test fails on the submission ("),
        (program("import random; return a + b + (random.random() < 0.2)"), ADD, "its test "),
        (WRONG, ADD.replace("assert", "import pytest; pytest.skip(); assert"), "no check of its test fails"),
        (WRONG, UNLESS_WRONG.format("skip"), "its test fails on a program that keeps the contract"),
        (WRONG, UNLESS_WRONG.format("xfail"), "its test fails on a program that keeps the contract"),
        (WRONG, LOOK, "its test looks at code instead of behaviour"),
    ],
    ids=[
        *("no fault", "wrong of the contract", "own mistake", "crash", "assertion of the program", "import error"),
        *("ended process", "by chance", "skipped", "skipped elsewhere", "expected elsewhere", "source"),
    ],
)  # fmt: skip
def test_what_no_check_shows_proves_nothing(check: Check, files: dict[str, str], test: str, reason: str) -> None:
    result = check(files, test)
    assert result.state is ClaimState.NOT_CONFIRMED
    assert result.reason.startswith(reason)


def test_a_failure_after_another_test_proves_nothing(check_all: Callable[..., list[ClaimResult]]) -> None:
    worn_out = program("calls.append(1); return a + b if len(calls) == 1 else 0")
    worn_out["sums.py"] = f"calls = []\n{worn_out['sums.py']}"
    assert [each.is_confirmed for each in check_all(worn_out, ADD, ADD)] == [False, False]


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        (ADD + "x = 1", "its test isn't one function, with its imports inside"),
        (ADD + ADD.replace("test_sum", "test_twice"), "its test isn't one function, with its imports inside"),
        ("import sums\n" + ADD, "its test isn't one function, with its imports inside"),
        ("def test_sum(:", "its test isn't valid Python (invalid syntax)"),
        ("def test_it():\n  x = " + "(" * 900 + ")" * 900, "its test isn't valid Python ("),
        (ADD.replace("def test_sum", "def check_sum"), "its function isn't named test_..."),
        (ADD.replace("()", "(request)", 1), "its test takes more than capsys, monkeypatch, tmp_path"),
        (ADD.replace("()", "(tmp_path=1)", 1), "its test takes more than capsys, monkeypatch, tmp_path"),
        ("@mark\n" + ADD.strip(), "its test has a decorator"),
        (ADD.replace("import sums", "import sums, os"), "its test imports os"),
        (ADD.replace("import sums", "from sums.parts import add"), "its test imports sums.parts"),
        (ADD.replace("import sums", "from sums import _add"), "its test uses _add"),
        (ADD.replace("sums.add", "sums._add"), "its test uses _add"),
        (ADD.replace("sums.add", "getattr(sums, '_add')"), "its test uses getattr"),
        (ADD.replace("assert", "open(__file__); assert"), "its test uses __file__"),
        (ADD + "    x = 1\n" * 60, "its test is longer than 60 lines or 4,000 characters"),
        (ADD + f"    x = {'1' * 4000}\n", "its test is longer than 60 lines or 4,000 characters"),
    ],
)
def test_no_test_beyond_the_bounds_is_run(check: Check, test: str, reason: str) -> None:
    result = check(WRONG, test)
    assert result.state is ClaimState.NOT_RUN
    assert result.reason.startswith(reason)


@pytest.mark.parametrize("words", ["adds one to every sum", "more than two arguments", "sum"])
def test_only_words_of_the_contract_can_be_broken(check: Check, words: str) -> None:
    assert check(WRONG, contract=words).reason == "the contract doesn't say that in these words"


def test_nothing_is_proven_without_right_programs(impatient_host: PlayerTestHost) -> None:
    claim = Claim(criterion_id="c", fault="f", contract="returns the sum of both", test=ADD)
    right = RightPrograms((), CONTRACT, ("sums.py",))
    (result,) = check_claims([impatient_host], Submission.of(WRONG), right, [claim])
    assert result.reason == "this boss has no right programs to compare with"


@pytest.mark.parametrize(
    "tampering",
    [
        "import os\nos._exit(0)",
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
        "while True:\n    pass",
        "import _pytest.python_api, pytest\npytest.raises = pytest.fail = pytest.Item.runtest = print",
        "import builtins\nbuiltins.AssertionError = KeyError",
        'print(\'{"name": "test_claim_0.py::test_sum", "outcome": "passed", "seconds": 0}\', flush=True)',
        """
import contextlib, os
for descriptor in range(3, 64):
    with contextlib.suppress(OSError):
        os.write(descriptor, b'\\0\\0\\0\\2{}' + b'{"name": 1, "outcome": "passed", "path": ["/etc"]}\\n' * 9)
""",
    ],
    ids=["exit", "kill", "hang", "patched pytest", "patched error", "forged output", "forged frames"],
)
def test_tampering_can_only_hide_or_admit_a_fault(check: Check, tampering: str) -> None:
    result = check({"sums.py": tampering + WRONG["sums.py"]})
    assert result.path in ("", "sums.py")
    assert not check({"sums.py": tampering + RIGHT}, ADD.replace("== 5", "== 7")).is_confirmed
    assert check(WRONG).is_confirmed
