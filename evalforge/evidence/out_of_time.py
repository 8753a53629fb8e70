"""What the tests could not be tried on for want of time: such a gap decides no level."""

from collections.abc import Iterable
from fractions import Fraction

from evalforge.model.evidence import Evidence, Fact, Finding, ImpostorFate
from evalforge.model.exact_numbers import to_fraction

OUT_OF_TIME = "tests.out_of_time"
_SHARE = "tests.unmasked"


def out_of_time_fact(count: int = 0, message: str = "") -> Fact:
    """How many tests, impostors or mutants were not tried for want of time, in words as well."""
    return Fact(name=OUT_OF_TIME, value=count, findings=(Finding(message=message),) if count else ())


def merge_out_of_time(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The same facts, with one about the want of time in place of several or none."""
    facts = tuple(facts)
    gaps = [fact for fact in facts if fact.name == OUT_OF_TIME]
    count = sum(fact.value for fact in gaps if isinstance(fact.value, int))
    findings = tuple(finding for fact in gaps for finding in fact.findings)
    others = (fact for fact in facts if fact.name != OUT_OF_TIME)
    return (*others, Fact(name=OUT_OF_TIME, value=count, findings=findings))


def untried_count(evidence: Evidence) -> int:
    """How many impostors were not tried."""
    return sum(result.fate is ImpostorFate.NOT_TRIED for result in evidence.impostors)


def with_untried_unmasked(evidence: Evidence) -> Evidence:
    """The evidence as it would be if the tests had unmasked every impostor that was not tried."""
    untried = untried_count(evidence)
    share = evidence.fact(_SHARE)
    if not untried or share is None or not isinstance(share.value, int | float):
        return evidence
    highest = to_fraction(share.value) + Fraction(untried, len(evidence.impostors))
    raised = share.model_copy(update={"value": float(min(highest, Fraction(1)))})
    facts = tuple(raised if fact is share else fact for fact in evidence.facts)
    return Evidence.model_validate({**dict(evidence), "facts": facts})  # a copy would keep the old facts by name
