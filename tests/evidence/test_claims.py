"""A claim is a few lines of data: run in the cage, on the submission and on programs that keep the contract."""

from collections.abc import Callable, Iterator

import pytest

from evalforge.evidence.claims.contract import judged_contract
from evalforge.evidence.claims.proof import check_claims
from evalforge.evidence.claims.right_programs import RightPrograms
from evalforge.model.claim import Claim
from evalforge.model.evidence import ClaimResult, ClaimState
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host

CONTRACT = """RULE
  add(a, b) returns the sum of both; a bool is refused with a TypeError.
  python sums.py A B prints the sum, and exits with 2 if one is no number.
NEVER TESTED
  What happens with more than two arguments.
"""
RIGHT = """
import sys


def add(a, b):
    if True in (a is True, b is True, a is False, b is False):
        raise TypeError("no bool")
    return a + b


class Box:
    def __init__(self, clock=None):
        self.clock = clock
        self.items = []

    def put(self, item):
        self.items.append(item)

    def when(self):
        return self.clock()


if __name__ == "__main__":
    try:
        print(add(int(sys.argv[1]), int(sys.argv[2])))
    except ValueError:
        print("no number", file=sys.stderr)
        sys.exit(2)
"""
JUDGED = judged_contract(CONTRACT, ("NEVER TESTED",))
ADD = {"contract": "returns the sum of both", "fault": "It counts one too much."}
Check = Callable[..., ClaimResult]


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.shut_down()


@pytest.fixture
def check(host: Host) -> Check:
    """Runs one claim on a program that is the right one with something replaced."""

    def run(old: str = "", new: str = "", /, **fields: object) -> ClaimResult:
        assert old in RIGHT
        wrong = Submission.of({"sums.py": RIGHT.replace(old, new) if old else RIGHT})
        right = RightPrograms((Submission.of({"sums.py": RIGHT}),), JUDGED, ("sums.py",))
        claim = Claim.model_validate({"criterion_id": "c", **ADD, **fields})
        (result,) = check_claims(host, wrong, right, [claim])
        return result

    return run


WRONG = ("return a + b", "return a + b + 1")


def test_a_true_claim_is_confirmed_with_its_calls(check: Check) -> None:
    result = check(*WRONG, steps=("sums.add(2, 3)",), expected="5", got="6")
    assert result.state is ClaimState.CONFIRMED
    assert result.message == "Expected 5, got 6."
    assert [(step.call, step.result) for step in result.steps] == [("import sums", "a module"), ("sums.add(2, 3)", "6")]
    assert result.command == "python3 - <<'END'\nimport sums\nprint(sums.add(2, 3))\nEND"


@pytest.mark.parametrize(
    ("change", "claim", "reason"),
    [
        (("", ""), {}, "the submission gives 5, as the contract asks"),
        (WRONG, {"got": "7"}, "the submission gives 6, not 7"),
        (WRONG, {"expected": "4"}, "a program that keeps the contract gives 5, not 4"),
        (WRONG, {"contract": "adds one to every sum"}, "the contract doesn't say that in these words"),
        (WRONG, {"contract": "more than two arguments"}, "the contract doesn't say that in these words"),
        (WRONG, {"expected": "6"}, "what it expects is what it says will come"),
    ],
    ids=["no fault", "another outcome", "wrong of the contract", "not in the contract", "left open", "no difference"],
)
def test_what_is_not_as_claimed_proves_nothing(
    check: Check, change: tuple[str, str], claim: dict[str, str], reason: str
) -> None:
    result = check(*change, **{"steps": ("sums.add(2, 3)",), "expected": "5", "got": "6", **claim})
    assert (result.is_confirmed, result.reason) == (False, reason)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (
            ("raise TypeError", "raise KeyError"),
            {"steps": ("sums.add(True, 1)",), "expected": "raises TypeError", "got": "raises KeyError"},
        ),
        (
            ("sys.exit(2)", "sys.exit(1)"),
            {"steps": ("sums.py 1 x",), "expected": "exit status 2", "got": "exit status 1"},
        ),
        (
            ("print(add", "print('=', add"),
            {"steps": ("sums.py 1 2", "stdout"), "expected": "'3\\n'", "got": "'= 3\\n'"},
        ),
        (
            ("self.items.append(item)", "self.items.append(item); raise ValueError"),
            {"steps": ("b = sums.Box()", "b.put('x')", "b.put('y')"), "expected": "None", "got": "raises ValueError"},
        ),
        (
            ("return self.clock()", "return self.clock() + 1"),
            {"steps": ("c = clock(5)", "b = sums.Box(c)", "c.now += 2", "b.when()"), "expected": "7", "got": "8"},
        ),
        (
            ("return self.clock()", "self.clock(); return self.clock()"),
            {"steps": ("f = answers(1, 2)", "sums.Box(f).when()", "f.calls"), "expected": "[()]", "got": "[(), ()]"},
        ),
        (
            ("return a + b", "while True: pass"),
            {"steps": ("sums.add(1, 2)",), "expected": "3", "got": "hangs"},
        ),
        (
            ("return a + b", "import os; os._exit(3)"),
            {"steps": ("sums.add(1, 2)",), "expected": "3", "got": "crashes"},
        ),
    ],
    ids=["an error", "an exit status", "what is printed", "objects", "a clock", "a function", "a loop", "a crash"],
)
def test_faults_of_every_kind_can_be_claimed(check: Check, change: tuple[str, str], claim: dict[str, object]) -> None:
    result = check(*change, **claim)
    assert result.reason == ""
    assert result.is_confirmed


