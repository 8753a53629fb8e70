"""The progress of a class: a bar and the number of settled rows, and a count of the rows of each status."""

from collections.abc import Sequence

from rich.cells import cell_len

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.levels import bar_text
from evalforge.app.classroom.row_status import STATUSES, status_glyph, status_role, status_word
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading

_MIN_BAR_CELLS, _MAX_BAR_CELLS = 4, 60


class ClassProgress(Heading):
    """Shows the count of settled rows, a bar, and a message at the right end."""

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state = class_state

    def left_runs(self, width: int) -> Sequence[Run]:
        """The count, and a bar that fills the free width."""
        glyphs, total = look(self).glyphs, self._class_state.row_count
        settled_count = self._class_state.settled_count
        count_text = f"{settled_count:>{len(str(total))}} of {total} "
        bar_width = max(_MIN_BAR_CELLS, min(_MAX_BAR_CELLS, width - len(count_text) - 3))
        filled_cells = bar_text(settled_count / total if total else 0.0, bar_width, glyphs)
        empty_cells = glyphs.bar_rest * (bar_width - len(filled_cells))
        return (count_text, "bold ash"), (filled_cells, "ember"), (empty_cells, "faint")


class ClassTally(Heading):
    """Counts the rows of each status, and serves as the legend of the glyphs."""

    def __init__(self, class_state: ClassState, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._class_state = class_state

    def left_runs(self, width: int) -> Sequence[Run]:
        """As much of the legend as fits: its words are dropped before its counts, because every row has them, too."""
        layouts = [
            *(self._count_runs(gap, with_words=True) for gap in (3, 2, 1)),
            self._count_runs(3, with_words=False),
        ]
        free_width = width - (3 if self._right else 0)
        return next((runs for runs in layouts if sum(cell_len(text) for text, _ in runs) <= free_width), layouts[-1])

    def _count_runs(self, gap: int, *, with_words: bool) -> list[Run]:
        glyphs, counts = look(self).glyphs, self._class_state.tally()
        runs: list[Run] = []
        for status in filter(counts.get, STATUSES):
            runs += [
                (" " * gap if runs else "", "dim"),
                (f"{status_glyph(status, glyphs)} ", f"bold {status_role(status)}"),
                (f"{counts[status]}", "bold ash"),
                (f" {status_word(status)}" if with_words else "", "dim"),
            ]
        return runs
