"""What follows from replies: every way ends, nothing is settled twice, nobody is asked for ever."""

import json
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalforge.batch.evaluate.fields import Field, Kind
from evalforge.batch.evaluate.reconcile import ItemReader
from evalforge.batch.evaluate.steps import Job, Step, answered, first_jobs, unusable
from evalforge.batch.evaluate.steps import Kind as Judged

READER = ItemReader((Field("score", Kind.NUMBER, 1, 5),))
JOB = Job("i00001-", Judged.ITEMS, ("a", "b", "c", "d"))


def said(**scores: Any) -> str:
    return json.dumps([{"item_id": key, "score": score, "ambiguous": False} for key, score in scores.items()])


def follow(job: Job, text: str) -> Step:
    return answered(job, text, READER)


def test_a_whole_reply_settles_its_items() -> None:
    step = follow(JOB, said(a=1, b=2, c=3, d=4))
    assert (set(step.scored), step.next, step.given_up) == (set("abcd"), (), {})


def test_missing_and_invalid_items_are_asked_for_once_more_and_then_stay_missing() -> None:
    first = follow(JOB, said(a=1, b=9))
    (again,) = first.next
    assert (again.keys, again.again, again.mends) == (("b", "c", "d"), True, "")
    assert "missing" in again.problem
    second = follow(again, said(b=2, c=0))
    assert (set(second.scored), second.next) == ({"b"}, ())
    assert second.given_up == {"c": "score must be a number from 1 to 5, not 0", "d": "missing"}


def test_who_is_torn_twice_gets_the_lower_score_and_a_mark() -> None:
    torn = json.dumps([{"item_id": "a", "score": score, "ambiguous": False} for score in (4, 2)])
    job = Job("x", Judged.ITEMS, ("a",))
    (again,) = follow(job, torn).next
    step = follow(again, torn)
    assert (step.scored["a"].values["score"], step.scored["a"].ambiguous) == (2, True)


def test_a_malformed_reply_is_salvaged_and_the_rest_asked_for_again() -> None:
    step = follow(JOB, said(a=1, b=2, c=3, d=4)[:-40])
    assert set(step.scored) == set("abc")
    assert [(job.keys, job.mends) for job in step.next] == [(("d",), "")]


def test_a_reply_without_anything_is_mended_once_then_its_batch_is_halved_down_to_single_items() -> None:
    (mend,) = follow(JOB, "no").next
    assert (mend.keys, mend.mends) == (JOB.keys, "no")
    halves = follow(mend, "still no").next
    assert [half.keys for half in halves] == [("a", "b"), ("c", "d")]
    assert not any(half.mends for half in halves)
    single = Job("x", Judged.ITEMS, ("a",), mends="no")
    assert follow(single, "no").given_up == {"a": follow(single, "no").reply.problem}  # type: ignore[union-attr]


def test_a_reply_the_model_would_not_finish_halves_at_once() -> None:
    assert [job.keys for job in unusable(JOB, "declined").next] == [("a", "b"), ("c", "d")]
    assert unusable(Job("x", Judged.ITEMS, ("a",)), "declined").given_up == {"a": "declined"}


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
            step = unusable(job, "declined")
        else:
            text = act if isinstance(act, str) else said(**dict(zip(job.keys, act, strict=False)))
            step = follow(job, text)
        assert not step.scored.keys() & step.given_up.keys()
        settled.update([*step.scored, *step.given_up])
        followed = [key for one in step.next for key in one.keys]
        assert sorted([*step.scored, *step.given_up, *followed]) == sorted(job.keys)
        pending += step.next
    assert settled == Counter("abcdefghi"[:size])
    assert max(calls.values()) == 1
    assert asked <= 8 * size
    assert all(len(call) <= 40 and call.replace("-", "").isalnum() for call in calls)
