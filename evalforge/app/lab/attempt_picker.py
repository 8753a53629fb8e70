"""A dialog for the past attempts that are scored in the lab, besides the exemplars."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.formatting import VERDICT_WORDS, format_age
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.model.attempt import AttemptRow


class AttemptPickerScreen(Dialog["tuple[str, ...] | None"]):
    """Asks over the lab for attempts; the result is their ids, or None.

    Args:
        rows: The latest attempts on the boss.
        chosen_ids: The attempts that are scored now.
    """

    CSS_PATH = "attempt_picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pick", "choose", id="pick.toggle"),
        Binding("a", "all", "all or none", id="pick.all"),
        Binding("enter", "done", "done", key_display="⏎", id="pick.done", priority=True),
        Binding("escape", "dismiss(None)", "cancel", id="pick.close"),
    ]

    def __init__(self, rows: "Sequence[AttemptRow]", chosen_ids: Sequence[str]) -> None:
        super().__init__("Which attempts?")
        self._rows = [row for row in rows if row.verdict]
        self._chosen_ids: set[str] = set(chosen_ids)

    def body(self) -> Iterable[Widget]:
        """Compose the list of attempts."""
        if not self._rows:
            yield Prose(styled(("No judged attempts on this boss yet.", "dim")))
        yield Rows(id="tries")

    def on_mount(self) -> None:
        """Focus the list."""
        self._show_rows()
        self.query_one(Rows).focus()

    def _show_rows(self) -> None:
        self.query_one(Rows).show([self._row(row) for row in self._rows])

    def _row(self, row: "AttemptRow") -> Row:
        glyphs = look(self).glyphs

        def build(width: int) -> list[Line]:
            is_chosen = row.id in self._chosen_ids
            pip = (f"{glyphs.pip if is_chosen else glyphs.empty_pip} ", "molten" if is_chosen else "faint")
            total = f"{format_number(row.score_total or 0)}/{format_number(row.score_max or 0)}"
            verdict = VERDICT_WORDS.get(row.verdict or "", "")
            text = f"{fit(clean_line(row.words), 13)}{total:>6} {verdict:<12}{row.judge:<8}"
            origin = f"{format_age(row.started_at):<12} {clean_line(short(row.directory))}"
            return [(pip, (text, "ash"), (fit(origin, max(0, width - len(text) - 2)), "dim"))]

        return Row(row.id, build)

    @on(Rows.Opened)
    def action_pick(self) -> None:
        """Choose the attempt under the cursor, or unselect it."""
        self._chosen_ids ^= {self.query_one(Rows).key} - {""}
        self._show_rows()

    def action_all(self) -> None:
        """Choose all attempts, or none if all are chosen."""
        all_ids = {row.id for row in self._rows}
        self._chosen_ids = set() if all_ids <= self._chosen_ids else all_ids
        self._show_rows()

    def action_done(self) -> None:
        """Close the dialog with the chosen attempts."""
        self.dismiss(tuple(row.id for row in self._rows if row.id in self._chosen_ids))
