"""What the tabs of a class share: the state they show, and rows that know the submissions behind them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from evalforge.app.classroom.class_state import ClassState, RowFilter, RowState
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.classroom.report import ClassReport
from evalforge.model.text import clean_line

_MIN_TEXT_CELLS = 8


@dataclass(frozen=True)
class ClassSnapshot:
    """The data to show now. ``report`` is None until every row is settled; ``why_not`` says what it waits for."""

    class_state: ClassState
    row_states: Sequence[RowState]
    row_filter: RowFilter
    report: ClassReport | None = None
    why_not: str = ""


@dataclass(frozen=True)
class TabRow(Row):
    """A row of a tab, and the submissions that it is about.

    Attributes:
        selected_ids: The submissions that a level or a comment would apply to; enter opens the first one.
        listed_ids: The submissions that enter lists in the table instead; empty if it opens one.
        filter_title: What the listed submissions have in common.
        details: Describes the row in full.
    """

    selected_ids: tuple[str, ...] = ()
    listed_ids: frozenset[str] = frozenset()
    filter_title: str = ""
    details: Callable[[], Content] = Content


def heading_row(key: str, title: str, note: str = "", *, role: str = "bold steel", gap_above: bool = False) -> Row:
    """The heading of a section, with a note at its right end; ``gap_above`` puts a blank line above it."""

    def build(width: int) -> Sequence[Line]:
        title_width = max(1, width - cell_len(note) - 1)
        line: Line = ((f"{fit(clean_line(title), title_width)} ", role), (note, "dim"))
        return [(), line] if gap_above else [line]

    return Row(f"head {key}", build, is_static=True)


def hanging_lines(head: str, text: str, width: int, max_lines: int, head_role: str = "bold molten") -> list[Line]:
    """Wrap a text next to its head; code in it is marked."""
    lines = wrap_runs(mark_code(text, "ash"), max(_MIN_TEXT_CELLS, width - cell_len(head)), max_lines)
    return [((" " * cell_len(head) if index else head, head_role), *line) for index, line in enumerate(lines)]
