"""A reply against what was asked: held beside a second, plainer way to work it out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.fields import Field, FieldType, direction_sign
from evalforge.evaluate.reconcile import ItemReader, SingletonReader, reconcile

READER = ItemReader((Field("score", FieldType.NUMBER, 1, 5),))
SINGLES = SingletonReader((), frozenset({"c1", "7"}))


def reply(*elements: dict[str, Any]) -> str:
    return json.dumps(list(elements))


def said(item_id: Any, score: Any = 3, **more: Any) -> dict[str, Any]:
    return {"item_id": item_id, "score": score, "ambiguous": False, **more}


def test_every_item_gets_its_own_element() -> None:
    found = reconcile(reply(said("a", 4), said(7, 2)), ["7", "a"], READER)
    assert {key: one.values["score"] for key, one in found.valid.items()} == {"a": 4, "7": 2}
    assert not found.problems


def test_what_is_missing_unknown_doubled_or_torn_is_told_apart() -> None:
    text = reply(said("a"), said("a"), said("b", 2), said("b", 4), said("c", 9), said("zz"), said(True), {"score": 3})
    found = reconcile(text, ["a", "b", "c", "d"], READER)
    assert list(found.valid) == ["a"]
    assert found.duplicate_count == 1
    assert found.differing["b"].values["score"] == 2
    assert found.invalid == {"c": "score must be a number from 1 to 5, not 9"}
    assert found.missing == ("d",)
    assert found.unknown_count == 3


def test_an_unusable_element_counts_as_a_second_answer() -> None:
    found = reconcile(reply(said("a", 4), said("a", 9)), ["a"], READER)
    assert not found.valid
    assert list(found.differing) == ["a"]


def test_the_worse_of_two_answers_counts_in_either_direction() -> None:
    text = reply(said("a", 4), said("a", 2), said("a", 3))
    fewer = ItemReader(READER.fields, direction_sign("minimize"))
    assert reconcile(text, ["a"], READER).differing["a"].values["score"] == 2
    assert reconcile(text, ["a"], fewer).differing["a"].values["score"] == 4


def test_who_does_not_say_it_is_sure_is_not() -> None:
    found = reconcile(reply({"item_id": "a", "score": 3}, said("b", ambiguous="no")), ["a", "b"], READER)
    assert [one.ambiguous for one in found.valid.values()] == [False, True]


def test_short_plain_fields_a_judge_adds_are_kept_and_made_safe() -> None:
    found = reconcile(reply(said("a", note="\x1b[2Jvaries", deep={"x": 1})), ["a"], READER)
    assert found.valid["a"].values == {"score": 3, "note": "␛[2Jvaries"}


@pytest.mark.parametrize(
    ("element", "problem"),
    [
        ({"should_cluster": True, "best_cluster_id": "c1", "confidence": 4}, ""),
        ({"should_cluster": True, "best_cluster_id": 7, "confidence": 5}, ""),
        ({"should_cluster": False, "best_cluster_id": None, "confidence": 1}, ""),
        ({"should_cluster": False, "confidence": 1}, ""),
        ({"should_cluster": False, "best_cluster_id": "c1", "confidence": 2}, ""),
        ({"should_cluster": True, "best_cluster_id": None, "confidence": 4}, "must be the id of a cluster"),
        ({"should_cluster": True, "best_cluster_id": "c9", "confidence": 4}, "one of the ids listed, not 'c9'"),
        ({"should_cluster": False, "best_cluster_id": "c9", "confidence": 4}, "one of the ids listed"),
        ({"should_cluster": "yes", "best_cluster_id": "c1", "confidence": 4}, "should_cluster must be true or false"),
        ({"should_cluster": False, "best_cluster_id": None, "confidence": 6}, "confidence must be a whole number"),
        ({"should_cluster": False, "best_cluster_id": None, "confidence": 4.5}, "confidence must be a whole number"),
    ],
)
def test_a_singleton_names_a_cluster_that_exists_or_none(element: dict[str, Any], problem: str) -> None:
    found = reconcile(reply({"item_id": "s", **element}), ["s"], SINGLES)
    assert bool(found.valid) is not bool(problem)
    assert problem in found.problems.get("s", "")


keys = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6, unique=True)
spoken = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([1, 3, 5, 0, 6, "3", None]), st.booleans()), max_size=12
)


@given(keys, spoken)
def test_reconciliation_is_as_a_second_way_works_it_out(
    wanted: list[str], elements: list[tuple[str, Any, bool]]
) -> None:
    text = json.dumps([{"item_id": i, "score": s, "ambiguous": a} for i, s, a in elements])
    found = reconcile(text, wanted, READER)
    for key in wanted:
        mine = {(score, sure) for name, score, sure in elements if name == key}
        good = {entry for entry in mine if entry[0] in (1, 3, 5)}
        state = (
            "missing"
            if not mine
            else "invalid"
            if not good
            else "valid"
            if len(mine) == 1 == len(good)
            else "differing"
        )
        places = {"valid": found.valid, "differing": found.differing, "invalid": found.invalid}
        assert [name for name, place in places.items() if key in place] == ([state] if state != "missing" else [])
        assert (key in found.missing) is (state == "missing")
        if state == "differing":
            assert found.differing[key].values["score"] == min(score for score, _ in good)
    assert found.unknown_count == sum(name not in wanted for name, _, _ in elements)
    assert set(found.problems) | set(found.valid) == set(wanted)
