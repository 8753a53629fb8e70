"""What a trial did, told as Python and as a shell command that does it again in the player's folder."""

import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.scripts import Cli
from evalforge.evidence.trials.shell_command import call_command
from evalforge.evidence.trials.transcript import Transcript
from evalforge.model.evidence import TrialStep
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission
from tests import factories

TILL = """
import contextlib
class Till:
    def __init__(self, name): self.name, self.sums = name, []
    def add(self, amount, *more, note=None):
        if amount < 0: raise ValueError(f"{amount} is no amount")
        self.sums += [amount, *more]
        return self
    def total(self): return sum(self.sums)
async def wait_for(value): return value
"""
ECHO = """
import os, sys
from pathlib import Path
print(sys.argv[1:], sys.stdin.buffer.read(), os.environ.get("MODE"))
print({path.name: path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file() and path.suffix != ".py"})
"""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host()
    yield started
    started.shut_down()


@pytest.fixture
def steps() -> list[TrialStep]:
    return []


@pytest.fixture
def player(host: Host, steps: list[TrialStep]) -> Iterator[Player]:
    with StagedSubmission(factories.submission(till=TILL)) as staged:
        made = Player(host, staged, RunLimits(seconds=2.0), lambda step, report: steps.append(step))
        yield made
        made.close()


def output_of(command: str, folder: Path, **files: str) -> str:
    """What a command prints in a folder with these files."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    ended = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=30)
    return ended.stdout + ended.stderr


def test_steps_are_told_with_their_arguments(player: Player, steps: list[TrialStep]) -> None:
    till = player.module("till").Till("bar")
    till.add(Decimal("1.50"), 2, note="tip")
    assert [step.call for step in steps] == [
        "import till",
        "till.Till('bar')",
        "my_till.add(Decimal('1.50'), 2, note='tip')",
    ]


def test_the_command_does_again_what_the_trial_did(player: Player, tmp_path: Path) -> None:
    till = player.module("till").Till("bar")
    with pytest.raises(PlayerError):
        till.add(-1)
    till.add(Decimal("1.50"), Fraction(1, 2).numerator)
    assert till.total() == Decimal("2.50")
    command = player.command(None)
    assert "contextlib.suppress" in command
    assert output_of(command, tmp_path, till=TILL) == "2.50\n"


def test_a_command_ends_with_the_call_that_raised(player: Player, tmp_path: Path) -> None:
    till = player.module("till").Till("bar")
    with pytest.raises(PlayerError):
        till.add(-3)
    assert output_of(player.command(None), tmp_path, till=TILL).endswith("ValueError: -3 is no amount\n")


def total_of(amounts: list[int]) -> int:
    """A driver, as trials ship them."""
    import till

    made = till.Till("driven")
    made.add(*amounts)
    return made.total()


def test_a_driver_is_part_of_the_command(player: Player, tmp_path: Path) -> None:
    assert player.drive(total_of, [3, 4, 5]) == 12
    assert output_of(player.command(None), tmp_path, till=TILL) == "12\n"


def test_files_and_a_folder_to_import_from(player: Player, tmp_path: Path) -> None:
    player.files({"in.txt": "ä\n", "raw.bin": b"\xff%\\\n"})
    player.module("till").Till("bar").total()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "till.py").write_text(TILL)
    assert output_of(player.command(Program("script", "src/till.py")), tmp_path) == "0\n"


def test_what_cannot_be_written_makes_no_command(player: Player) -> None:
    player.module("till").Till(lambda: "a clock")
    assert player.command(None) == ""


def test_a_long_history_makes_no_command(player: Player) -> None:
    till = player.module("till").Till("bar")
    for _ in range(60):
        till.add(1)
    assert player.command(None) == ""


@pytest.mark.parametrize(
    "call",
    [
        Call(args=("--top", "3", "it's; rm x")),
        Call(args=("a.log",), files={"a.log": b"one\ntwo %s \\n\n", "deep/b.log": b"\xff\x00\x01", "c.log": b""}),
        Call(stdin=b"fed\xfe\n", env={"MODE": "a b"}),
        Call(stdin="grün\n".encode(), files={"x.txt": b"-n"}),
    ],
)
@pytest.mark.parametrize("place", ["echo.py", "src/my echo.py"])
def test_a_program_is_run_as_the_trial_ran_it(host: Host, call: Call, place: str, tmp_path: Path) -> None:
    program = Program("script", place)
    with StagedSubmission(Submission(files=(SubmissionFile(path=place, content=ECHO),))) as staged:
        cli = Cli(host, staged, program, "echo.py", RunLimits(), lambda step, report: None)
        ended = cli(*call.args, files=call.files, stdin=call.stdin, env=call.env)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(ECHO)
    assert output_of(cli.command(), tmp_path) == ended.stdout


def test_a_package_is_run_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "echo").mkdir()
    (tmp_path / "echo" / "__main__.py").write_text(ECHO)
    for call in (Call(args=("a",)), Call(args=("a",), files={"f.txt": b"f"})):
        assert output_of(call_command(Program("module", "echo"), call), tmp_path).startswith("['a'] b''")


def test_too_much_to_copy_is_no_command() -> None:
    assert call_command(Program("script", "echo.py"), Call(stdin=b"x" * 10_000)) == ""
    assert call_command(None, Call()) == ""


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=20),
    st.binary(max_size=20),
    st.decimals(allow_nan=False, places=3),
    st.timedeltas(),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner),
        st.tuples(),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(VALUES)
def test_a_literal_is_its_value_again(value: object) -> None:
    transcript = Transcript()
    names: dict[str, Callable[..., object] | object] = {"Decimal": Decimal, "datetime": __import__("datetime")}
    written = transcript.literal(value)
    assert not transcript.is_whole or eval(written, names) == value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("inf"), "float('inf')"),
        (set(), "set()"),
        ({3}, "{3}"),
        (frozenset({2, 1}), "frozenset([1, 2])"),
        (timedelta(1), "datetime.timedelta(days=1)"),
        (("one",), "('one',)"),
    ],
)
def test_how_values_are_written(value: object, words: str) -> None:
    transcript = Transcript()
    assert (transcript.literal(value), transcript.is_whole) == (words, True)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x" * 300, "'" + "x" * 40 + "'…"),
        (list(range(100)), "… 76 more]"),
        (10**4000, "a very long int"),
        (len, "len"),
        (Decimal("1" * 400), "Decimal('"),
    ],
)
def test_what_is_long_is_cut_and_said_so(value: object, words: str) -> None:
    transcript = Transcript()
    assert words in transcript.literal(value)
    assert not transcript.is_whole
