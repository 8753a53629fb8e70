"""Where readings come from."""

import json
import math
from pathlib import Path
from typing import Any, Protocol

from furnace.errors import InvalidReadings, SourceError


class ReadingSource(Protocol):
    """Anything that has readings."""

    def readings(self) -> list[float]:
        """Return one reading or more, or raise FurnaceError."""


class JsonFileSource:
    """Readings in a JSON file."""

    def __init__(self, path: Path):
        self._path = path

    def readings(self) -> list[float]:
        """Read, parse and check the file."""
        return self._checked(self._parsed(self._text()))

    def _text(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8")
        except OSError as error:
            raise SourceError(f"can't read {self._path}: {error}") from error
        except UnicodeDecodeError as error:
            raise InvalidReadings(f"{self._path} is not UTF-8 text: {error}") from error

    def _parsed(self, text: str) -> Any:
        try:
            return json.loads(text, parse_constant=self._refuse_constant)
        except json.JSONDecodeError as error:
            raise InvalidReadings(f"{self._path} is not JSON: {error}") from error

    def _refuse_constant(self, name: str):
        raise InvalidReadings(f"{self._path}: {name} is no JSON number")

    def _checked(self, document: Any) -> list[float]:
        if not isinstance(document, dict):
            raise InvalidReadings(f"{self._path}: the top level is no object")
        readings = document.get("readings")
        if not isinstance(readings, list):
            raise InvalidReadings(f"{self._path}: there is no list of readings")
        if not readings:
            raise InvalidReadings(f"{self._path}: the list of readings is empty")
        for index, reading in enumerate(readings):
            if not self._is_number(reading):
                raise InvalidReadings(f"{self._path}: readings[{index}] is no number: {reading!r}")
        return readings

    @staticmethod
    def _is_number(reading: Any) -> bool:
        return type(reading) in (int, float) and math.isfinite(reading)
