"""What could not be tried in time lowers no level and earns none: where it decides, nobody is judged."""

import pytest

from evalforge.evidence.out_of_time import merge_out_of_time, out_of_time_fact
from evalforge.judges.base import Case
from evalforge.judges.refusals import refuse_unmeasured
from evalforge.model.evidence import Evidence, Fact, ImpostorFate
from tests import factories
from tests.judges.conftest import make_pack

RULES = """
c0:
  - level: 1
    requires:
      - any:
          - {fact: tests.unmasked, check: ">= 0.4"}
          - {fact: tests.noticed, check: ">= 0.5"}
        otherwise: "Few impostors are unmasked."
c1:
  - level: 1
    requires:
      - {fact: code.functions, check: ">= 1", otherwise: "There are no functions."}
"""
UNMASKED, LET_THROUGH, NOT_TRIED = ImpostorFate.UNMASKED, ImpostorFate.LET_THROUGH, ImpostorFate.NOT_TRIED


def case_of(*facts: Fact, unmasked: int = 0, let_through: int = 0, untried: int = 0) -> Case:
    fates = [UNMASKED] * unmasked + [LET_THROUGH] * let_through + [NOT_TRIED] * untried
    impostors = tuple(factories.impostor(f"i{number}", fate) for number, fate in enumerate(fates))
    share = Fact(name="tests.unmasked", value=unmasked / len(fates) if fates else None)
    gap = out_of_time_fact(untried, f"{untried} impostors were not run: out of time.")
    evidence = Evidence(facts=merge_out_of_time((share, gap, *facts)), impostors=impostors)
    return Case(make_pack(1, 1, threshold=1, rules=RULES), factories.submission(main="x = 1\n"), evidence)


@pytest.mark.parametrize(
    ("case", "is_refused"),
    [
        (case_of(unmasked=3, let_through=7), False),
        (case_of(unmasked=3, let_through=6, untried=1), True),
        (case_of(unmasked=4, let_through=5, untried=1), False),
        (case_of(unmasked=1, let_through=8, untried=1), False),
        (case_of(untried=10), True),
        (case_of(Fact(name="tests.noticed", value=0.6), unmasked=3, let_through=6, untried=1), False),
        (case_of(Fact(name="tests.noticed", value=None), out_of_time_fact(3, "late"), let_through=10), True),
        (case_of(Fact(name="tests.noticed", value=None), let_through=10), False),
    ],
    ids=["all tried", "decides", "enough", "too few anyway", "none tried", "earned otherwise", "faults late", "known"],
)
def test_what_was_not_tried_decides_no_level(case: Case, is_refused: bool) -> None:
    assert (refuse_unmeasured(case) is not None) is is_refused


def test_a_refusal_says_what_was_not_tried_and_what_to_do() -> None:
    refusal = refuse_unmeasured(case_of(unmasked=3, let_through=6, untried=1))
    assert refusal is not None
    assert refusal.reason.endswith("could not be measured: 1 impostors were not run: out of time.")
    assert "less busy" in refusal.advice


def test_several_wants_of_time_are_one_fact() -> None:
    (fact,) = merge_out_of_time((out_of_time_fact(2, "two"), out_of_time_fact(), out_of_time_fact(3, "three")))
    assert fact.value == 5
    assert [finding.message for finding in fact.findings] == ["two", "three"]
    (nothing,) = merge_out_of_time(())
    assert (nothing.name, nothing.value) == ("tests.out_of_time", 0)
