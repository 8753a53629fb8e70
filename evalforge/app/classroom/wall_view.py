"""The tab with everybody's bar, and below it a description of the row under the cursor."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.class_table import table_rows
from evalforge.app.classroom.row_status import first_words
from evalforge.app.classroom.tab_rows import TabRow
from evalforge.app.classroom.views import ClassView
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.ui.text.formatting import VERDICT_WORDS
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.row_list import Row
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.text import clean_line

_LABEL_CELLS = 14


class WallView(ClassView):
    """Everybody's bar, and below it a description of the row under the cursor."""

    def __init__(self, class_state: ClassState, accent: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(table_rows, id=id)
        self._class_state, self._accent = class_state, accent
        self._row_states: Sequence[RowState] = ()

    def compose(self) -> ComposeResult:
        """Compose the wall and the line that describes the selected row."""
        rubric = self._class_state.rubric
        yield ClassWall(rubric.max_score, rubric.overall.pass_threshold, self._accent)
        yield Heading()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows as bars; those that stay in place move to their new values by themselves."""
        wall = self.query_one(ClassWall)
        row_states = [self._class_state.row_states[row.key] for row in rows if isinstance(row, TabRow)]
        if row_states != self._row_states:
            self._row_states = row_states
            wall.show(row_states)
        self._describe_row()

    @on(LineList.Pointed)
    def _describe_row(self) -> None:
        row = self.find_row(self.query_one(ClassWall).key)
        row_state = self._class_state.row_states[row.key] if row else None
        if row_state is None:
            message = "Nobody matches." if self._class_state.row_states else ""
            self.query_one(Heading).set_text([(message, "dim")], [])
            return
        description = [(row_state.title, "bold ash"), (f"  {_summary(row_state)}", "dim")]
        description.append((f"   {_levels(row_state, self._class_state)}", "faint"))
        self.query_one(Heading).set_text(description, [(self.query_one(ClassWall).page_text, "faint")])


def _levels(row_state: RowState, class_state: ClassState) -> str:
    """A row's levels in all criteria, in one line."""
    result = row_state.result
    labels = class_state.rubric.labels
    return ", ".join(
        f"{first_words(labels.get(criterion.id, criterion.id), _LABEL_CELLS)} {format_number(criterion.score)}"
        for criterion in (result.criteria if result else ())
    )


def _summary(row_state: RowState) -> str:
    """A row in one line: its score and what deserves attention."""
    row, result = row_state.row, row_state.result
    if row is None:
        return "is being judged" if row_state.is_judging else "waits its turn"
    if result is None:
        return clean_line(f"{row.outcome.value}: {row_state.reason}")
    parts = [
        f"{format_number(result.score_total)} of {format_number(result.score_max)}",
        VERDICT_WORDS[result.verdict.value],
    ]
    if row.has_changed and row.earlier:
        parts.append(f"{format_signed(result.score_total - row.earlier.score_total)} since last time")
    if row_state.overridden_ids and row.judged:
        parts.append(f"judged {format_number(row.judged.score_total)}, set by a person")
    if not row.fresh:
        parts.append("unchanged")
    return ", ".join([*parts, *map(clean_line, row.flags)])
