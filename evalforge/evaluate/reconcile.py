"""Compares a reply with the request: one valid element for each item, or what is wrong."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from evalforge.evaluate.fields import AMBIGUOUS, Field, FieldError, FieldType, Value
from evalforge.evaluate.items import key_of
from evalforge.judges.reply import ReplyError
from evalforge.llm.retry import MAX_REPLY_CHARS
from evalforge.model.text import clean_line

# Parses the elements of a reply: strictly, else within a fence, else between outer brackets, else one by one.

Element = dict[str, Any]
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)
_MAX_FAILED_STARTS = 2_000
"""After this many opening braces that start no object, parsing gives up."""


@dataclass(frozen=True)
class ReplyElements:
    """The elements of a reply, and why it is malformed as a whole; empty if it has the requested form."""

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
    """Parse strict JSON: no NaN, no duplicate keys; anything else is a ``ValueError``."""
    import jiter

    return jiter.from_json(text.encode("utf-8", "replace"), allow_inf_nan=False, catch_duplicate_keys=True)


def _elements_in(data: object) -> tuple[Element, ...]:
    """Return the elements of an array, of an object around one array, or a single element."""
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


SHOULD_CLUSTER, BEST_CLUSTER, CONFIDENCE = "should_cluster", "best_cluster_id", "confidence"
_MAX_EXTRA_FIELDS = 12
_LOW_CONFIDENCE = 2
"""At this confidence or below, a judgement of a singleton counts as a guess."""
_CONFIDENCE_FIELD = Field(CONFIDENCE, FieldType.INTEGER, 1, 5)
_SHOULD_FIELD = Field(SHOULD_CLUSTER, FieldType.BOOLEAN)


@dataclass(frozen=True)
class ScoredItem:
    """The score of one item, from one valid element of a reply.

    Attributes:
        values: The fields the rubric asks for, and short plain ones the judge added.
        ambiguous: Whether the judge called it a best guess.
        tie_rank: If two elements about one item differ, the one with the lower rank (the worse one) counts.
    """

    values: dict[str, Value]
    ambiguous: bool
    tie_rank: float

    def same_as(self, other: "ScoredItem", names: Iterable[str]) -> bool:
        """Whether another element agrees in the named fields."""
        has_same_values = all(self.values.get(name) == other.values.get(name) for name in names)
        return self.ambiguous == other.ambiguous and has_same_values


class ElementReader(Protocol):
    """Reads one kind of element."""

    @property
    def names(self) -> Sequence[str]:
        """The fields in which two elements must agree."""
        ...

    def read(self, element: Element) -> ScoredItem:
        """Parse an element; nothing is rounded or converted.

        Raises:
            FieldError: A field is missing, of another type or out of its range, or names an unknown cluster.
        """
        ...


@dataclass(frozen=True)
class ItemReader:
    """Reads a reply's elements about items of the sample.

    Attributes:
        fields: The fields of an element; the first is the primary one.
        sign: -1 if less of the primary field is better.
    """

    fields: tuple[Field, ...]
    sign: float = 1.0

    @property
    def names(self) -> Sequence[str]:
        """The fields in which two elements must agree."""
        return [field.name for field in self.fields]

    def read(self, element: Element) -> ScoredItem:
        """Parse an element, as ``ElementReader`` says."""
        values = {field.name: field.read(element.get(field.name)) for field in self.fields}
        primary = values[self.fields[0].name]
        tie_rank = self.sign * primary if isinstance(primary, bool | int | float) else 0.0
        # The contract asks for true if a judge is unsure, so leaving it out means sure.
        is_ambiguous = element.get(AMBIGUOUS, False) is not False
        return ScoredItem(_with_extras(values, element), is_ambiguous, tie_rank)


@dataclass(frozen=True)
class SingletonReader:
    """Reads a reply's elements about singletons and clusters.

    Attributes:
        fields: The fields of an element besides our own three.
        clusters: The ids of the clusters that the judge saw.
    """

    fields: tuple[Field, ...]
    clusters: frozenset[str]

    @property
    def names(self) -> Sequence[str]:
        """The fields in which two elements must agree."""
        return [SHOULD_CLUSTER, BEST_CLUSTER, CONFIDENCE, *(field.name for field in self.fields)]

    def read(self, element: Element) -> ScoredItem:
        """Parse an element, as ``ElementReader`` says."""
        should_cluster, confidence = (
            _SHOULD_FIELD.read(element.get(SHOULD_CLUSTER)),
            _CONFIDENCE_FIELD.read(element.get(CONFIDENCE)),
        )
        best = _key_of_field(element, BEST_CLUSTER)
        if best is None and (element.get(BEST_CLUSTER) is not None or should_cluster):
            raise FieldError(f"{BEST_CLUSTER} must be the id of a cluster where {SHOULD_CLUSTER} is true")
        if best is not None and best not in self.clusters:
            raise FieldError(f"{BEST_CLUSTER} must be one of the ids listed, not {clean_line(repr(best), cap=40)}")
        values = {SHOULD_CLUSTER: should_cluster, BEST_CLUSTER: best, CONFIDENCE: confidence}
        values |= {field.name: field.read(element.get(field.name)) for field in self.fields}
        assert isinstance(confidence, int | float)
        return ScoredItem(
            _with_extras(values, element), ambiguous=confidence <= _LOW_CONFIDENCE, tie_rank=float(confidence)
        )


def _with_extras(values: dict[str, Value], element: Element) -> dict[str, Value]:
    """Return the fields, plus short plain fields that the judge added, such as a note."""
    fields = dict(values)
    for name, value in element.items():
        is_ours = name in fields or name in ("item_id", AMBIGUOUS)
        if is_ours or len(fields) >= _MAX_EXTRA_FIELDS + len(values):
            continue
        try:
            fields[clean_line(name, cap=60)] = Field(name).read(value)
        except FieldError:
            continue
    return fields


@dataclass
class ReconciledReply:
    """A reply compared with the request. Items are identified by their keys.

    Attributes:
        valid: One element for each item that got one.
        differing: Items judged more than once, with different results; the worst of each.
        invalid: Why items have no usable element, by key.
        missing: Items without an element.
        unknown_count: Number of elements about items that weren't requested.
        duplicate_count: Number of elements that repeat another one.
        problem: Why the reply is malformed; empty if it isn't.
    """

    valid: dict[str, ScoredItem] = field(default_factory=dict[str, ScoredItem])
    differing: dict[str, ScoredItem] = field(default_factory=dict[str, ScoredItem])
    invalid: dict[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()
    unknown_count: int = 0
    duplicate_count: int = 0
    problem: str = ""

    @property
    def problems(self) -> dict[str, str]:
        """Why each item without a valid element has none, by key."""
        return {
            **dict.fromkeys(self.missing, "missing"),
            **self.invalid,
            **dict.fromkeys(self.differing, "judged twice, differently"),
        }


def reconcile(text: str, keys: Sequence[str], reader: ElementReader) -> ReconciledReply:
    """Compare a reply with the requested items."""
    reply = parse_elements(text)
    result = ReconciledReply(problem=reply.problem)
    asked_keys = frozenset(keys)
    valid: dict[str, list[ScoredItem]] = {}
    for element in reply.elements:
        key = _key_of_field(element)
        if key not in asked_keys:
            result.unknown_count += 1
            continue
        try:
            scored = reader.read(element)
        except FieldError as error:
            result.invalid[key] = str(error)
        else:
            valid.setdefault(key, []).append(scored)
    for key, (first, *repeats) in valid.items():
        # An unusable element next to a usable one is a second, differing answer.
        if key not in result.invalid and all(other.same_as(first, reader.names) for other in repeats):
            result.valid[key] = first
            result.duplicate_count += len(repeats)
        else:
            result.differing[key] = min([first, *repeats], key=lambda element: element.tie_rank)
            result.invalid.pop(key, None)
    seen_keys = result.valid.keys() | result.differing.keys() | result.invalid.keys()
    result.missing = tuple(key for key in keys if key not in seen_keys)
    return result


def _key_of_field(element: Element, name: str = "item_id") -> str | None:
    value = element.get(name)
    return key_of(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
