"""What impostors reveal about a class's tests: which ones most suites miss, and what suites wrongly expect."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from evalforge.model.base import Frozen
from evalforge.model.errors import PackError
from evalforge.model.evidence import ImpostorResult
from evalforge.model.impostor_tally import ImpostorTally
from evalforge.packs.impostors import read_impostors


class SuiteCount(Frozen):
    """The result of one submission's tests.

    Attributes:
        row_id: The submission's row.
        unmasked: How many impostors they catch; None if that could not be measured.
        met: How many impostors they ran on.
        wrong_expectations: How many of them fail on a right program.
    """

    row_id: str
    unmasked: int | None
    met: int
    wrong_expectations: int


class MissedImpostor(Frozen):
    """An impostor that some suites missed.

    Attributes:
        clause: The section of the contract that it breaks.
        fault: What is wrong with it, in a sentence; the riddle if the boss no longer has this impostor.
        missed: How many suites missed it.
        suites: How many suites ran on it.
        row_ids: The rows whose suites missed it.
    """

    id: str
    clause: str
    fault: str
    missed: int
    suites: int
    row_ids: tuple[str, ...] = ()


class WrongExpectation(Frozen):
    """A test that fails on a right program: ``place`` is ``path:line``."""

    row_id: str
    place: str
    message: str


class ClassImpostors(Frozen):
    """The tests of a class, and the impostors they met.

    Attributes:
        suites: The submissions whose tests ran on impostors.
        missed: Missed impostors, those that most suites miss first.
        wrong: Every wrong expectation, by row.
    """

    suites: tuple[SuiteCount, ...] = ()
    missed: tuple[MissedImpostor, ...] = ()
    wrong: tuple[WrongExpectation, ...] = ()

    @property
    def by_row(self) -> dict[str, SuiteCount]:
        """The count of each row's tests."""
        return {suite.row_id: suite for suite in self.suites}


def class_impostors(tallies: Mapping[str, ImpostorTally], pack: Path) -> ClassImpostors:
    """Count the impostors of a class.

    Args:
        tallies: The impostors' results, by row, for rows whose tests ran on some.
        pack: The boss's folder.
    """
    return ClassImpostors(
        suites=tuple(_suite_count(row_id, tally) for row_id, tally in tallies.items()),
        missed=_missed({row: tally for row, tally in tallies.items() if not tally.unmeasured_reason}, _faults(pack)),
        wrong=tuple(
            WrongExpectation(row_id=row_id, place=finding.place, message=finding.message)
            for row_id, tally in tallies.items()
            for finding in tally.wrong_expectations
        ),
    )


def _suite_count(row_id: str, tally: ImpostorTally) -> SuiteCount:
    unmasked = None if tally.unmeasured_reason else len(tally.unmasked)
    return SuiteCount(row_id=row_id, unmasked=unmasked, met=tally.tried_count, wrong_expectations=tally.wrong_count)


def _missed(tallies: Mapping[str, ImpostorTally], faults: Mapping[str, str]) -> tuple[MissedImpostor, ...]:
    row_ids_by_impostor = defaultdict[str, list[str]](list)
    suites = Counter[str]()
    results: dict[str, ImpostorResult] = {}
    for row_id, tally in tallies.items():
        for result in tally.let_through:
            row_ids_by_impostor[result.id].append(row_id)
        for result in (*tally.let_through, *tally.unmasked):
            suites[result.id] += 1
            results[result.id] = result
    return tuple(
        MissedImpostor(
            id=name,
            clause=results[name].clause,
            fault=faults.get(name, results[name].riddle),
            missed=len(row_ids),
            suites=suites[name],
            row_ids=tuple(row_ids),
        )
        for name, row_ids in sorted(row_ids_by_impostor.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _faults(pack: Path) -> dict[str, str]:
    try:
        impostors = read_impostors(pack)
    except PackError:
        return {}
    return {impostor.id: impostor.fault for impostor in impostors.impostors} if impostors else {}
