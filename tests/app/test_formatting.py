"""Numbers and words: nothing rounds to a lie."""

from datetime import UTC, datetime, timedelta

import pytest

from evalforge.app.ui.text.formatting import boss_state, format_age, gap_to_pass
from evalforge.app.ui.theme.glyphs import ASCII


@pytest.mark.parametrize(
    ("score", "maximum", "drawn"),
    [
        (2, 2, "##"),
        (1, 2, "#o"),
        (0, 2, "oo"),
        (0.5, 1, "+"),
        (1.5, 2, "#+"),
        (5, 10, "##oo"),
        (-1, 2, "oo"),
        (0, 0.5, "oooo"),
    ],
)
def test_pips_show_the_level(score, maximum, drawn):
    assert ASCII.pips(score, maximum) == drawn


@pytest.mark.parametrize(
    ("total", "words"),
    [(8, "defeated"), (7, "1 above the pass mark"), (6, "exactly at the pass mark"), (5.5, "0.5 short of passing")],
)
def test_the_gap_to_the_line_is_said(total, words):
    assert gap_to_pass(total, 6, 8) == words


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(minutes=5), "5 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=3), "3 d ago"),
    ],
)
def test_times_are_told_by_distance(passed, words):
    now = datetime(2030, 1, 15, tzinfo=UTC)
    assert format_age(now - passed, now) == words


def test_any_judged_try_wounds_a_boss_and_a_pass_beats_it():
    states = [
        boss_state(0, None, None),
        boss_state(2, "fail", 1),
        boss_state(2, "pass", 6),
        boss_state(1, "strong_pass", 8),
    ]
    assert states == ["new", "wounded", "defeated", "flawless"]
