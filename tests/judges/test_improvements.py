"""What is advised, and what became of it, from the evidence of two tries."""

from dataclasses import replace

import pytest
import yaml

from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.judges.base import Case
from evalforge.judges.forge import forge_opinion
from evalforge.judges.improvements import follow_advice
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.model.level_rules import LevelRules
from evalforge.packs.pack import BossPack
from tests import factories
from tests.judges.test_forge import case_of, gathered, pack

__all__ = ["pack"]


def followed(pack: BossPack, before: Evidence, after: Evidence) -> dict[str, FollowedAdvice]:
    """What became of each improvement, by how it begins."""
    given = forge_opinion(case_of(pack, before)).improvements
    return {each.words.partition(" (")[0]: each for each in follow_advice(pack, given, before, after)}


@pytest.mark.parametrize(
    ("happy", "edges", "state", "outcome"),
    [
        ([True, True, True], [False], AdviceState.DONE, "done: Criterion 0 0 → 1."),
        ([False, True, False], [True], AdviceState.BEGUN, "begun. 2 trials still fail, 3 did before."),
        ([False, False, False], [True], AdviceState.NOT_DONE, "not done yet."),
    ],
)
def test_advice_is_done_begun_or_not_done(pack, happy, edges, state, outcome):
    after = gathered(happy, edges)
    advice = followed(pack, gathered([False, False, False], [False]), after)["Mend plain input"]
    assert (advice.state, advice.outcome) == (state, outcome)


def test_advice_that_was_done_says_what_else_keeps_the_level(pack):
    before = gathered([True], [False], code__longest_function=900)
    advice = followed(pack, before, gathered([True], [True], code__longest_function=800))
    done = advice["Mind the edges"]
    assert done.state is AdviceState.NOT_ENOUGH
    assert done.outcome == "done, but Criterion 0 stays at 1. It is too long (800 lines)."
    assert advice["Make it shorter"].outcome == "begun. It is too long (800 lines)."


def test_what_no_condition_said_is_left_out(pack):
    before = gathered([False], [True])
    assert follow_advice(pack, ("Buy a bigger machine.",), before, gathered([True], [True])) == ()


SHELF = "def shelf():\n" + "    pass\n" * 27 + "\n\ndef rest():\n    pass\n"
LIMITED = """
c0:
  - level: 1
    requires:
      - {fact: code.longest_function, check: "<= 30", otherwise: "Too long.", improve: "Split it"}
c1:
  - level: 1
    requires:
      - {fact: trials.happy, check: "== 1", otherwise: "Plain input fails.", improve: "Mend plain input"}
"""


def advised(pack: BossPack, length: int, failed_line: int) -> str:
    """The first improvement for a program whose longest function is near its limit, or not."""
    trial = factories.trial("happy", TrialOutcome.FAILED, message="It broke.", path="main.py", line=failed_line)
    longest = factories.fact("code.longest_function", length, ("main.py", 1, f"`shelf` is {length} lines long"))
    evidence = Evidence(facts=(*trial_facts((trial,)), longest), trials=(trial,))
    limited = replace(pack, rules=LevelRules.model_validate(yaml.safe_load(LIMITED)))
    return forge_opinion(Case(limited, factories.submission(main=SHELF), evidence)).improvements[0]


def test_advice_warns_of_a_function_near_its_limit(pack):
    assert advised(pack, 28, 5) == (
        "Mend plain input (main.py:5; +1 Criterion 1; this makes `shelf` longer: 28 lines of at most 30)."
    )


@pytest.mark.parametrize(("length", "failed_line"), [(20, 5), (28, 32)])
def test_advice_far_from_a_limit_has_no_warning(pack, length, failed_line):
    assert "at most" not in advised(pack, length, failed_line)


def test_advice_with_a_warning_is_recognised_in_the_next_try(pack):
    words = "Mend plain input (main.py:7; +1 Criterion 0; this makes `shelf` longer: 28 lines of at most 30)."
    [followed] = follow_advice(pack, (words,), gathered([False], [True]), gathered([True], [True]))
    assert (followed.words, followed.state) == (words, AdviceState.DONE)


def test_advice_on_tests_points_at_no_line_of_the_program(pack):
    score = factories.fact("tests.mutation_score", 0.2, ("main.py", 9, "`<` changed to `<=`"))
    evidence = gathered([True], [True], code__longest_function=9, tests__count=3)
    evidence = evidence.model_copy(update={"facts": (*evidence.facts, score)})
    given = forge_opinion(case_of(pack, evidence)).improvements
    assert "The tests notice 20 % of the faults (+1 Criterion 1)." in given


def test_what_the_program_has_already_is_not_suggested(pack):
    evidence = gathered([True], [True], code__longest_function=9, tests__count=3, tests__mutation_score=1.0)
    files = {"main": "print()\n", "test_main": "import hypothesis\n"}
    submission = factories.submission(**files).model_copy(update={"notes": "It takes 240 ms and 38 MB."})
    given = " ".join(forge_opinion(Case(pack, submission, evidence)).improvements)
    assert "Add one property test" not in given
    assert "write time and memory" not in given
