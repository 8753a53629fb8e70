"""The list of evaluations, the newest first."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.evaluations.evaluation_text import format_value
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import format_age, plural
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.evaluation_store import list_results
from evalforge.model.text import clean_line


class EvaluationsScreen(GameScreen):
    """Every stored evaluation; opening one shows its items."""

    CSS_PATH = "evaluation_list.tcss"
    NAME = "Evaluations"
    HELP_TEXT = """
An evaluation judges any items against your own rubric. `evalforge evaluate SPEC` makes one.

`enter` opens an evaluation: its figures, then its items with every judge's words. Items that need a person come first.
"""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "back", id="evaluations.back")]

    def __init__(self) -> None:
        super().__init__()
        self._evaluations: dict[str, Evaluation] = {}

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the list of evaluations."""
        yield Heading([("EVALUATIONS", "bold ember")], id="heading")
        yield Prose(id="words")
        yield Rows(id="evaluations")

    def on_mount(self) -> None:
        """List the stored evaluations."""
        self._show_evaluations()
        self.query_one(Rows).focus()

    def on_screen_resume(self) -> None:
        """Reload the list, because there may be a new evaluation."""
        if self.is_mounted:
            self._show_evaluations()

    def _show_evaluations(self) -> None:
        self._evaluations = {result.id: result for result in list_results(self.session.services.evaluations)}
        self.query_one(Rows).show([_evaluation_row(evaluation) for evaluation in self._evaluations.values()])
        text = "Any items, judged against a rubric. The newest comes first."
        if not self._evaluations:
            text = "No evaluations yet. Make one: evalforge evaluate SPEC"
        self.query_one("#words", Prose).set_text(styled((text, "dim")))

    @on(Rows.Opened)
    def _open_evaluation(self, event: Rows.Opened) -> None:
        from evalforge.app.evaluations.screen import EvaluationScreen

        self.game.push_screen(EvaluationScreen(self._evaluations[event.key]))


def _evaluation_row(evaluation: Evaluation) -> Row:
    """An evaluation: its name and main figure, and below them outcome, items, model and age."""
    value = f"  {evaluation.primary} {format_value(evaluation.primary_value)}"
    outcome = "" if evaluation.outcome is EvaluationOutcome.JUDGED else f"{evaluation.outcome.value} · "
    model, age = clean_line(evaluation.instrument.model, 40), format_age(datetime.fromisoformat(evaluation.finished_at))
    details = f"  {outcome}{plural(len(evaluation.items), 'item')} · {model} · {age}"

    def build(width: int) -> Sequence[Line]:
        name = fit_ends(clean_line(evaluation.id), max(8, width - len(value))).rstrip()
        figures = (fit_ends(details, width).rstrip(), "ember" if outcome else "dim")
        return [((name, "ash"), (value, "bold molten")), (figures,), ()]

    return Row(evaluation.id, build)
