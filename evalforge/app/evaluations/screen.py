"""The list of evaluations, and one of them: its figures, its items with every judge's report, and changes."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import ClassVar, cast

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.screens.records import RecordsScreen
from evalforge.app.ui.text.formatting import format_age, plural
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit, fit_ends
from evalforge.app.ui.widgets.row_list import Row, Rows, message_row
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.evaluate.compare import Comparison, compare
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemResult, ItemState
from evalforge.evaluate.evaluation_store import find_population, list_results
from evalforge.evaluate.export.evaluation_page import evaluation_page
from evalforge.evaluate.export.evaluation_table import evaluation_csv
from evalforge.evaluate.fields import Value
from evalforge.evaluate.items import Population, key_of
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean, clean_line
from evalforge.packs.atomic_files import unused_path, write_text

GROUPS = ("all", "needs a person", "without a score")
_COST = frozenset({"judge_cost_usd", "total_judge_cost_usd"})
_ID_CELLS, _VALUE_CELLS = 24, 8
_MIN_MESSAGE_CELLS = 8


def figures_text(evaluation: Evaluation) -> Content:
    """The figures on a line or two, the compared one first."""
    names = [name for name in evaluation.metrics if name not in _COST and name != evaluation.primary]
    parts: list[Run] = [(f"{evaluation.primary} ", "dim"), (format_value(evaluation.primary_value), "bold molten")]
    for name in names:
        parts += [("   ", "dim"), (f"{name} ", "dim"), (format_value(evaluation.metrics[name]), "ash")]
    if evaluation.reason:
        parts += [("\n", "dim"), (clean_line(f"{evaluation.reason} {evaluation.advice}"), "ember")]
    return styled(*parts)


def shown_items(evaluation: Evaluation, group: str) -> Sequence[ItemResult]:
    """The items of a group, those that need a person first."""
    items = evaluation.items_to_review()
    if group == GROUPS[1]:
        return [item for item in items if item.ambiguous or evaluation.disagreement(item) > 0]
    if group == GROUPS[2]:
        return [item for item in items if item.state is not ItemState.SCORED]
    return items


def item_rows(evaluation: Evaluation, items: Sequence[ItemResult]) -> list[Row]:
    """A line for each item: its id, its value, and what to look at."""
    longest = max((len(clean_line(str(item.item_id))) for item in items), default=0)

    def item_row(index: int, item: ItemResult) -> Row:
        return Row(str(index), lambda width: [_item_line(evaluation, item, min(_ID_CELLS, longest, width // 3), width)])

    return [item_row(index, item) for index, item in enumerate(items)] or [message_row("No items match.")]


def _item_line(evaluation: Evaluation, item: ItemResult, id_width: int, width: int) -> Line:
    name = fit(clean_line(str(item.item_id)), id_width)
    value = evaluation.value_of(item)
    number = "" if value is None else format_value(value)
    notes = list(_notes(evaluation, item))
    message_width = max(0, width - len(name) - _VALUE_CELLS - 4 - sum(len(text) for text, _ in notes))
    message = fit(judge_text(item), message_width).rstrip() if message_width > _MIN_MESSAGE_CELLS else ""
    return ((name, "ash"), (f"{number:>{_VALUE_CELLS}}  ", "bold molten"), *notes, (message, "dim"))


def _notes(evaluation: Evaluation, item: ItemResult) -> Iterator[Run]:
    distance = evaluation.disagreement(item)
    if distance:
        yield f"judges {distance:g} apart  ", "bold ember"
    if item.ambiguous:
        yield "ambiguous  ", "ember"
    if item.state is not ItemState.SCORED:
        yield f"{item.state.value}: {clean_line(item.reason, 80)}  ", "blood"
    if item.bucket:
        yield f"{clean_line(item.bucket, 20)}  ", "faint"


def judge_text(item: ItemResult) -> str:
    """The text that a judge wrote about an item."""
    return clean_line("; ".join(value for value in item.fields.values() if isinstance(value, str) and value))


def item_text(item: ItemResult, content: str) -> Content:
    """An item in full: every judge's fields, then the judged content."""
    parts: list[Run] = [(f"{clean_line(str(item.item_id))}\n", "bold ash")]
    if item.reason:
        parts.append((f"{item.state.value}: {clean_line(item.reason)}\n", "ember"))
    if item.by_judge:
        for judge, fields in item.by_judge.items():
            parts.append((f"\n{clean_line(judge)}\n", "bold steel"))
            parts += _field_runs(fields)
    else:
        parts += _field_runs(item.fields)
    if content:
        parts += [("\nThe item\n", "bold steel"), (clean(content), "dim")]
    return styled(*parts)


def _field_runs(fields: dict[str, Value]) -> Iterator[Run]:
    for name, value in fields.items():
        yield f"  {clean_line(name)}  ", "dim"
        yield f"{clean_line(format_value(value))}\n", "ash"


def comparison_text(comparison: Comparison) -> Content:
    """The changes between two evaluations, in a paragraph."""
    role = {"improved": "verdigris", "regressed": "blood"}.get(comparison.verdict.value, "ember")
    before, after = format_value(comparison.before_mean), format_value(comparison.after_mean)
    counts = f"{comparison.better} better, {comparison.worse} worse of {comparison.pairs} items in both"
    return styled(
        (f"{clean_line(comparison.before)} to {clean_line(comparison.after)}: ", "dim"),
        (comparison.verdict.value, f"bold {role}"),
        (f"\n{comparison.primary} {before} to {after}, {counts}\n", "ash"),
        (clean_line("; ".join(comparison.reasons)), "dim"),
    )


def format_value(value: Value) -> str:
    """Format a field's value: numbers short, booleans as a word."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class EvaluationsScreen(RecordsScreen):
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

    def read_records(self) -> None:
        """List the stored evaluations."""
        self._evaluations = {result.id: result for result in list_results(self.session.services.evaluations)}
        text = "Any items, judged against a rubric. The newest comes first."
        if not self._evaluations:
            text = "No evaluations yet. Make one: evalforge evaluate SPEC"
        self.show_records(
            [("EVALUATIONS", "bold ember")], "", text, [*map(_evaluation_row, self._evaluations.values())]
        )

    @on(Rows.Opened)
    def _open_evaluation(self, event: Rows.Opened) -> None:
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
