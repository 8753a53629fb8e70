"""Attempts, newest first: a table of any length that holds only the pages it shows."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_STATES, VERDICT_WORDS, format_age
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.hp_bar_cells import hp_runs
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit, fit_tail
from evalforge.model.hp import HpScale
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.model.attempt import AttemptRow


PAGE = 200
_KEPT_PAGES = 16
_BAR, _BAR_LEAST = 20, 4
_MARK, _BOSS, _NUMBER, _VERDICT, _AGE = 3, 22, 7, 12, 16
"""The width of each column in cells."""
Reader = Callable[[int, int], "list[AttemptRow]"]
"""Reads rows: the number to skip, and the number to read at most."""


class AttemptTable(LineList):
    """A table whose rows are read page by page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home,g", "move(-1000000000)", "newest", show=False, id="table.first"),
        Binding("end,G", "move(1000000000)", "oldest", show=False, id="table.last"),
    ]
    LIT_ALWAYS = True

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("open", id=id)
        self._marked = ""
        self._reader: Reader = lambda _start, _limit: []
        self._pages: OrderedDict[int, list[AttemptRow]] = OrderedDict()
        self._with_boss = True
        self._thresholds: Mapping[str, float] = {}

    def show(self, count: int, reader: Reader, thresholds: Mapping[str, float], *, with_boss: bool = True) -> None:
        """Show this many attempts from a reader.

        Args:
            count: Their number.
            reader: Reads a page of them.
            thresholds: The score at which each boss falls, by boss id.
            with_boss: Whether to name the boss.
        """
        self._reader, self._with_boss = reader, with_boss
        self._thresholds = thresholds
        self._pages.clear()
        self.renew(count)

    def mark(self, attempt_id: str) -> None:
        """Mark an attempt; empty marks none."""
        self._marked = attempt_id
        self.refresh()

    def row(self, index: int) -> "AttemptRow | None":
        """Return one row; its page is read if it isn't held."""
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
        return self.row(self.cursor) if self.count else None

    def key_of(self, index: int) -> str:
        """The id of an attempt; empty if it can't be read."""
        row = self.row(index)
        return row.id if row else ""

    def can_open(self, index: int) -> bool:
        """An attempt that was deleted while it was listed can't be opened."""
        return super().can_open(index) and bool(self.key_of(index))

    def _bar(self, row: "AttemptRow", width: int) -> Line:
        """The boss's remaining life as a bar; blank if nothing was scored or its threshold is unknown."""
        threshold = self._thresholds.get(row.boss_id)
        if row.score_total is None or threshold is None:
            return ((" " * width, ""),)
        scale = HpScale(threshold, row.score_max or 0.0)
        life = scale.life(row.score_total, passed=row.verdict in VERDICT_STATES)
        return hp_runs(life, width, look(self), "steel")

    def line(self, y: int) -> Line:
        """Draw a row; if space is short, first the bar shrinks, then the name."""
        row, glyphs, at_cursor = self.row(y), look(self).glyphs, y == self.cursor
        if row is None:
            return ()
        verdict = row.verdict or ""
        spare = self.line_width - _MARK - _NUMBER - _VERDICT - _AGE
        boss = min(_BOSS, spare) if self._with_boss else 0
        bar_width = min(_BAR, spare - boss) if spare - boss >= _BAR_LEAST else 0
        return (
            (glyphs.diamond if row.id == self._marked else " ", "molten"),
            (f"{glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (fit(clean_line(row.boss_title), boss), "bold ash" if at_cursor else "ash"),
            (f"{row.place if row.is_own else 'agent':>5}  ", "dim"),
            (fit(VERDICT_WORDS.get(verdict, row.state.value), _VERDICT), VERDICT_ROLES.get(verdict, "steel")),
            *self._bar(row, bar_width),
            (f"{format_age(row.started_at):>{_AGE - 2}}  ", "dim"),
            (fit_tail(clean_line(short(row.directory)), spare - boss - bar_width - 1, glyphs.ellipsis), "faint"),
        )
