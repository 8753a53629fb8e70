"""What nobody is judged by: a broken pack, or tests that need a library which the judge's Python does not have."""

from evalforge.evidence.earned_levels import earned_level
from evalforge.judges.base import Case
from evalforge.model.events import Ungraded
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import Condition
from evalforge.packs.lint.verdict_faults import first_fault
from evalforge.packs.pack import BossPack
from evalforge.packs.release import FOR_STUDENTS

_ADVICE = "Install it where the judge runs, or give --python an environment that has it; then judge again."


def refuse_unmeasured(case: Case) -> Ungraded | None:
    """Why a case can't be judged; None if it can.

    A level must not fall for what nobody could measure, nor be given for it. Where the lack of a library decides
    nothing, as of tests that assert nothing, the case is judged.
    """
    missing = case.evidence.fact("tests.missing_libraries")
    if missing is None or not missing.value:
        return None
    labels = [criterion.label for criterion in case.pack.rubric.criteria if _hangs_on_unmeasured(case, criterion.id)]
    if not labels:
        return None
    finding = missing.findings[0]
    place = f" ({finding.place})" if finding.place else ""
    return Ungraded(reason=f"{' and '.join(labels)} could not be measured: {finding.message}{place}", advice=_ADVICE)


def _hangs_on_unmeasured(case: Case, criterion_id: str) -> bool:
    """Whether nothing but what wasn't measured of the tests holds a criterion's level down."""
    criterion = case.pack.rubric.criterion(criterion_id)
    failures = earned_level(criterion, case.pack.rules, case.evidence).failures
    return bool(failures) and all(_is_undecided(failure.condition, case.evidence) for failure in failures)


def _is_undecided(condition: Condition, evidence: Evidence) -> bool:
    """Whether a condition that does not hold might, if all of its facts about the tests had been measured."""
    names = [check.fact for check in condition.checks if check.fact.startswith("tests.")]
    return any((fact := evidence.fact(name)) is None or fact.value is None for name in names)


def refuse_broken(pack: BossPack) -> Ungraded | None:
    """Why a pack judges nobody, if it is broken: the first of its faults, and how many more there are."""
    if pack.is_for_students:
        return Ungraded(
            reason=f"{pack.definition.title} is {FOR_STUDENTS}: this copy holds nothing to judge by.",
            advice="Build it by its contract, test it yourself, and hand your folder in.",
        )
    fault = first_fault(pack.path)
    if fault is None:
        return None
    more = f" ({len(fault.further)} more like it.)" if fault.further else ""
    return Ungraded(
        reason=f"This boss is broken and judges nobody: {fault}.{more}",
        advice=f"Whoever made it mends it with: evalforge lint --fast {pack.path}",
    )
