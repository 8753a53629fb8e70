"""Readings from a JSON file."""

import json
import math
from pathlib import Path
from typing import Any, List


class UnusableReadings(Exception):
    """Readings that can't be classified."""


def load(path: Path) -> List[float]:
    """Read, parse and validate a file of readings.

    Raises:
        UnusableReadings: It can't be opened, parsed or validated.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableReadings(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise UnusableReadings(f"{path}: not JSON ({error})") from error
    return validate(document)


def validate(document: Any) -> List[float]:
    """Return the readings of a document.

    Raises:
        UnusableReadings: The document holds none, or one that is not a finite number.
    """
    readings = document.get("readings") if isinstance(document, dict) else None
    if not isinstance(readings, list) or not readings:
        raise UnusableReadings("expected an object with a non-empty list of readings")
    for index, reading in enumerate(readings):
        if not _is_finite_number(reading):
            raise UnusableReadings(f"readings[{index}] is not a number")
    return readings


def _is_finite_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