@pytest.mark.parametrize(
    "step",
    [
        "import os",
        "__import__('os')",
        "sums.__dict__",
        "sums.add.__globals__",
        "().__class__",
        "open('/etc/passwd')",
        "eval('1')",
        "lambda: 1",
        "[x for x in 'ab']",
        "f'{sums}'",
        "'{0.__class__}'.format(sums)",
        "print(1); print(2)",
        "while True: pass",
        "exec('1')",
        "write('sums.py', b'')",
        "write('../out', b'')",
        "write('/tmp/out', b'')",
        "x" * 2000,
        "-" * 900 + "1",
    ],
)
def test_nothing_outside_the_language_is_run(check: Check, step: str) -> None:
    result = check(steps=(step, "1"), expected="1", got="2")
    assert result.state is ClaimState.NOT_RUN
    assert result.reason


@pytest.mark.parametrize(
    "step",
    [
        "'x' * 10 ** 9",
        "10 ** 10 ** 10",
        "[[[[0] * 900] * 900] * 900] * 900",
        "Decimal('1e999999999')",
        "list(answers())",
        "9 ** 9999 ** 9",
        "float('9' * 100000)",
        "Fraction(10 ** 9000, 7) * Fraction(10 ** 9000, 7) * Fraction(10 ** 90000, 3)",
    ],
)
def test_huge_values_are_refused(check: Check, step: str) -> None:
    assert not check(steps=(step,), expected="1", got="2").is_confirmed


def test_an_endless_answer_ends(check: Check) -> None:
    endless = ("return a + b", "return iter(int, 1)")
    result = check(*endless, steps=("list(sums.add(1, 2))",), expected="3", got="4")
    assert result.reason == "a step goes through more than 2,000 items"


def test_a_flood_ends_the_run(check: Check) -> None:
    flood = ("print(add", "print('x' * 10**8, add")
    result = check(*flood, steps=("sums.py 1 2",), expected="exit status 0", got="crashes")
    assert result.is_confirmed


def test_printed_outcomes_are_only_text(check: Check) -> None:
    forged = ("print(add", 'print(\'exit status 2\\n{"state": "confirmed"}\', add')
    result = check(*forged, steps=("sums.py 1 2",), expected="exit status 2", got="exit status 0")
    assert result.reason == "a program that keeps the contract gives exit status 0, not exit status 2"


def test_lying_objects_are_not_asked(check: Check) -> None:
    liar = ("return a + b", "return type('Liar', (int,), {'__eq__': lambda self, other: True})(9)")
    result = check(*liar, steps=("sums.add(1, 2)",), expected="3", got="9")
    assert result.is_confirmed


def test_the_cage_holds_for_claims(check: Check) -> None:
    reader = ("return a + b", "return len(open('/etc/passwd').read())")
    result = check(*reader, steps=("sums.add(1, 2)",), expected="3", got="raises PermissionError")
    assert result.got.startswith("raises ")


def test_files_pass_from_step_to_step(check: Check) -> None:
    steps = ("sums.py 1 2 < numbers.txt", "write('a.bin', files['numbers.txt'][:2])", "read('a.bin')")
    result = check(*WRONG, steps=steps, files={"numbers.txt": "123"}, expected="b'12'", got="b'1'")
    assert result.reason == "the submission gives b'12', as the contract asks"
