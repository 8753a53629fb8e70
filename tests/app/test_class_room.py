"""How a class stands, told from its events; which rows are shown; how the wall is laid out."""

import pytest
from rich.cells import cell_len

from evalforge.app.classroom.class_state import (
    ORDERS,
    ROW_GROUPS,
    STATUSES,
    ClassState,
    RowFilter,
    RowState,
    first_words,
    status_glyph,
)
from evalforge.app.classroom.wall import lay_out, wall_cell
from evalforge.app.ui.theme.glyphs import ASCII, UNICODE
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.theme.motion import Motion
from evalforge.app.ui.theme.themes import PALETTES
from evalforge.app.ui.widgets.bar_board import BarGrid, draw_cell
from evalforge.app.ui.widgets.hp_bar_cells import BarMoment, bar_cells
from evalforge.classroom.class_events import ClassOpened, ExpectedRow, RowFight, RowSettled, RowStarted, WorkerReady
from evalforge.classroom.class_row import ClassRow, EarlierResult, RowOutcome
from evalforge.model import events as ev
from evalforge.model.hp import HpScale
from evalforge.packs.pack import BossPack, load_pack
from tests.app.harness import FORGE, story, write_pack

NAMES = ("ash", "birch", "cedar", "dogwood")


@pytest.fixture
def pack(tmp_path) -> BossPack:
    return load_pack(write_pack(tmp_path, "golem", "Stone Golem"))


@pytest.fixture
def class_state(pack) -> ClassState:
    """A class of four, none settled."""
    class_state = ClassState(pack.rubric, "/x/class")
    rows = tuple(ExpectedRow(row_id=name, title=name.title()) for name in NAMES)
    class_state.add_event(
        ClassOpened(
            run=1, label="c", boss_id="golem", title="G", judge=FORGE, workers=2, found_as="folders", rows=rows
        )
    )  # fmt: skip
    return class_state


def settled(pack: BossPack, row_id: str, levels: tuple[int, int, int], **more) -> RowSettled:
    judged = next(event for event in story(pack, levels) if isinstance(event, ev.Judged))
    row = ClassRow(row_id=row_id, outcome=RowOutcome.JUDGED, judged=judged.result, attempt_id=f"id-{row_id}", **more)
    return RowSettled(row=row, done=1, total=4, seconds_left=12.0)


def unusable(row_id: str, reason: str) -> RowSettled:
    return RowSettled(row=ClassRow(row_id=row_id, outcome=RowOutcome.UNUSABLE, reason=reason), done=2, total=4)


def test_a_bar_moves_with_every_criterion_that_strikes(pack, class_state):
    ash = class_state.row_states["ash"]
    assert ash.status == "waiting"
    assert class_state.add_event(RowStarted(row_id="ash", worker=0)) == "ash"
    lives = []
    for event in story(pack, (2, 1, 0)):
        class_state.add_event(RowFight(row_id="ash", event=event))
        lives.append(ash.life(HpScale(4, 6)))
    assert ash.status == "judging"
    assert ash.trials == (2, 2)
    assert sorted(set(lives)) == pytest.approx([0.25, 0.5, 1])


def test_a_settled_row_shows_its_verdict_or_a_reason(pack, class_state):
    class_state.add_event(settled(pack, "ash", (2, 2, 2)))
    class_state.add_event(unusable("birch", "/x/class/birch.zip is damaged."))
    assert [class_state.row_states[name].status for name in NAMES[:3]] == ["strong_pass", "unusable", "waiting"]
    assert class_state.row_states["birch"].reason == "birch.zip is damaged."
    assert class_state.tally() == {"strong_pass": 1, "unusable": 1, "waiting": 2}


def test_what_a_stopped_run_let_go_of_waits_again(pack, class_state):
    class_state.add_event(settled(pack, "ash", (2, 2, 2)))
    class_state.add_event(RowStarted(row_id="birch", worker=0))
    for event in story(pack, (2, 1, 0))[:8]:
        class_state.add_event(RowFight(row_id="birch", event=event))
    class_state.mark_stopped()
    assert [class_state.row_states[name].status for name in NAMES[:2]] == ["strong_pass", "waiting"]
    assert class_state.row_states["birch"].total == 0


def test_a_worker_that_is_not_shut_in_is_told(class_state):
    class_state.add_event(WorkerReady(worker=0, isolation="full"))
    assert class_state.warnings == []
    class_state.add_event(WorkerReady(worker=1, isolation="", place="there", note="No cage."))
    class_state.add_event(WorkerReady(worker=2, isolation="", place="there", note="No cage."))
    assert class_state.warnings == ["At there: isolation none. No cage."]


