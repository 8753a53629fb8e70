"""Cases in which nobody is judged: a broken pack, a library missing where tests run, or a machine that is too busy."""

from evalforge.evidence.earned_levels import earned_level
from evalforge.evidence.out_of_time import OUT_OF_TIME, untried_count, with_untried_unmasked
from evalforge.judges.base import Case
from evalforge.model.events import Ungraded
from evalforge.model.evidence import Evidence, Fact
from evalforge.model.level_rules import Condition
from evalforge.model.rubric import Criterion
from evalforge.packs.lint.lint import first_fault
from evalforge.packs.pack import BossPack
from evalforge.packs.release import FOR_STUDENTS

_ADVICE = {
    "tests.missing_libraries": "Install it where the judge runs, or give --python an environment that has it; "
    "then judge again.",
    OUT_OF_TIME: "Judge again when this machine is less busy. If it isn't busy, make your tests quicker.",
}
"""What to do, by the fact that says why something could not be measured."""


def refuse_unmeasured(case: Case) -> Ungraded | None:
    """Why a case can't be judged; None if it can.

    A level must neither fall nor rise because something could not be measured. If the missing library or time changes
    no level, as for tests that assert nothing, the case is judged.
    """
    for name, advice in _ADVICE.items():
        fact = case.evidence.fact(name)
        if fact is None or not fact.value:
            continue
        criteria = [criterion for criterion in case.pack.rubric.criteria if _hangs_on_unmeasured(case, criterion, fact)]
        if criteria:
            finding = fact.findings[0]
            labels = " and ".join(criterion.label for criterion in criteria)
            place = f" ({finding.place})" if finding.place else ""
            return Ungraded(reason=f"{labels} could not be measured: {finding.message}{place}", advice=advice)
    return None


def _hangs_on_unmeasured(case: Case, criterion: Criterion, gap: Fact) -> bool:
    """Whether a criterion's level is held down only by tests that could not be measured."""
    earned = earned_level(criterion, case.pack.rules, case.evidence)
    if gap.name == OUT_OF_TIME:
        highest = earned_level(criterion, case.pack.rules, with_untried_unmasked(case.evidence))
        if earned.level != highest.level:
            return True
        if gap.value == untried_count(case.evidence):
            return False
    failures = earned.failures
    return bool(failures) and all(_is_undecided(failure.condition, case.evidence) for failure in failures)


def _is_undecided(condition: Condition, evidence: Evidence) -> bool:
    """Whether a failed condition might hold if all its facts about the tests had been measured."""
    names = [check.fact for check in condition.checks if check.fact.startswith("tests.")]
    return any((fact := evidence.fact(name)) is None or fact.value is None for name in names)


def refuse_broken(pack: BossPack) -> Ungraded | None:
    """Why a pack can't judge: it is for students, or it is broken, with its first fault and the number of others."""
    if pack.is_for_students:
        return Ungraded(
            reason=f"{pack.definition.title} is {FOR_STUDENTS}: this copy contains nothing to judge by.",
            advice="Build it by its contract, test it yourself, and submit your folder.",
        )
    fault = first_fault(pack.path)
    if fault is None:
        return None
    more = f" ({len(fault.further)} more like it.)" if fault.further else ""
    return Ungraded(
        reason=f"This boss is broken, so it can't judge: {fault}.{more}",
        advice=f"Its author can find what to fix with: evalforge lint {pack.path}",
    )
