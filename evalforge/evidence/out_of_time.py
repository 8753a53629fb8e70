"""Gaps in the measurement of tests for lack of time, which must not decide a level."""

from collections.abc import Iterable
from fractions import Fraction

from evalforge.model.evidence import Evidence, Fact, Finding, ImpostorFate
from evalforge.model.exact_numbers import to_fraction

OUT_OF_TIME = "tests.out_of_time"
_SHARE = "tests.unmasked"


def out_of_time_fact(count: int = 0, message: str = "") -> Fact:
    """The fact that counts tests, impostors or mutants that were not run for lack of time."""
    return Fact(name=OUT_OF_TIME, value=count, findings=(Finding(message=message),) if count else ())


def merge_out_of_time(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Merge all facts about the lack of time into one, adding it if there is none."""
    facts = tuple(facts)
    gaps = [fact for fact in facts if fact.name == OUT_OF_TIME]
    count = sum(fact.value for fact in gaps if isinstance(fact.value, int))
    findings = tuple(finding for fact in gaps for finding in fact.findings)
    others = (fact for fact in facts if fact.name != OUT_OF_TIME)
    return (*others, Fact(name=OUT_OF_TIME, value=count, findings=findings))


def untried_count(evidence: Evidence) -> int:
    """The number of impostors that were not run."""
    return sum(result.fate is ImpostorFate.NOT_TRIED for result in evidence.impostors)


def with_untried_unmasked(evidence: Evidence) -> Evidence:
    """The evidence as if the tests had caught every impostor that was not run."""
    untried = untried_count(evidence)
    share = evidence.fact(_SHARE)
    if not untried or share is None or not isinstance(share.value, int | float):
        return evidence
    highest = to_fraction(share.value) + Fraction(untried, len(evidence.impostors))
    raised_share = share.model_copy(update={"value": float(min(highest, Fraction(1)))})
    facts = tuple(raised_share if fact is share else fact for fact in evidence.facts)
    return Evidence.model_validate({**dict(evidence), "facts": facts})  # model_copy would keep the cached facts by name
