"""The sheet of readings: from the bytes of a file to numbers that the rule may rely on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path


class Unreadable(Exception):
    """The sheet is of no use. The message says why, for the operator."""


def _no_constant(name: str) -> float:
    raise Unreadable(f"{name} is not a JSON number")


def fetch(path: str) -> bytes:
    """The content of the file.

    Raises:
        Unreadable: There is no such file, or it isn't one.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"can't be opened ({error.strerror})") from error


def parse(content: bytes) -> object:
    """The JSON document that these bytes are.

    Raises:
        Unreadable: They are no UTF-8, or no JSON.
    """
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"line {error.lineno} is not JSON: {error.msg}") from error


def exact(value: object) -> Fraction:
    """A reading as an exact number.

    Raises:
        Unreadable: It is not a number. A boolean is none here, although it is an int for Python.
    """
    if type(value) not in (int, float) or not math.isfinite(value):
        raise Unreadable(f"a {type(value).__name__} is not a temperature")
    return Fraction(value)


def _shape() -> tuple[tuple[str, Callable[[dict], bool]], ...]:
    """What must hold for a document, each with the complaint if it doesn't; each relies on those before it."""
    return (
        ("the top level is not an object", lambda document: isinstance(document, dict)),
        ('"readings" is missing', lambda document: "readings" in document),
        ('"readings" is not a list', lambda document: isinstance(document["readings"], list)),
        ('"readings" is empty', lambda document: len(document["readings"]) > 0),
    )


def extract(document: object) -> list[Fraction]:
    """All readings of a document.

    Raises:
        Unreadable: It is built differently, or one of the readings is not a number.
    """
    for complaint, holds in _shape():
        if not holds(document):
            raise Unreadable(complaint)
    return [exact(value) for value in document["readings"]]
