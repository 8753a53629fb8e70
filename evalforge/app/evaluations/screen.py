"""The list of evaluations, and one of them: its figures, its items with every judge's report, and changes."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar, cast

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from evalforge.app.evaluations.evaluation_text import (
    GROUPS,
    comparison_text,
    figures_text,
    format_value,
    item_rows,
    item_text,
    shown_items,
)
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import format_age, plural
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.evaluate.compare import compare
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemResult
from evalforge.evaluate.evaluation_store import find_population, list_results
from evalforge.evaluate.export.evaluation_page import evaluation_page
from evalforge.evaluate.export.evaluation_table import evaluation_csv
from evalforge.evaluate.items import Population, key_of
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import unused_path, write_text


class EvaluationsScreen(GameScreen):
    """Every stored evaluation; opening one shows its items."""

    CSS_PATH = "screen.tcss"
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


_MAX_CONTENT_CHARS = 4_000


class EvaluationScreen(GameScreen):
    """The items in one pane; in the other, every judge's report on the chosen one."""

    CSS_PATH = "screen.tcss"
    NAME = "An evaluation"
    HELP_TEXT = """
Items that judges disagree on or are unsure of come first, then those without a score, then the lowest scores.

`enter` shows an item in full, `esc` returns to the list. `f` filters the items. `d` compares with the previous
evaluation of the same spec. `x` exports a page and a table.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "keep", "filter", id="evaluation.keep"),
        Binding("d", "compare", "compare", id="evaluation.compare"),
        Binding("x", "export", "export", id="evaluation.export"),
        Binding("escape", "back", "back", id="evaluation.back"),
    ]

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self._evaluation = evaluation
        self._group = GROUPS[0]
        self._items: Sequence[ItemResult] = ()
        self._population: Population | None = None
        self._contents: dict[str, object] = {}

    def body(self) -> Iterable[Widget]:
        """Compose heading, figures, the list of items and the chosen item."""
        yield Heading(id="heading")
        yield Prose(id="figures")
        yield Rows(id="items")
        yield Panel(id="item")

    def on_mount(self) -> None:
        """Read the items, and show the first."""
        self._population = find_population(self._evaluation.id, self.session.services.evaluations)
        items = (*self._population.items, *self._population.singletons) if self._population else ()
        self._contents = {item.key: item.content for item in items}
        self.query_one("#figures", Prose).set_text(figures_text(self._evaluation))
        self._show_items()
        self.query_one(Rows).focus()

    def _show_items(self) -> None:
        evaluation = self._evaluation
        self._items = shown_items(evaluation, self._group)
        parts = [clean_line(evaluation.instrument.model, 60)]
        if self._group != GROUPS[0]:
            parts += [f"{len(self._items)} of {len(evaluation.items)} items", self._group]
        about = " · ".join(filter(None, parts))
        self.query_one(Heading).set_text(
            [(clean_line(evaluation.id).upper(), "bold ember"), (f"  {evaluation.outcome.value}", "dim")],
            [(about, "dim")],
        )
        self.query_one(Rows).show(item_rows(evaluation, self._items))
        if not self._items:
            self.query_one(Panel).set_text(Content(""))

    @on(Rows.Pointed)
    def _show_item(self, event: Rows.Pointed) -> None:
        if not event.key.isdecimal():
            return
        item = self._items[int(event.key)]
        content = _content_text(self._contents.get(key_of(item.item_id), ""))
        self.query_one(Panel).set_text(item_text(item, content[:_MAX_CONTENT_CHARS]))

    @on(Rows.Opened)
    def _enlarge_item(self) -> None:
        self.add_class("-item")
        self.query_one(Panel).focus()

    def action_back(self) -> None:
        """Go from an item to the list, and from the list to the previous screen."""
        if not self.has_class("-item"):
            super().action_back()
            return
        self.remove_class("-item")
        self.query_one(Rows).focus()

    def action_keep(self) -> None:
        """Show the next group of items."""
        self.remove_class("-item")
        self._group = GROUPS[(GROUPS.index(self._group) + 1) % len(GROUPS)]
        self._show_items()

    def action_compare(self) -> None:
        """Show the changes since the previous evaluation of the same spec."""
        own = self._evaluation
        results = list_results(self.session.services.evaluations)
        earlier = [result for result in results if result.spec == own.spec and result.finished_at < own.finished_at]
        if not earlier:
            self.notify("There is no earlier evaluation of this spec.", severity="warning", markup=False)
            return
        try:
            text = comparison_text(compare(earlier[0], own))
        except EvalForgeError as error:
            self.notify(problem(error), title="Not compared", severity="warning", markup=False)
            return
        self.query_one(Panel).set_text(text)

    def action_export(self) -> None:
        """Write the page and the table to the folder for exports."""
        folder = self.session.services.starter_folder.absolute()
        stem = f"evalforge-{self._evaluation.id}"
        try:
            page, table = unused_path(folder, stem, ".html"), unused_path(folder, stem, ".csv")
            write_text(page, evaluation_page(self._evaluation, self._population))
            write_text(table, evaluation_csv(self._evaluation), "utf-8-sig")
        except (OSError, EvalForgeError) as error:
            self.notify(problem(error), title="Nothing was written", severity="error", markup=False)
            return
        self.notify(clean_line(f"{short(page)} and {table.name}"), title="Written", markup=False)


def _content_text(content: object) -> str:
    """The judged content as text: one field per line if it is an object."""
    if isinstance(content, dict):
        fields = cast("dict[str, object]", content)
        return "\n".join(f"{name}: {_content_text(value)}" for name, value in fields.items())
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
