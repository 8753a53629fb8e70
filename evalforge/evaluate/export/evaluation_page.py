"""One or two evaluations as one self-contained HTML page."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Template
from markupsafe import Markup

from evalforge.evaluate.compare import Comparison
from evalforge.evaluate.evaluation import Evaluation, ItemResult, ItemState
from evalforge.evaluate.items import Population, key_of
from evalforge.reports.html_environment import html_environment
from evalforge.reports.svg import xml_text

_MAX_CONTENT_CHARS = 4_000
_MAX_BARS = 40
_WIDTH, _HEIGHT, _BASELINE = 720, 190, 160


@dataclass(frozen=True)
class _ItemRow:
    """An item as the page shows it: its value, how far judges are apart, their text, and what was judged."""

    item: ItemResult
    value: float | None
    disagreement: float
    words: str
    content: str


def evaluation_page(evaluation: Evaluation, population: Population | None = None) -> str:
    """Build the HTML page of an evaluation; its items are shown next to their results, unless they are gone (None)."""
    items = (*population.items, *population.singletons) if population else ()
    contents = {item.key: _text(item.content)[:_MAX_CONTENT_CHARS] for item in items}
    rows = [
        _ItemRow(
            item=item,
            value=evaluation.value_of(item),
            disagreement=evaluation.disagreement(item),
            words=_words(item),
            content=contents.get(key_of(item.item_id), ""),
        )
        for item in evaluation.items_to_review()
    ]
    values = [row.value for row in rows if row.value is not None]
    return _template("evaluation.html.j2").render(
        evaluation=evaluation,
        rows=rows,
        plot=Markup(_histogram(values)) if values else "",  # noqa: S704 - consists of numbers
        scored=sum(item.state is ItemState.SCORED for item in evaluation.items),
        ambiguous=sum(item.ambiguous for item in evaluation.items),
        disagreeing=sum(row.disagreement > 0 for row in rows),
        has_judges=any(item.by_judge for item in evaluation.items),
    )


def _words(item: ItemResult) -> str:
    """The text that a judge wrote about an item."""
    return "; ".join(value for value in item.fields.values() if isinstance(value, str) and value)


def _text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def comparison_page(comparison: Comparison, before: Evaluation, after: Evaluation) -> str:
    """Build the HTML page that compares two evaluations, item by item."""
    rows = sorted(_changes(before, after), key=lambda row: -abs(row.change or 0.0))
    return _template("comparison.html.j2").render(comparison=comparison, rows=rows)


@dataclass(frozen=True)
class _Change:
    """An item in two evaluations; a value is None if it has no score there."""

    item_id: str | int | float
    bucket: str
    before: float | None
    after: float | None
    change: float | None
    words_before: str
    words_after: str


def _changes(before: Evaluation, after: Evaluation) -> Iterator[_Change]:
    old_items = {key_of(item.item_id): item for item in before.items}
    new_items = {key_of(item.item_id): item for item in after.items}
    for key in old_items | new_items:
        old, new = old_items.get(key), new_items.get(key)
        present_item = new or old
        assert present_item is not None
        old_value = before.value_of(old) if old else None
        new_value = after.value_of(new) if new else None
        change = None if old_value is None or new_value is None else new_value - old_value
        texts = [_words(item) if item else "" for item in (old, new)]
        yield _Change(present_item.item_id, present_item.bucket, old_value, new_value, change, *texts)


def _histogram(values: Sequence[float]) -> str:
    """Draw a bar for each value; for very many distinct ones, a bar for each of forty equal ranges."""
    bins = _bins(values)
    tallest = max(count for _, count in bins)
    step = _WIDTH / len(bins)
    parts = [f'<line x1="0" y1="{_BASELINE}" x2="{_WIDTH}" y2="{_BASELINE}" class="axis"/>']
    for index, (label, count) in enumerate(bins):
        height = count / tallest * (_BASELINE - 30)
        x, top = index * step + step * 0.06, _BASELINE - height
        parts.append(
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{step * 0.88:.1f}" height="{height:.1f}" class="cluster"/>'
        )
        middle = index * step + step / 2
        if count:
            parts.append(f'<text x="{middle:.1f}" y="{top - 6:.1f}" class="count" text-anchor="middle">{count}</text>')
        name = xml_text(label, 12)
        parts.append(f'<text x="{middle:.1f}" y="{_BASELINE + 18}" class="tick" text-anchor="middle">{name}</text>')
    title = f"Scores of {len(values)} items"
    head = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>'
    return f"{head}{''.join(parts)}</svg>"


def _bins(values: Sequence[float]) -> list[tuple[str, int]]:
    counts = Counter(values)
    if len(counts) <= _MAX_BARS // 2:
        low, high = min(values), max(values)
        grid: Iterable[float] = counts
        if all(float(value).is_integer() for value in counts) and high - low < _MAX_BARS // 2:
            grid = [float(number) for number in range(int(low), int(high) + 1)]
        return [(f"{value:g}", counts[value]) for value in sorted(grid)]
    low, width = min(values), (max(values) - min(values)) / _MAX_BARS
    ranges = Counter(min(_MAX_BARS - 1, int((value - low) / width)) for value in values)
    return [(f"{low + index * width:.3g}" if index % 5 == 0 else "", ranges[index]) for index in range(_MAX_BARS)]


def _template(name: str) -> Template:
    return html_environment(Path(__file__).parent).get_template(name)
