"""What goes into the crucible: the recipe and the ingots, checked at the gate."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


class CrucibleError(Exception):
    """Something at the gate is not fit to be melted."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which columns name a group, and which one is weighed."""

    group_by: tuple[str, ...]
    value_field: str

    @classmethod
    def from_file(cls, path: Path) -> Recipe:
        """Read a recipe."""
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise CrucibleError(f"cannot read the recipe {path}: {error.strerror}") from error
        return cls.from_text(text)

    @classmethod
    def from_text(cls, text: str) -> Recipe:
        """Check the text of a recipe."""
        try:
            raw = json.loads(text)
        except json.JSONDecodeError as error:
            raise CrucibleError(f"the recipe is not valid JSON: {error}") from error
        match raw:
            case {"group_by": [_, *_] as names, "value_field": str(value_field)}:
                if not all(isinstance(name, str) for name in names):
                    raise CrucibleError("every name in group_by must be a string")
                return cls(tuple(names), value_field)
            case {"group_by": _, "value_field": _}:
                raise CrucibleError("group_by must be a list of names, value_field one name")
            case _:
                raise CrucibleError("the recipe must be an object with group_by and value_field")

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column the recipe speaks of."""
        return (*self.group_by, self.value_field)


@dataclass(frozen=True, slots=True)
class Ingot:
    """One row: its group and its weight."""

    group: tuple[str, ...]
    weight: float


def read_ingots(path: Path, recipe: Recipe) -> list[Ingot]:
    """Read a CSV file."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            header = tuple(reader.fieldnames or ())
    except OSError as error:
        raise CrucibleError(f"cannot read {path}: {error.strerror}") from error
    return assay(header, rows, recipe)


def assay(header: tuple[str, ...], rows: Iterable[Mapping[str, str]], recipe: Recipe) -> list[Ingot]:
    """Check columns and rows, and keep what the recipe asks for."""
    missing = [name for name in recipe.columns if name not in header]
    if missing:
        raise CrucibleError(f"no such column: {', '.join(missing)}")
    ingots = [to_ingot(row, recipe) for row in rows]
    if not ingots:
        raise CrucibleError("there are no rows to melt")
    return ingots


def to_ingot(row: Mapping[str, str], recipe: Recipe) -> Ingot:
    """Check one row."""
    if None in row.values():
        raise CrucibleError(f"a row is cut short: {', '.join(filter(None, row.values()))}")
    text = row[recipe.value_field]
    try:
        weight = float(text)
    except ValueError as error:
        raise CrucibleError(f"not a number: {text!r}") from error
    if not math.isfinite(weight):
        raise CrucibleError(f"not a finite number: {text!r}")
    return Ingot(tuple(row[name] for name in recipe.group_by), weight)
