"""An evaluation as styled text: its figures, one item with every judge's report, and changes since an earlier one."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.evaluate.compare import Comparison
from evalforge.evaluate.evaluation import Evaluation, ItemResult, ItemState
from evalforge.evaluate.export.item_order import disagreement, ordered_items, primary_value
from evalforge.evaluate.fields import Value
from evalforge.model.text import clean, clean_line

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


def needs_person(evaluation: Evaluation, item: ItemResult) -> bool:
    """Whether a judge was unsure of an item, or several disagree."""
    return item.ambiguous or disagreement(evaluation, item) > 0


def shown_items(evaluation: Evaluation, group: str) -> Sequence[ItemResult]:
    """The items of a group, those that need a person first."""
    items = ordered_items(evaluation)
    if group == GROUPS[1]:
        return [item for item in items if needs_person(evaluation, item)]
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
    value = primary_value(evaluation, item)
    number = "" if value is None else format_value(value)
    notes = list(_notes(evaluation, item))
    message_width = max(0, width - len(name) - _VALUE_CELLS - 4 - sum(len(text) for text, _ in notes))
    message = fit(judge_text(item), message_width).rstrip() if message_width > _MIN_MESSAGE_CELLS else ""
    return ((name, "ash"), (f"{number:>{_VALUE_CELLS}}  ", "bold molten"), *notes, (message, "dim"))


def _notes(evaluation: Evaluation, item: ItemResult) -> Iterator[Run]:
    distance = disagreement(evaluation, item)
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
