"""Files, JSON and streams."""

import json
import logging
import math
from pathlib import Path
from typing import Any, TextIO

from .domain import Command, Readings
from .ports import InputError

logger = logging.getLogger("furnace")


class JsonFileSource:
    """Readings from a JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Readings:
        """All readings of the file, or InputError."""
        document = self._parse(self._read())
        if not isinstance(document, dict):
            raise self._error("the top level is not an object")
        values = document.get("readings")
        if not isinstance(values, list) or not values:
            raise self._error('"readings" must be a list of one or more numbers')
        return Readings.of([self._number(index, value) for index, value in enumerate(values)])

    def _read(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8")
        except OSError as error:
            raise self._error(error.strerror or "unreadable") from error
        except UnicodeDecodeError as error:
            raise self._error("not UTF-8") from error

    def _parse(self, text: str) -> Any:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise self._error(f"not JSON: {error}") from error

    def _number(self, index: int, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise self._error(f"reading {index} is not a number: {value!r}")
        return value

    def _error(self, reason: str) -> InputError:
        return InputError(f"{self._path}: {reason}")


class StreamReporter:
    """Commands go to a stream, refusals to the log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def report(self, command: Command) -> None:
        """Print the word."""
        print(command.name, file=self._stream)

    def refuse(self, error: InputError) -> None:
        """Log the reason."""
        logger.error("%s", error)
