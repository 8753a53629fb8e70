"""An evaluation as a CSV table: a row for each item, with every judge's fields."""

import csv
import io
from collections.abc import Iterable

from evalforge.evaluate.evaluation import Evaluation, ItemResult
from evalforge.model.text import clean_whole
from evalforge.reports.spreadsheet import spreadsheet_cell


def evaluation_csv(evaluation: Evaluation) -> str:
    """Write the table: items that judges disagree on or are unsure of first, then singletons. No cell is a formula."""
    items = [*evaluation.items_to_review(), *evaluation.singletons]
    fields = _names(item.fields for item in items)
    judges = _names(item.by_judge for item in items)
    headings = ["item_id", "bucket", "kind", "state", "ambiguous", "disagreement", "reason", *fields]
    headings += [f"{judge} {field}" for judge in judges for field in fields]
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([spreadsheet_cell(name) for name in headings])
    singletons = {id(item) for item in evaluation.singletons}
    for item in items:
        kind = "singleton" if id(item) in singletons else "item"
        cells = [item.item_id, item.bucket, kind, item.state.value, item.ambiguous]
        cells += [evaluation.disagreement(item), clean_whole(item.reason), *_values(item, fields, judges)]
        writer.writerow([spreadsheet_cell(cell) for cell in cells])
    return out.getvalue()


def _values(item: ItemResult, fields: list[str], judges: list[str]) -> Iterable[bool | int | float | str | None]:
    yield from (item.fields.get(name) for name in fields)
    for judge in judges:
        yield from (item.by_judge.get(judge, {}).get(name) for name in fields)


def _names(mappings: Iterable[Iterable[str]]) -> list[str]:
    """Return every name once, in order of first occurrence."""
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))
