"""What became of advice, from the evidence of two tries."""

import pytest

from evalforge.judges.forge import forge_opinion
from evalforge.judges.improvements import follow_advice
from evalforge.model.evidence import Evidence
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.packs.pack import BossPack
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
    before = gathered([True], [False], code__lines=900)
    advice = followed(pack, before, gathered([True], [True], code__lines=800))
    done = advice["Mind the edges"]
    assert done.state is AdviceState.NOT_ENOUGH
    assert done.outcome == "done, but Criterion 0 stays at 1. It is too long (800 lines)."
    assert advice["Make it shorter"].outcome == "begun. It is too long (800 lines)."


def test_what_no_condition_said_is_left_out(pack):
    before = gathered([False], [True])
    assert follow_advice(pack, ("Buy a bigger machine.",), before, gathered([True], [True])) == ()
