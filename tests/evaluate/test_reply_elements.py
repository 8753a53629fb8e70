"""A reply's elements: what is complete and valid is found, wherever it stands; what isn't is never made up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.reconcile import parse_elements

ONE = {"item_id": "a", "score": 4, "ambiguous": False}
TWO = {"item_id": 7, "score": 2, "note": 'brackets ] } and "quotes"', "ambiguous": True}
GOOD = json.dumps([ONE, TWO])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"Here it is:\n```\n{GOOD}\n```\nI hope it helps.",
        f"Here it is: {GOOD} That's all.",
        json.dumps({"items": [ONE, TWO]}),
    ],
)
def test_a_whole_array_is_read_whatever_stands_around_it(text: str) -> None:
    assert parse_elements(text).elements == (ONE, TWO)
    assert parse_elements(text).problem == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (GOOD[:-1], (ONE, TWO)),
        (GOOD[:-20], (ONE,)),
        (GOOD.replace('"score": 4', '"score": four'), (TWO,)),
        (GOOD.replace('"score": 4', '"score": NaN'), (TWO,)),
        (GOOD.replace('"score": 4', '"score": 4, "score": 5'), (TWO,)),
        (GOOD.replace("}, {", "} {"), (ONE, TWO)),
        ("\n".join(map(json.dumps, (ONE, TWO))), (ONE, TWO)),
        ("It's \"hard: " + GOOD[1:], (ONE, TWO)),
        ('{"items": [' + json.dumps(ONE), (ONE,)),
        (f"{GOOD}\n{GOOD[:-1]}", (ONE, TWO, ONE, TWO)),
        ("I can't judge these.", ()),
        ("", ()),
        ("[" * 100_000, ()),
        ("{" * 100_000, ()),
        ('{"a":' * 30_000, ()),
    ],
)
def test_what_is_malformed_is_salvaged_element_by_element(text: str, found: tuple[Any, ...]) -> None:
    read = parse_elements(text)
    assert read.elements == found
    assert read.problem


def test_a_single_element_by_itself_is_one() -> None:
    assert parse_elements(json.dumps(ONE)).elements == (ONE,)


values = st.one_of(st.booleans(), st.integers(-9, 9), st.text(max_size=12), st.none())
replies = st.lists(
    st.dictionaries(st.sampled_from(["score", "note", "x"]), values).map(lambda more: {"item_id": "i", **more}),
    max_size=6,
)


@given(replies, st.data())
def test_a_cut_reply_gives_exactly_its_whole_elements(reply: list[dict[str, Any]], data: st.DataObject) -> None:
    text = json.dumps(reply)
    cut = data.draw(st.integers(0, len(text)))
    found = parse_elements(text[:cut]).elements
    ends, position = [], 1
    for element in reply:
        position += len(json.dumps(element))
        ends.append(position)
        position += 2
    assert found == tuple(reply[: sum(end <= cut for end in ends)])


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert all("item_id" in element or not parse_elements(text).problem for element in parse_elements(text).elements)
