"""Parses the elements of a reply: strictly, else within a fence, else between outer brackets, else one by one.

The request is for one array: ``[{"item_id": "a-1", "score": 4, "ambiguous": false}, ...]``
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from evalforge.judges.reply import ReplyError
from evalforge.llm.retry import MAX_REPLY_CHARS
from evalforge.model.text import clean_line

Element = dict[str, Any]
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)
_MAX_FAILED_STARTS = 2_000
"""After this many opening braces that start no object, parsing gives up."""


@dataclass(frozen=True)
class ReplyElements:
    """The elements of a reply.

    Attributes:
        elements: The elements, in the order of the reply.
        problem: Why the reply as a whole is malformed; empty if it has the requested form.
    """

    elements: tuple[Element, ...]
    problem: str = ""


def parse_elements(text: str) -> ReplyElements:
    """Parse the elements of a reply; incomplete and invalid ones are left out."""
    body = text[:MAX_REPLY_CHARS].strip()
    fences = _FENCE.findall(body)
    candidates = [body, *(fences[0].strip() for _ in range(len(fences) == 1))]
    begin, end = body.find("["), body.rfind("]")
    if 0 <= begin < end:
        candidates.append(body[begin : end + 1])
    problem = ""
    for candidate in candidates:
        try:
            return ReplyElements(_elements_in(_load_strictly(candidate)))
        except ValueError as error:
            problem = problem or clean_line(str(error), cap=160)
    return ReplyElements(tuple(_salvage(body)), f"it is not one valid JSON array ({problem})")


def _load_strictly(text: str) -> object:
    """Parse strict JSON: no NaN, no duplicate keys.

    Raises:
        ValueError: The text isn't strict JSON.
    """
    import jiter

    return jiter.from_json(text.encode("utf-8", "replace"), allow_inf_nan=False, catch_duplicate_keys=True)


def _elements_in(data: object) -> tuple[Element, ...]:
    """Return the elements of an array, of an object around one array, or a single element.

    Raises:
        ReplyError: The data has none of these forms.
    """
    if isinstance(data, dict):
        fields = cast("Element", data)
        if "item_id" in fields:
            return (fields,)
        arrays = [cast("object", value) for value in fields.values() if isinstance(value, list)]
        if len(arrays) == 1:
            return _elements_in(arrays[0])
    if not isinstance(data, list):
        raise ReplyError("it is not an array")
    return tuple(cast("Element", entry) for entry in cast("list[object]", data) if isinstance(entry, dict))


def _salvage(text: str) -> Iterator[Element]:
    """Yield every complete object with an id, wherever it is: in a truncated array, between sentences."""
    position, failures = 0, 0
    while failures < _MAX_FAILED_STARTS and (position := text.find("{", position)) >= 0:
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


def _unique_keys(pairs: list[tuple[str, Any]]) -> Element:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ReplyError("a key appears twice")
    return fields


def _refuse_constant(name: str) -> float:
    raise ReplyError(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
