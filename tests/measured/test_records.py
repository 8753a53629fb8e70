"""The stored runs are what a run gives: no fact and no level has moved without being stored."""

from collections.abc import Iterator

import pytest

from tests.measured.__main__ import differences
from tests.measured.forge import RecordedForge
from tests.measured.programs import PROGRAM_BY_NAME, PROGRAMS, MeasuredProgram, fact_values, given_levels
from tests.measured.records import Record, stored_names, stored_record

NEWS = "python -m tests.measured ... stores it; say in the commit why it moved"


TIMED = ("tests.certified", "tests.noticed")
"""Facts over the mutants that trials certify within thirty seconds: how many those are depends on the machine."""


def moved(program: MeasuredProgram, forge: RecordedForge) -> list[str]:
    """What differs from the stored facts and levels."""
    record = forge.fight(program)
    return [*differences(stored_record(program.name), Record(facts=fact_values(record), levels=given_levels(record)))]


def test_every_program_has_a_record() -> None:
    assert stored_names() == PROGRAM_BY_NAME.keys(), NEWS


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_no_fact_has_moved(program: MeasuredProgram, recorded_forge: RecordedForge) -> None:
    assert moved(program, recorded_forge) == [], NEWS


@pytest.fixture(scope="module")
def running_forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedForge]:
    """A forge that replays nothing."""
    place = tmp_path_factory.mktemp("run again")
    forge = RecordedForge(place / "kept", place, replays=False)
    yield forge
    forge.close()


@pytest.mark.rotating(shares=60)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_running_again_moves_no_fact(program: MeasuredProgram, running_forge: RecordedForge) -> None:
    assert [words for words in moved(program, running_forge) if not words.startswith(TIMED)] == [], NEWS
