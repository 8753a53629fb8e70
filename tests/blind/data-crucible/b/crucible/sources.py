"""Rows from CSV files."""

import csv
from collections.abc import Iterator
from pathlib import Path

from crucible.errors import TableError, ValueFieldError
from crucible.numbers import parse_decimal
from crucible.protocols import Sample
from crucible.settings import Settings


class CsvSource:
    def __init__(self, path: Path, settings: Settings) -> None:
        self._path = path
        self._settings = settings

    def samples(self) -> Iterator[Sample]:
        try:
            with self._path.open(encoding="utf-8", newline="") as file:
                yield from self._read(csv.reader(file))
        except OSError as error:
            raise TableError(f"{self._path}: {error.strerror}") from error

    def _read(self, reader) -> Iterator[Sample]:
        header = next(reader, None)
        if header is None:
            raise TableError(f"{self._path} is empty")
        self._settings.require_columns(header)
        group_at = [header.index(name) for name in self._settings.group_by]
        value_at = header.index(self._settings.value_field)
        for row in reader:
            if len(row) < len(header):
                raise TableError(f"{self._path}, line {reader.line_num}: the row is too short")
            value = parse_decimal(row[value_at])
            if value is None:
                raise ValueFieldError(row[value_at], reader.line_num)
            yield Sample(tuple(row[at] for at in group_at), value)
