"""Lines as they are painted: what fits, what is cut, what differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from evalforge.app.ui.widgets.painting import brief, difference, fit_ends

TEXT = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=30)


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("student-007", 7, "st…-007"), ("ann", 7, "ann    "), ("student-007", 11, "student-007"), ("student", 3, "st…")],
)
def test_a_long_name_keeps_both_ends(text: str, width: int, shown: str) -> None:
    assert fit_ends(text, width) == shown


@given(TEXT, st.integers(1, 40))
def test_it_takes_exactly_its_room(text: str, width: int) -> None:
    assert cell_len(fit_ends(text, width)) == width


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("tests & verification", 20, "tests & verification"),
        ("tests & verification", 19, "tests"),
        ("robustness, logging & errors", 12, "robustness"),
        ("robustness, logging & errors", 9, "robustne…"),
        ("errors and tests", 8, "errors"),
        ("flat memory", 10, "flat memo…"),
    ],
)
def test_a_name_is_cut_where_it_joins_two_things(name: str, width: int, shown: str) -> None:
    assert brief(name, width) == shown


@given(TEXT, st.integers(1, 40))
def test_a_brief_name_is_never_wider_than_its_room(text: str, width: int) -> None:
    assert cell_len(brief(text, width)) <= width


@given(TEXT, TEXT)
def test_lines_differ_from_first_to_last_changed_cell(one: str, two: str) -> None:
    bold = Style(bold=True)
    before, now = Strip([Segment(one.ljust(30), bold)]), Strip([Segment(two.ljust(30), bold)])
    apart = difference(before, now)
    if before.text == now.text:
        assert apart is None
    elif before.cell_length == now.cell_length:
        assert apart is not None
        start, size = apart
        assert before.crop(0, start).text == now.crop(0, start).text
        assert before.crop(start + size).text == now.crop(start + size).text
