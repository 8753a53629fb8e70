"""The HP bar: zero is the pass mark, whatever the rubric; what is struck off is a track, what is beyond it is gold."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.ui.theme.glyphs import ASCII, UNICODE
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.widgets.hp_bar_cells import BarMoment, bar_cells, hp_runs
from evalforge.model.hp import HpScale, Part, StrikeBook, life_cells
from tests.app.harness import lines

SCORES = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-2, 9)), max_size=12)
CRITERIA = [Part("a", "Answers", 2), Part("b", "Boundaries", 2), Part("c", "Code", 2), Part("d", "Deeds", 2)]


def book_of(scores):
    book = StrikeBook()
    for criterion_id, score in scores:
        book.enter(criterion_id, score)
    return book


@pytest.mark.parametrize(
    ("threshold", "total", "life", "gold"),
    [
        (6, 0, 1.0, 0), (6, 3, 0.5, 0), (6, 5, 1 / 6, 0), (6, 6, 0.0, 0), (6, 7, 0.0, 1), (6, 8, 0.0, 2),
        (6, -1, 1.0, 0), (0, 0, 0.0, 0), (0, 3, 0.0, 3), (0.3, 0.1 + 0.2, 0.0, 0), (8, 8, 0.0, 0),
    ],
)  # fmt: skip
def test_life_is_gone_at_the_pass_mark(threshold, total, life, gold):
    scale = HpScale(threshold, 8)
    assert scale.life(total) == pytest.approx(life)
    assert scale.gold(total) == pytest.approx(gold)
    assert scale.has_fallen(total) is (life == 0)


@given(SCORES)
def test_chunks_add_up_to_the_total(scores):
    book = book_of(scores)
    assert book.total == pytest.approx(sum(dict(scores).values()))
    chunks = book.chunks()
    for first, following in pairwise(chunks):
        assert following.start == pytest.approx(first.end)
    if all(score >= 0 for _, score in scores):
        assert sum(chunk.end - chunk.start for chunk in chunks) == pytest.approx(book.total)


@given(SCORES)
def test_every_chunk_is_as_wide_as_its_score(scores):
    positive = [(name, abs(score)) for name, score in scores]
    book = book_of(positive)
    for name, score in dict(positive).items():
        width = sum(chunk.end - chunk.start for chunk in book.chunks() if chunk.criterion_id == name)
        assert width == pytest.approx(score)


def test_a_criterion_that_falls_gives_its_own_points_back():
    book = book_of([("a", 2), ("b", 2), ("a", 1)])
    assert [tuple(chunk) for chunk in book.chunks()] == [("a", 0, 1), ("b", 1, 3)]


def test_a_negative_score_covers_what_was_struck_last():
    book = book_of([("a", 2), ("b", 2), ("c", -1)])
    assert [tuple(chunk) for chunk in book.chunks()] == [("a", 0, 2), ("b", 2, 3)]


@given(st.floats(0, 1), st.integers(2, 200))
def test_no_first_blow_and_no_last_life_is_rounded_away(life, width):
    cells = life_cells(life, width)
    assert (cells == 0) is (life == 0)
    assert (cells == width) is (life == 1)


class BarApp(App[None]):
    """One bar as high as the screen, and the look it is drawn in."""

    CSS = "HpBar { height: 1fr; }"

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def compose(self) -> ComposeResult:
        yield HpBar()


async def drawn(
    scores, *, glyphs=UNICODE, threshold=6, width=80, before=None, notches=(None, None, None), height=6
) -> list[str]:
    """The lines of a bar: number, notches, two lines of the bar, names, gold."""
    app = BarApp(Look(glyphs=glyphs))
    async with app.run_test(size=(width, height)) as pilot:
        bar = app.query_one(HpBar)
        bar.prepare(CRITERIA, HpScale(threshold, 8), "#d9602b")
        bar.show(scores if before is None else before)
        bar.show_notches(*notches)
        for name, score in scores.items():
            bar.strike(name, score, at_once=True)
        await pilot.pause()
        return ["".join(segment.text for segment in row) for row in lines(app)]


async def test_before_the_fight_the_bar_is_full():
    number, notches, top, bottom, names, gold = await drawn({})
    assert number.split() == ["HP", "100", "%"]
    assert not notches.strip()
    assert (set(top), set(bottom)) == ({"█"}, {"█"})
    assert not names.strip()
    assert gold.split()[1] == "flawless"
    assert "of" not in gold


async def test_no_points_look_unhurt():
    assert await drawn({}) == await drawn(dict.fromkeys("abcd", 0))


async def test_the_track_is_thin_and_named_by_what_struck():
    number, _, top, bottom, names, _ = await drawn({"a": 2, "b": 1}, before={})
    assert "HP 50 %" in number
    assert top == "█" * 40 + "▂" * 40
    assert bottom.rstrip() == "█" * 40
    assert names.index("answers") == 53
    assert names.index("boundaries") == 40


async def test_names_are_whole_or_not_there():
    *_, names, _ = await drawn({"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}, width=40)
    assert set(names.split()) <= {"answers", "boundaries", "code", "deeds"}


async def test_past_the_mark_there_is_gold():
    number, _, top, _, _, gold = await drawn({"a": 2, "b": 2, "c": 2, "d": 1})
    assert number.strip() == "DOWN"
    assert "█" not in top
    assert gold.count("━") == 12
    assert "1 of 2" in gold
    number, *_ = await drawn(dict.fromkeys("abcd", 2))
    assert number.strip() == "FLAWLESS"


async def test_a_boss_that_is_down_at_the_maximum_has_no_gold_line():
    *_, gold = await drawn(dict.fromkeys("abcd", 2), threshold=8)
    assert not gold.strip()


async def test_what_heals_says_so_at_its_place():
    number, notches, top, _, names, _ = await drawn({"a": 2, "b": 0}, before={"a": 2, "b": 2}, notches=(4, 5, None))
    assert "HP 67 %" in number
    assert top.count("█") == 53
    assert notches.index("╷ last time") == 27
    assert notches.index("★ your best") == 13
    assert "▲ boundaries heals" in names
    assert names.index("▲") < 53


@pytest.mark.parametrize(
    ("notches", "line"),
    [
        ((2, None, None), "HP 50 %" + " " * 46 + "╷ last time"),
        ((2, 5, 5), "HP 50 %      ◐ sparring, your best" + " " * 19 + "╷ last time"),
        ((6, None, None), "╷ last time" + " " * 62 + "HP 50 %"),
    ],
)
async def test_where_space_is_short_number_and_notches_share_a_line(notches, line):
    shown = await drawn({"a": 2, "b": 1}, height=4, notches=notches)
    assert shown[0].rstrip() == line


async def test_down_is_apart_from_the_words_of_a_notch():
    shown = await drawn({"a": 2, "b": 2, "c": 2}, height=4, notches=(5, None, None))
    assert "DOWN" in shown[0][-5:]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_the_track_is_heavier_where_this_attempt_struck(glyphs):
    _, _, track, *_ = await drawn({"a": 2, "b": 1}, before={"a": 2}, glyphs=glyphs)
    cells = track[40:].rstrip()
    assert len(set(cells)) == 2
    assert set(cells[:13]) == {glyphs.bar_struck}
    assert set(cells[14:]) == {glyphs.bar_rest}


async def test_only_what_struck_now_is_named():
    *_, names, _ = await drawn({"a": 2, "b": 1}, before={"a": 2})
    assert names.split() == ["boundaries"]


async def test_a_criterion_that_struck_twice_is_named_once():
    *_, names, _ = await drawn({"a": 2, "b": 2}, before={"a": 1, "b": 2})
    assert names.count("answers") == 1


async def test_life_and_track_differ_in_ascii_too():
    alive = await drawn({"a": 1}, glyphs=ASCII)
    assert set(alive[2]) == {"#", "."}
    assert set(alive[3].strip()) == {"#"}


@pytest.mark.parametrize("width", [20, 30, 45, 60, 160])
async def test_life_left_is_said_at_any_width(width):
    assert "HP 67 %" in (await drawn({"a": 2}, width=width))[0]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_a_small_bar_has_two_textures(glyphs):
    (alive, _), (track, _) = hp_runs(0.5, 10, Look(glyphs=glyphs), "steel")
    assert alive[0] != track[0]
    assert (len(alive), len(track)) == (5, 5)


def test_cracks_are_one_cell_in_three():
    cells = bar_cells(BarMoment(1.0, 1.0, cracked=0.3), 30, Look(), "#d9602b")
    assert "".join(text for text, _ in cells) == "█" * 23 + "▓██▓██▓"


def test_a_blow_leaves_a_ghost_and_a_heal_is_blood():
    here = Look()
    blood, ghost = here.palette.style("blood"), here.palette.style(here.palette.mix("ground", "flash", 1.0))
    struck = bar_cells(BarMoment(0.5, 1.0, heat=1.0), 10, here, "#d9602b")
    healed = bar_cells(BarMoment(1.0, 0.5, heat=1.0), 10, here, "#d9602b")
    assert [style for _, style in struck[5:]] == [ghost] * 5
    assert [style for _, style in healed[5:]] == [blood] * 5
