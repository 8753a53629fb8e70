"""The progress of a class: a bar, the number of settled rows, and the time left."""

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.levels import bar_cells
from evalforge.app.classroom.row_status import STATUSES, status_glyph, status_role, status_word
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, spread
from evalforge.model.text import clean_line


class ClassProgress(Widget):
    """Shows a bar, the count of settled rows, and a message on one line."""

    DEFAULT_CSS = """
    ClassProgress { height: 1; padding: 0 1; }
    """

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state, self._message, self._role = class_state, "", "dim"

    def show_message(self, message: str, role: str = "dim") -> None:
        """Show a message at the end of the line."""
        self._message, self._role = clean_line(message), role
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the count, the bar and the message."""
        here, width, class_state = look(self), self.size.width, self._class_state
        palette, glyphs = here.palette, here.glyphs
        count_text = f"{class_state.done:>{len(str(class_state.total))}} of {class_state.total} "
        end: list[Piece] = [(self._message, palette.style(self._role, bold=self._role == "ember"))]
        bar_width = max(4, min(60, width - len(count_text) - cell_len(self._message) - 3))
        filled_cells = bar_cells(class_state.done / class_state.total if class_state.total else 0.0, bar_width, glyphs)
        empty_cells = glyphs.bar_rest * (bar_width - len(filled_cells))
        bar: list[Piece] = [(filled_cells, palette.style("ember")), (empty_cells, palette.style("faint"))]
        return spread([(count_text, palette.style("ash", bold=True)), *bar], end, width, self.rich_style)


class ClassTally(Widget):
    """Counts the rows of each status, and serves as the legend of the signs."""

    DEFAULT_CSS = """
    ClassTally { height: 1; padding: 0 1; }
    """

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state, self._time_left = class_state, ""

    def show_time_left(self, time_left: str) -> None:
        """Show the time left at the end of the line."""
        self._time_left = clean_line(time_left)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a count for each status, and the time left."""
        right: list[Piece] = [(self._time_left, look(self).palette.style("faint"))] if self._time_left else []
        free_width = self.size.width - cell_len(self._time_left) - (3 if self._time_left else 0)
        # The signs appear with their words in every row; so here words are dropped before counts.
        layouts = [self._counts(gap, with_words=words) for gap, words in ((3, True), (2, True), (1, True), (3, False))]
        pieces = next(
            (layout for layout in layouts if sum(cell_len(text) for text, _ in layout) <= free_width), layouts[-1]
        )
        return spread(pieces, right, self.size.width, self.rich_style)

    def _counts(self, gap: int, *, with_words: bool) -> list[Piece]:
        here, counts = look(self), self._class_state.tally()
        palette = here.palette
        counters: list[Piece] = []
        for status in STATUSES:
            if counts[status]:
                counters += [
                    (" " * gap if counters else "", palette.style("dim")),
                    (f"{status_glyph(status, here.glyphs)} ", palette.style(status_role(status), bold=True)),
                    (f"{counts[status]}", palette.style("ash", bold=True)),
                    (f" {status_word(status)}" if with_words else "", palette.style("dim")),
                ]
        return counters
