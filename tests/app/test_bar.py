"""The HP bar: whatever the rubric, damage adds up to the integrity, nothing overlaps, and no verdict changes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.ui.theme.glyphs import ASCII, UNICODE
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.small_hp_bar import SmallHpBar, hp_runs, thick
from evalforge.model.hp_chunks import Part, chunks, integrity
from tests.app.harness import lines

RUBRICS = st.lists(st.integers(1, 9), min_size=1, max_size=8).flatmap(
    lambda tops: st.tuples(st.just(tops), st.tuples(*(st.one_of(st.none(), st.integers(0, top)) for top in tops)))
)
CRITERIA = [Part("a", "Answers", 2), Part("b", "Boundaries", 2), Part("c", "Code", 2), Part("d", "Deeds", 2)]


def laid_out(tops, given_scores):
    parts = [Part(f"c{i}", f"C{i}", top) for i, top in enumerate(tops)]
    scores = {f"c{i}": s for i, s in enumerate(given_scores) if s is not None}
    return chunks(parts, scores, sum(tops)), scores, sum(tops)


@given(RUBRICS)
def test_damage_fills_the_right_end_without_gaps(rubric):
    found, scores, maximum = laid_out(*rubric)
    if found:
        assert found[0].end == pytest.approx(1)
        assert found[-1].start == pytest.approx(1 - integrity(scores, maximum))
    for first, next_one in pairwise(found):
        assert next_one.end == pytest.approx(first.start)


@given(RUBRICS)
def test_every_chunk_is_as_wide_as_its_score(rubric):
    found, scores, maximum = laid_out(*rubric)
    assert {c.part.id for c in found} == {name for name, score in scores.items() if score}
    for chunk in found:
        assert (chunk.end - chunk.start) * maximum == pytest.approx(scores[chunk.part.id])


@given(RUBRICS)
def test_damage_never_moves_once_it_was_struck(rubric):
    tops, given_scores = rubric
    final, _, _ = laid_out(*rubric)
    for count in range(len(tops)):
        early, _, _ = laid_out(tops, (*given_scores[:count], *[None] * (len(tops) - count)))
        assert early == final[: len(early)]


def test_a_negative_score_heals_what_was_struck_last():
    found = chunks(CRITERIA, {"a": 2, "b": 2, "c": -1}, 8)
    assert [(c.part.id, c.start, c.end) for c in found] == [("a", 0.75, 1.0), ("b", 0.625, 0.75)]


class BarApp(App[None]):
    """One bar, and the look it is drawn in."""

    CSS = "HpBar { height: 5; }"

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def compose(self) -> ComposeResult:
        yield HpBar()


async def drawn(scores: dict[str, float], *, glyphs=UNICODE, threshold: float = 6, width: int = 80) -> list[str]:
    """The lines of a bar: numbers, mark, two lines of the bar, names."""
    app = BarApp(Look(glyphs=glyphs))
    async with app.run_test(size=(width, 5)) as pilot:
        bar = app.query_one(HpBar)
        bar.prepare(CRITERIA, threshold, 8, "#d9602b")
        bar.show(scores)
        await pilot.pause()
        return ["".join(segment.text for segment in row) for row in lines(app)]


async def test_before_the_fight_the_bar_is_full():
    numbers, mark, bar, _, names = await drawn({})
    assert "BOSS HP 100 %" in numbers
    assert "falls at 6 of 8" in numbers
    assert mark.index("▾ falls here") == 20
    assert set(bar) == {"█", "▏"}
    assert names.split() == ["▴"]


async def test_no_damage_looks_unhurt():
    before, after = await drawn({}), await drawn(dict.fromkeys("abcd", 0))
    assert after[1:] == before[1:]
    assert "BOSS HP 100 %   DAMAGE 0/8   INTEGRITY 0 %" in after[0]


async def test_what_is_not_judged_is_as_bright_as_what_is_kept():
    half, whole = await drawn({"a": 1}), await drawn({"a": 1, "b": 0, "c": 0, "d": 0})
    assert half[2:4] == whole[2:4]


async def test_names_are_under_their_damage_from_the_right():
    *_, bar, names = await drawn({"a": 2, "b": 1})
    assert names.index("answers") == 61
    assert names.index("bounda") == 51
    assert bar.index("▆") == 51
    assert (bar[50], bar[60]) == (" ", " ")


async def test_past_the_mark_the_rest_is_ash():
    numbers, mark, bar, *_ = await drawn({"a": 2, "b": 2, "c": 2, "d": 0})
    assert "25 % short of a flawless win" in numbers
    assert "fell here" in mark
    assert bar[:20] == "▒" * 20
    assert "█" not in bar


async def test_life_ash_and_damage_differ_in_ascii_too():
    alive, fallen = await drawn({"a": 1}, glyphs=ASCII), await drawn({"a": 2, "b": 2, "c": 2}, glyphs=ASCII)
    assert set(alive[3]) == {"#", "|", ".", " "}
    assert set(fallen[3]) == {"-", ".", " "}


@pytest.mark.parametrize("width", [20, 30, 45, 60, 160])
async def test_life_left_is_said_at_any_width(width):
    assert "BOSS HP 75 %" in (await drawn({"a": 2}, width=width))[0]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_a_small_bar_has_three_textures(glyphs):
    here = Look(glyphs=glyphs)
    up, down = (hp_runs(0.5, 10, here, "steel", fallen=fallen) for fallen in (False, True))
    assert len({up[0][0][0], down[0][0][0], up[1][0][0]}) == 3
    assert [len(text) for text, _ in up] == [5, 5]


def test_a_waiting_hand_in_has_a_full_bar():
    pieces = thick(SmallHpBar(0.0, pass_share=0.75), 20, "#d9602b", Look())
    assert {glyph for text, _ in pieces for glyph in text} == {"█", "▏"}
