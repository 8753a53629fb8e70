"""A reply as its elements: read strictly, else without its fence, else from bracket to bracket, else piece by piece."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from evalforge.judges.reply import REPLY_CAP, ReplyError
from evalforge.model.text import clean_line

Element = dict[str, Any]
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)
_FAILURES = 2_000
"""Beginnings of objects that lead nowhere after which the rest is given up."""


@dataclass(frozen=True)
class Elements:
    """What was found in a reply.

    Attributes:
        found: The elements, in order.
        problem: Why the reply as a whole is malformed; empty if it has the form that was asked for.
    """

    found: tuple[Element, ...]
    problem: str = ""


def elements(text: str) -> Elements:
    """The elements of a reply; what is not complete or not valid is left out."""
    body = text[:REPLY_CAP].strip()
    fences = _FENCE.findall(body)
    candidates = [body, *(fences[0].strip() for _ in range(len(fences) == 1))]
    begin, end = body.find("["), body.rfind("]")
    if 0 <= begin < end:
        candidates.append(body[begin : end + 1])
    problem = ""
    for candidate in candidates:
        try:
            return Elements(_of(_load(candidate)))
        except ValueError as error:
            problem = problem or clean_line(str(error), cap=160)
    return Elements(tuple(_salvaged(body)), f"it is not one valid JSON array ({problem})")


def _load(text: str) -> object:
    """Strict JSON: no NaN, no key given twice.

    Raises:
        ValueError: It is something else.
    """
    import jiter

    return jiter.from_json(text.encode("utf-8", "replace"), allow_inf_nan=False, catch_duplicate_keys=True)


def _of(data: object) -> tuple[Element, ...]:
    """The elements of an array, of an object around one array, or a single element by itself.

    Raises:
        ReplyError: It is nothing of that.
    """
    if isinstance(data, dict):
        fields = cast("Element", data)
        if "item_id" in fields:
            return (fields,)
        arrays = [cast("object", value) for value in fields.values() if isinstance(value, list)]
        if len(arrays) == 1:
            return _of(arrays[0])
    if not isinstance(data, list):
        raise ReplyError("it is no array")
    return tuple(cast("Element", entry) for entry in cast("list[object]", data) if isinstance(entry, dict))


def _salvaged(text: str) -> Iterator[Element]:
    """Every complete object with an id, wherever it stands: in a frame that is broken, between other words."""
    position, failures = 0, 0
    while failures < _FAILURES and (position := text.find("{", position)) >= 0:
        try:
            data, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            failures += 1
            position += 1
            continue
        if "item_id" in data:
            yield data
            position = end
        else:
            position += 1


def _once_each(pairs: list[tuple[str, Any]]) -> Element:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ReplyError("a key stands there twice")
    return fields


def _not_json(name: str) -> float:
    raise ReplyError(f"{name} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_once_each, parse_constant=_not_json)
