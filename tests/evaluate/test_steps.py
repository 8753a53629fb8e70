"""What follows from replies: every way ends, nothing is settled twice, nobody is asked for ever."""

import json
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.fields import Field, FieldType
from evalforge.evaluate.reconcile import ItemReader
from evalforge.evaluate.steps import Job, ReplyConsequences, first_jobs, step_after_reply, step_after_unusable_call
from evalforge.evaluate.steps import JobKind as Judged

READER = ItemReader((Field("score", FieldType.NUMBER, 1, 5),))
JOB = Job("i00001-", Judged.ITEMS, ("a", "b", "c", "d"))


def said(**scores: Any) -> str:
    return json.dumps([{"item_id": key, "score": score, "ambiguous": False} for key, score in scores.items()])


def follow(job: Job, text: str) -> ReplyConsequences:
    return step_after_reply(job, text, READER)


def test_a_whole_reply_settles_its_items() -> None:
    step = follow(JOB, said(a=1, b=2, c=3, d=4))
    assert (set(step.scored), step.follow_ups, step.given_up) == (set("abcd"), (), {})


def test_missing_and_invalid_items_are_asked_for_once_more() -> None:
    first = follow(JOB, said(a=1, b=9))
    (again,) = first.follow_ups
    assert (again.keys, again.is_second_request, again.malformed_reply) == (("b", "c", "d"), True, "")
    assert "missing" in again.problem
    second = follow(again, said(b=2, c=0))
    assert (set(second.scored), second.follow_ups) == ({"b"}, ())
    assert second.given_up == {"c": "score must be a number from 1 to 5, not 0", "d": "missing"}


def test_who_is_torn_twice_gets_the_lower_score_and_a_mark() -> None:
    torn = json.dumps([{"item_id": "a", "score": score, "ambiguous": False} for score in (4, 2)])
    job = Job("x", Judged.ITEMS, ("a",))
    (again,) = follow(job, torn).follow_ups
    step = follow(again, torn)
    assert (step.scored["a"].values["score"], step.scored["a"].ambiguous) == (2, True)


def test_a_malformed_reply_is_salvaged_and_the_rest_asked_again() -> None:
    step = follow(JOB, said(a=1, b=2, c=3, d=4)[:-40])
    assert set(step.scored) == set("abc")
    assert [(job.keys, job.malformed_reply) for job in step.follow_ups] == [(("d",), "")]


def test_an_empty_reply_is_repaired_once_then_its_batch_halved() -> None:
    (mend,) = follow(JOB, "no").follow_ups
    assert (mend.keys, mend.malformed_reply) == (JOB.keys, "no")
    halves = follow(mend, "still no").follow_ups
    assert [half.keys for half in halves] == [("a", "b"), ("c", "d")]
    assert not any(half.malformed_reply for half in halves)
    single = Job("x", Judged.ITEMS, ("a",), malformed_reply="no")
    assert follow(single, "no").given_up == {"a": follow(single, "no").reply.problem}  # type: ignore[union-attr]


def test_a_reply_the_model_would_not_finish_halves_at_once() -> None:
    assert [job.keys for job in step_after_unusable_call(JOB, "declined").follow_ups] == [("a", "b"), ("c", "d")]
    assert step_after_unusable_call(Job("x", Judged.ITEMS, ("a",)), "declined").given_up == {"a": "declined"}


NOTHING = "no"
scripts = st.lists(st.one_of(st.just(NOTHING), st.just(None), st.lists(st.sampled_from([0, 1, 5]), max_size=9)))


@given(st.integers(1, 9), scripts)
def test_every_way_ends_with_each_item_settled_once(size: int, script: list[Any]) -> None:
    (job,) = first_jobs(Judged.ITEMS, [tuple("abcdefghi"[:size])])
    pending, calls, settled = [job], Counter[str](), Counter[str]()
    asked, turn = 0, 0
    while pending:
        job = pending.pop()
        calls[job.call] += 1
        asked += 1
        # Whatever the script, then nothing but rubbish: the worst judge there is.
        act = script[turn] if turn < len(script) else NOTHING
        turn += 1
        if act is None:
            step = step_after_unusable_call(job, "declined")
        else:
            text = act if isinstance(act, str) else said(**dict(zip(job.keys, act, strict=False)))
            step = follow(job, text)
        assert not step.scored.keys() & step.given_up.keys()
        settled.update([*step.scored, *step.given_up])
        followed = [key for one in step.follow_ups for key in one.keys]
        assert sorted([*step.scored, *step.given_up, *followed]) == sorted(job.keys)
        pending += step.follow_ups
    assert settled == Counter("abcdefghi"[:size])
    assert max(calls.values()) == 1
    assert asked <= 8 * size
    assert all(len(call) <= 40 and call.replace("-", "").isalnum() for call in calls)
