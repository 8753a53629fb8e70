"""The exemplars that decoys are tried on: well-behaved but badly built programs have the most to gain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.decoys.decoy_program import DecoyProgram, find_program
from evalforge.measurements import without_tests
from evalforge.model.errors import PackError, SubmissionError
from evalforge.model.rubric import Criterion
from evalforge.packs.gold import read_gold
from evalforge.packs.pack import BossPack
from evalforge.submissions.collect import collect


@dataclass(frozen=True)
class Base:
    """An exemplar without its tests.

    Attributes:
        name: The exemplar's name.
        program: Its code.
        behaviour: Its share of the gold points in criteria that rest on trials.
        form: Its share in criteria that rest on other facts.
        between_count: How many of the latter are at neither their lowest nor their highest level.
        is_for_tests: Whether decoys in tests are tried on it; they are worth the same on any base.
    """

    name: str
    program: DecoyProgram
    behaviour: float
    form: float
    between_count: int
    is_for_tests: bool = False


def choose_bases(pack: BossPack) -> tuple[Base, ...]:
    """Return the worst-built well-behaved exemplar, and the best-behaved one built neither worst nor best."""
    bases = list(_bases(pack))
    if not bases:
        return ()
    worst_built = max(bases, key=lambda base: base.behaviour - base.form)
    other_bases = [base for base in bases if base is not worst_built and base.between_count]
    halfway = sorted(other_bases, key=lambda base: (-base.between_count, -base.behaviour))[:1]
    return (replace(worst_built, is_for_tests=True), *halfway)


def _bases(pack: BossPack) -> Iterator[Base]:
    for path in pack.exemplars:
        base = _base(pack, path)
        if base is not None:
            yield base


def _base(pack: BossPack, path: Path) -> Base | None:
    try:
        gold = read_gold(path)
        levels = gold.levels
        submission = without_tests(collect(path))
    except (PackError, SubmissionError):
        return None
    program = find_program(submission, pack.definition.metadata.entry_files)
    if program is None or gold.cheat:
        return None
    shares = {criterion: _share(criterion, levels) for criterion in pack.rubric.criteria}
    of_form = [share for criterion, share in shares.items() if _rests_on_form(pack, criterion)]
    of_behaviour = [share for criterion, share in shares.items() if not _rests_on_form(pack, criterion)]
    between = sum(0 < share < 1 for share in of_form)
    return Base(path.name, program, _mean(of_behaviour), _mean(of_form), between)


def _share(criterion: Criterion, levels: dict[str, float]) -> float:
    lowest, highest = criterion.levels[0].score, criterion.levels[-1].score
    return (levels.get(criterion.id, lowest) - lowest) / (highest - lowest)


def _rests_on_form(pack: BossPack, criterion: Criterion) -> bool:
    """Whether most of a criterion's conditions are about code and tests, not about trials."""
    conditions = [require for rule in pack.rules.of(criterion.id) for require in rule.requires]
    of_form = [
        condition for condition in conditions if not all(check.fact.startswith("trials.") for check in condition.checks)
    ]
    return 2 * len(of_form) > len(conditions)


def _mean(shares: list[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0
