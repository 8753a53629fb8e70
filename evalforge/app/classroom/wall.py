"""Everybody's bar at once: one widget draws them all, and redraws only those that moved."""

import math
from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip

from evalforge.app.classroom.class_state import JUDGING, WAITING, RowState
from evalforge.app.classroom.wall_cell import CellFace, cell
from evalforge.app.classroom.wall_layout import WallGrid, lay_out
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_list import ItemMessage
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import strip
from evalforge.app.ui.widgets.small_hp_bar import SmallHpBar

_FRAME = 1 / 20
_EASE = 7.0
_SETTLED_GAP = 0.004
_MARGIN = 2


class ClassWall(PaintedWidget, can_focus=True):
    """A cell for each row, in reading order; the cursor moves in all four directions."""

    DEFAULT_CSS = """
    ClassWall { height: 1fr; width: 1fr; }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="⏎", id="wall.open"),
        Binding("left,h", "move(-1, 0)", "left", show=False, id="wall.left"),
        Binding("right,l", "move(1, 0)", "right", show=False, id="wall.right"),
        Binding("up,k", "move(0, -1)", "up", show=False, id="wall.up"),
        Binding("down,j", "move(0, 1)", "down", show=False, id="wall.down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="wall.page_up"),
        Binding("pagedown,space", "page(1)", "page down", show=False, id="wall.page_down"),
        Binding("home,g", "end(0)", "first", show=False, id="wall.first"),
        Binding("end,G", "end(-1)", "last", show=False, id="wall.last"),
    ]
    cursor: reactive[int] = reactive(0, repaint=False)

    class Opened(ItemMessage):
        """Posted when the player opens a row."""

    class Pointed(ItemMessage):
        """Posted when the cursor moves to another row."""

    def __init__(self, maximum: float, threshold: float, accent: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._maximum, self._accent = maximum, accent
        self._passes = threshold / maximum if maximum else 1.0
        self._row_states: Sequence[RowState] = ()
        self._index: dict[str, int] = {}
        self._drawn: dict[str, float] = {}
        """The displayed damage shares, which move towards the true ones."""
        self._heat: dict[str, float] = {}
        self._moving: set[str] = set()
        self._grid = WallGrid(1, 1, 1, 1, 1)
        self._top = 0

    def on_mount(self) -> None:
        """Start with the animation paused; frames are drawn only while something moves."""
        self._frames = self.set_interval(_FRAME, self._draw_frame, pause=True)

    # Display

    def show(self, row_states: Sequence[RowState]) -> None:
        """Show these rows in this order; the cursor stays on its row."""
        before = self.selection
        self._row_states = row_states
        self._index = {row_state.row_id: index for index, row_state in enumerate(row_states)}
        for row_state in row_states:
            self._drawn.setdefault(row_state.row_id, row_state.share(self._maximum))
        self._lay_out()
        self.cursor = self._index.get(before, 0)
        self.post_message(self.Pointed(self, self.selection))

    def point(self, row_id: str) -> None:
        """Move the cursor to a row."""
        self.cursor = self._index.get(row_id, self.cursor)

    def update_row(self, row_id: str) -> None:
        """Update a changed row: its bar moves to its new value."""
        row_state = self._row_state(row_id)
        if row_state is None:
            return
        self._moving.add(row_id)
        if (
            look(self).motion is motion.Motion.FULL
            and row_state.share(self._maximum) > self._drawn[row_id] + _SETTLED_GAP
        ):
            self._heat[row_id] = 1.0
        self._frames.resume()

    def settle(self) -> None:
        """Finish all animation at once: every bar shows its true share."""
        for row_state in self._row_states:
            self._drawn[row_state.row_id] = row_state.share(self._maximum)
        self._heat.clear()
        self._moving.clear()
        self.refresh()

    @property
    def selection(self) -> str:
        """The row under the cursor; empty if there is none."""
        return self._row_states[self.cursor].row_id if self.cursor < len(self._row_states) else ""

    @property
    def visible_rows(self) -> tuple[int, int]:
        """The first and last visible row, counted from 1."""
        first, grid = self._top * self._grid.columns, self._grid
        return first + 1, min(len(self._row_states), first + grid.visible_rows * grid.columns)

    @property
    def scrolls(self) -> bool:
        """Whether some rows are out of sight."""
        return self._grid.scrolls

    def _row_state(self, row_id: str) -> RowState | None:
        index = self._index.get(row_id)
        return self._row_states[index] if index is not None else None

    def _lay_out(self) -> None:
        self._grid = lay_out(max(1, self.size.width - 1), max(1, self.size.height), len(self._row_states))
        self._top = min(self._top, max(0, self._grid.rows - self._grid.visible_rows))
        self._follow()
        self._painted.clear()
        self.refresh()

    def on_resize(self) -> None:
        """Lay the cells out for the new size."""
        self._lay_out()

    # Animation

    def _draw_frame(self) -> None:
        """Draw one frame: advance everything that moves, and redraw its cells."""
        settled_ids: set[str] = set()
        moves = look(self).motion is not motion.Motion.NONE and self.screen.is_current
        for row_id in self._moving:
            row_state = self._row_state(row_id)
            target = row_state.share(self._maximum) if row_state else 0.0
            drawn, heat = self._drawn.get(row_id, 0.0), self._heat.get(row_id, 0.0)
            gap = target - drawn
            if not moves or gap <= _SETTLED_GAP:
                self._drawn[row_id] = target
            else:
                self._drawn[row_id] = drawn + gap * (1 - math.exp(-_EASE * _FRAME))
            self._heat[row_id] = max(0.0, heat - _FRAME / motion.GHOST_FADE) if moves else 0.0
            if self._drawn[row_id] == target and not self._heat[row_id]:
                settled_ids.add(row_id)
        self._draw_cells(self._moving)
        self._moving -= settled_ids
        if not self._moving:
            self._frames.pause()

    def _draw_cells(self, row_ids: "set[str]") -> None:
        grid = self._grid
        lines = {self._index[row_id] // grid.columns - self._top for row_id in row_ids if row_id in self._index}
        self.draw_again(line * grid.height + part for line in lines for part in range(grid.height))

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable opening only for a row with an attempt."""
        row_state = self._row_state(self.selection)
        return bool(row_state and row_state.attempt_id) if action == "open" else True

    def action_move(self, across: int, down: int) -> None:
        """Move the cursor; a step past the edge does nothing."""
        target = self.cursor + across + down * self._grid.columns
        if 0 <= target < len(self._row_states):
            self.cursor = target
        elif down > 0 and self.cursor // self._grid.columns < self._grid.rows - 1:
            self.cursor = len(self._row_states) - 1

    def action_page(self, step: int) -> None:
        """Move the cursor by a screenful of cells."""
        step *= self._grid.columns * max(1, self._grid.visible_rows - 1)
        self.cursor = max(0, min(len(self._row_states) - 1, self.cursor + step))

    def action_end(self, index: int) -> None:
        """Move to the first row, or the last."""
        self.cursor = max(0, len(self._row_states) - 1) if index else 0

    def action_open(self) -> None:
        """Open the row under the cursor."""
        self.post_message(self.Opened(self, self.selection))

    def watch_cursor(self) -> None:
        """Keep the cursor in sight and post its move."""
        if not self.is_mounted:
            return
        self._follow()
        self.draw_again()
        self.screen.refresh_bindings()
        self.post_message(self.Pointed(self, self.selection))

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show or hide the cursor."""
        super().watch_has_focus(_has_focus)
        self.refresh()

    def _follow(self) -> None:
        line = self.cursor // self._grid.columns
        self._top = min(max(self._top, line - self._grid.visible_rows + 1), line)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to a clicked cell; a second click opens it."""
        at = event.get_content_offset_capture(self)
        index = self._grid.at(at.x, at.y, self._top)
        if not 0 <= index < len(self._row_states):
            return
        if index == self.cursor and self.check_action("open", ()):
            self.action_open()
        self.cursor = index

    def on_mouse_scroll_down(self) -> None:
        """Scroll down by one line of cells."""
        self._scroll(1)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up by one line of cells."""
        self._scroll(-1)

    def _scroll(self, step: int) -> None:
        self._top = min(max(0, self._top + step), max(0, self._grid.rows - self._grid.visible_rows))
        self.draw_again()
        self.post_message(self.Pointed(self, self.selection))

    # Drawing

    def line(self, y: int) -> Strip:
        """Draw one line of cells and the scrollbar."""
        grid, base = self._grid, self.ground
        row, part = divmod(y, grid.height)
        first = (self._top + row) * grid.columns
        row_states = self._row_states[first : first + grid.columns] if row < grid.visible_rows else ()
        cells = [self._cell(row_state, part, base) for row_state in row_states]
        width = self.size.width
        if not cells:
            return Strip.join([Strip.blank(width - 1, base), self._scrollbar_cell(y, base)])
        line = Strip.join(cells).adjust_cell_length(width - 1, base)
        return Strip.join([line, self._scrollbar_cell(y, base)]).simplify()

    def _scrollbar_cell(self, y: int, base: Style) -> Strip:
        """Draw the scrollbar at the right edge, if some rows are out of sight."""
        grid, palette = self._grid, look(self).palette
        if not grid.scrolls:
            return Strip.blank(1, base)
        high = self.size.height
        size = max(1, high * grid.visible_rows // grid.rows)
        start = round((high - size) * self._top / max(1, grid.rows - grid.visible_rows))
        is_thumb = start <= y < start + size
        return strip([(look(self).glyphs.hairline, palette.style("dim" if is_thumb else "rule"))], 1, base)

    def _cell(self, row_state: RowState, part: int, base: Style) -> Strip:
        here, grid = look(self), self._grid
        at_cursor = self.has_focus and row_state.row_id == self.selection
        width = grid.width - 2 - _MARGIN
        pieces = cell(self._face(row_state), part, grid.height, width, here, at_cursor=at_cursor)
        mark = here.glyphs.cursor if at_cursor and part == 0 else " "
        ground = base + here.palette.style("", on="raised") if at_cursor and pieces else base
        head = strip([(f"{mark} ", here.palette.style("ember", bold=True))], 2, ground)
        return Strip.join([head, strip(pieces or [("", Style())], width, ground), Strip.blank(_MARGIN, base)])

    def _face(self, row_state: RowState) -> CellFace:
        done, planned = row_state.trials
        bar = SmallHpBar(
            self._drawn.get(row_state.row_id, 0.0),
            self._heat.get(row_state.row_id, 0.0),
            done / planned if planned else 0.0,
            row_state.status if row_state.status in (WAITING, JUDGING) else "settled",
            self._passes,
        )
        return CellFace(row_state, bar, self._maximum, self._accent)
