"""Group the rows of a CSV file and add up one column, as a JSON config says.

    python data_crucible.py --input sales.csv --config order.json --output totals.json
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

DECIMAL = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*", re.ASCII)


class Refusal(Exception):
    """Bad metal. The message is one sentence that names the culprit."""


# -- the order --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """What the config asks for, checked."""

    group_by: tuple[str, ...]
    value_field: str

    @classmethod
    def from_json(cls, config: Any) -> Order:
        if not isinstance(config, dict):
            raise Refusal("the config has to be a JSON object")
        if absent := [key for key in ("group_by", "value_field") if key not in config]:
            raise Refusal(f"the config lacks {' and '.join(absent)}")
        match config["group_by"]:
            case [_, *_] as names if all(isinstance(name, str) for name in names):
                group_by = tuple(names)
            case other:
                raise Refusal(f"group_by has to be a list of column names, not {json.dumps(other)}")
        match config["value_field"]:
            case str(value_field):
                return cls(group_by, value_field)
            case other:
                raise Refusal(f"value_field has to be a column name, not {json.dumps(other)}")

    @classmethod
    def load(cls, path: Path) -> Order:
        try:
            return cls.from_json(json.loads(path.read_bytes().decode("utf-8")))
        except ValueError as error:
            raise Refusal(f"{path} is not JSON: {error}") from error


# -- the table --------------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """What one row gives: its group and its value."""

    group: tuple[str, ...]
    value: Decimal


def parse_value(text: str) -> Decimal:
    match = DECIMAL.fullmatch(text)
    if match is None:
        raise Refusal(f"{text!r} is not a number" if text.strip() else "a value is blank")
    return Decimal(match[1])


def find_columns(header: Sequence[str], names: Iterable[str]) -> list[int]:
    names = list(names)
    if absent := [name for name in names if name not in header]:
        raise Refusal(f"the header lacks {', '.join(map(repr, absent))}")
    return [header.index(name) for name in names]


def parse_table(lines: Iterable[str], order: Order) -> Iterator[Piece]:
    """The pieces of a CSV, header included. Refusals tell the line."""
    reader = csv.reader(lines)
    header = next(reader, [])
    *places, value_place = find_columns(header, [*order.group_by, order.value_field])
    for row in reader:
        try:
            if len(row) < len(header):
                raise Refusal(f"{len(row)} fields where the header has {len(header)}")
            yield Piece(tuple(row[place] for place in places), parse_value(row[value_place]))
        except Refusal as refusal:
            raise Refusal(f"line {reader.line_num}: {refusal}") from None


def load_table(path: Path, order: Order) -> Iterator[Piece]:
    with path.open(encoding="utf-8", newline="") as lines:
        try:
            yield from parse_table(lines, order)
        except (Refusal, csv.Error, UnicodeDecodeError) as error:
            raise Refusal(f"{path}: {error}") from error


# -- the reckoning ----------------------------------------------------------------------------------------------------


@dataclass
class Pot:
    values: list[Decimal] = field(default_factory=list)

    def sum(self) -> Decimal:
        digits = max(len(value.as_tuple().digits) + abs(value.as_tuple().exponent) for value in self.values)
        with localcontext() as context:
            context.prec = digits + len(str(len(self.values))) + 30
            return sum(self.values, Decimal())


def melt(pieces: Iterable[Piece], names: Sequence[str]) -> list[dict[str, Any]]:
    """One total for each group, in the order of the groups."""
    pots: defaultdict[tuple[str, ...], Pot] = defaultdict(Pot)
    for group, value in pieces:
        pots[group].values.append(value)
    return [total(names, group, pot) for group, pot in sorted(pots.items(), key=itemgetter(0))]


def total(names: Sequence[str], group: Sequence[str], pot: Pot) -> dict[str, Any]:
    amount, count = pot.sum(), len(pot.values)
    return {**dict(zip(names, group)), "sum": float(amount), "count": count, "avg": float(amount / count)}


# -- the mould --------------------------------------------------------------------------------------------------------


def replace_json(path: Path, content: Any) -> None:
    """Replace a file as a whole, or leave it as it is."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as draft:
        json.dump(content, draft, ensure_ascii=False, indent=2)
    os.replace(draft.name, path)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, what in {"input": "CSV file", "config": "JSON file that gives the order", "output": "JSON file"}.items():
        parser.add_argument(f"--{name}", type=Path, required=True, help=what)
    options = parser.parse_args(arguments)
    try:
        order = Order.load(options.config)
        totals = melt(load_table(options.input, order), order.group_by)
        if not totals:
            raise Refusal(f"{options.input} has no rows")
        replace_json(options.output, totals)
    except (Refusal, OSError) as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