def test_rows_are_found_filtered_and_sorted(pack, class_state):
    class_state.add_event(settled(pack, "ash", (2, 2, 2), email="tree@x.example"))
    before = EarlierResult(attempt_id="e", score_total=6, score_max=6, verdict="strong_pass", causes=("submission",))
    class_state.add_event(settled(pack, "cedar", (0, 1, 0), earlier=before))
    class_state.add_event(unusable("birch", "No Python file."))
    everybody = list(class_state.row_states.values())

    def names(**wanted) -> list[str]:
        return [row_state.row_id for row_state in RowFilter(**wanted).select_rows(everybody)]

    assert names() == list(NAMES)
    assert names(search_text="TREE@") == ["ash"]
    assert names(search_text="python") == ["birch"]
    assert names(group="passed") == ["ash"]
    assert names(group="not passed") == ["cedar"]
    assert names(group="no score") == ["birch"]
    assert names(group="moved") == ["cedar"]
    assert names(only=frozenset({"dogwood"})) == ["dogwood"]
    assert names(order="worst first") == ["cedar", "ash", "birch", "dogwood"]
    assert names(order="best first") == ["ash", "cedar", "birch", "dogwood"]
    assert names(order="c1")[:2] == ["cedar", "ash"]


def test_choices_and_orders_come_round(pack):
    row_filter, groups, orders = RowFilter(), [], []
    for _ in ROW_GROUPS:
        row_filter = row_filter.next_group()
        groups.append(row_filter.group)
    for _ in range(len(ORDERS) + 3):
        row_filter = row_filter.next_order(pack.rubric)
        orders.append(row_filter.order)
    assert row_filter == RowFilter()
    assert set(groups) == set(ROW_GROUPS)
    assert {"c0", "c1", "c2"} < set(orders)


def test_every_state_has_a_sign_of_its_own_in_ascii_too():
    for glyphs in (UNICODE, ASCII):
        signs = [status_glyph(status, glyphs) for status in STATUSES]
        assert len(set(signs)) == len(STATUSES)
        assert all(cell_len(one) == 1 for one in signs)
    assert all(status_glyph(status, ASCII).isascii() for status in STATUSES)


@pytest.mark.parametrize("size", [(76, 14), (134, 30), (56, 8)])
@pytest.mark.parametrize("count", [1, 10, 45, 300])
def test_cells_are_as_large_as_fits_everybody(size, count):
    width, height = size
    grid = lay_out(width, height, count)
    assert grid.columns * grid.width <= width
    assert grid.columns * grid.rows >= count > grid.columns * (grid.rows - 1)
    assert not grid.scrolls or grid.height == 1
    indices = {grid.at(x, y) for y in range(grid.rows * grid.height) for x in range(width)} - {-1}
    assert set(range(count)) <= indices


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("palette", PALETTES.values())
def test_a_bar_is_exactly_as_wide_as_its_room(glyphs, palette):
    here = Look(palette, glyphs, Motion.FULL)
    for before in range(9):
        for now in range(9):
            for rows in (1, 2):
                moment = BarMoment(now / 8, before / 8, heat=0.5, cracked=0.3)
                text = "".join(piece for piece, _ in bar_cells(moment, 23, here, "#d9602b", rows - 1, rows))
                assert cell_len(text) == 23


@pytest.mark.parametrize("height", [1, 2, 3, 4, 5])
def test_a_cell_of_any_size_has_name_and_score_or_reason(pack, class_state, height):
    here = Look()
    class_state.add_event(settled(pack, "ash", (2, 1, 0)))
    class_state.add_event(unusable("birch", "No Python file."))

    def said(row_state: RowState) -> str:
        cell = wall_cell(row_state, HpScale(4, 6), here.glyphs)
        grid = BarGrid(1, 38, height, 1, 2 if height == 5 else 1)
        parts = draw_cell(cell, BarMoment(0.5, 0.5), "#d9602b", grid, here)
        assert len(parts) <= height
        assert all(sum(cell_len(text) for text, _ in pieces) in (0, 1, 34) for pieces in parts)
        return "\n".join("".join(text for text, _ in pieces) for pieces in parts)

    assert "Ash" in said(class_state.row_states["ash"])
    assert "3/6" in said(class_state.row_states["ash"])
    assert "unusable" in said(class_state.row_states["birch"])
    if height > 1:
        assert "No Python file." in said(class_state.row_states["birch"])


def test_a_label_is_cut_between_words():
    assert first_words("Correctness & CLI semantics", 11) == "correctness"
    assert first_words("Robustness, logging & errors", 12) == "robustness"
    assert first_words("Stands its ground", 14) == "stands"
    assert first_words("Tests", 3) == "tests"
