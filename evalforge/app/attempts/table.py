"""Attempts, newest first: a table of any length that holds only the pages it shows."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, ago
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.model.attempt import AttemptRow

PAGE = 200
_KEPT_PAGES = 16
_BAR, _BAR_LEAST = 12, 4
_MARK, _BOSS, _NUMBER, _VERDICT, _SCORE, _AGO = 3, 22, 7, 12, 8, 16
"""Cells of each column."""
Reader = Callable[[int, int], "list[AttemptRow]"]
"""Reads rows: how many to pass over, how many at most."""


class AttemptTable(ScrollView):
    """Rows come from a reader, page by page."""

    DEFAULT_CSS = """
    AttemptTable { height: 1fr; background: transparent; scrollbar-size: 1 1; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="⏎", id="table.open"),
        Binding("up,k", "move(-1)", "up", show=False, id="table.up"),
        Binding("down,j", "move(1)", "down", show=False, id="table.down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="table.page_up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="table.page_down"),
        Binding("home,g", "move(-1000000000)", "newest", show=False, id="table.first"),
        Binding("end,G", "move(1000000000)", "oldest", show=False, id="table.last"),
    ]
    cursor: reactive[int] = reactive(0)

    class Opened(Message):
        """An attempt was opened."""

        def __init__(self, attempt_id: str) -> None:
            super().__init__()
            self.attempt_id = attempt_id

    class Pointed(Message):
        """The cursor stands on another attempt."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._marked = ""
        self._reader: Reader = lambda _start, _limit: []
        self._count = 0
        self._pages: OrderedDict[int, list[AttemptRow]] = OrderedDict()
        self._with_boss = True

    def show(self, count: int, reader: Reader, *, with_boss: bool = True) -> None:
        """Show this many attempts from a reader."""
        self._count, self._reader, self._with_boss = count, reader, with_boss
        self._pages.clear()
        self.cursor = 0
        self.virtual_size = Size(self._width, count)
        self.scroll_to(0, 0, animate=False)
        self.refresh()

    def mark(self, attempt_id: str) -> None:
        """Mark an attempt; empty marks none."""
        self._marked = attempt_id
        self.refresh()

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    @property
    def count(self) -> int:
        """How many attempts there are."""
        return self._count

    def row(self, index: int) -> "AttemptRow | None":
        """One row; its page is read if it isn't held."""
        page = index // PAGE
        if page not in self._pages:
            self._pages[page] = self._reader(page * PAGE, PAGE)
            while len(self._pages) > _KEPT_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(page)
        rows = self._pages[page]
        return rows[index % PAGE] if index % PAGE < len(rows) else None

    @property
    def selection(self) -> "AttemptRow | None":
        """The row under the cursor."""
        return self.row(self.cursor) if self._count else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to open where there is nothing."""
        return self._count > 0 if action == "open" else True

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        if self._count:
            self.cursor = min(max(self.cursor + step, 0), self._count - 1)

    def action_page(self, step: int) -> None:
        """Move the cursor by a screenful."""
        self.action_move(step * max(1, self.size.height - 1))

    def action_open(self) -> None:
        """Open the row under the cursor."""
        row = self.selection
        if row is not None:
            self.post_message(self.Opened(row.id))

    def watch_cursor(self) -> None:
        """Keep the cursor in sight."""
        self._follow()
        self.refresh()
        self.post_message(self.Pointed())

    def _follow(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, self._width, 1), animate=False, force=True)

    def on_resize(self) -> None:
        """Keep the width, and the cursor in sight."""
        self.virtual_size = Size(self._width, self._count)
        self.call_after_refresh(self._follow)

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked; open it on the second click."""
        index = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if 0 <= index < self._count:
            if index == self.cursor:
                self.action_open()
            self.cursor = index

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        index = self.scroll_offset.y + y
        row = self.row(index) if 0 <= index < self._count else None
        if row is None:
            return Strip.blank(self._width, self.rich_style)
        base = self.rich_style
        if index == self.cursor:
            base += look(self).palette.style("", on="raised")
        return strip(self._pieces(row, at_cursor=index == self.cursor), self._width, base)

    def _pieces(self, row: "AttemptRow", *, at_cursor: bool) -> list[Piece]:
        here = look(self)
        palette, glyphs = here.palette, here.glyphs
        verdict = row.verdict or ""
        words = VERDICT_WORDS.get(verdict, row.state.value)
        role = VERDICT_ROLES.get(verdict, "steel")
        score = (
            f"{format_number(row.score_total)}/{format_number(row.score_max or 0)}"
            if row.score_total is not None
            else ""
        )
        # Where room is short the bar gives way, then the name.
        spare = self._width - _MARK - _NUMBER - _VERDICT - _SCORE - _AGO
        boss = min(_BOSS, spare) if self._with_boss else 0
        bar = min(_BAR, spare - boss) if spare - boss >= _BAR_LEAST else 0
        pieces: list[Piece] = [
            (glyphs.diamond if row.id == self._marked else " ", palette.style("molten")),
            (f"{glyphs.cursor if at_cursor else ' '} ", palette.style("ember", bold=True)),
            (fit(clean_line(row.boss_title), boss), palette.style("ash", bold=at_cursor)),
            (f"{fit(clean_line(row.place), 5) if row.of_class else f'{row.place:>5}'}  ", palette.style("dim")),
            (fit(words, _VERDICT), palette.style(role)),
            (f"{score:>6}  ", palette.style("ash")),
        ]
        struck = round((row.integrity or 0.0) * bar)
        rest = glyphs.bar_rest if row.integrity is not None else " "
        pieces += [
            (glyphs.bar * struck, palette.style("molten")),
            (rest * (bar - struck), palette.style("faint")),
            (f"{ago(row.started_at):>{_AGO - 2}}  ", palette.style("dim")),
        ]
        folder = _tail(clean_line(short(row.directory)), spare - boss - bar - 1, glyphs.ellipsis)
        pieces.append((folder, palette.style("faint")))
        return [*pieces, (" ", Style())]


def _tail(path: str, room: int, ellipsis: str) -> str:
    """The end of a path says more than its beginning."""
    if room < 8:
        return ""
    return path if len(path) <= room else ellipsis + path[-(room - 1) :]
