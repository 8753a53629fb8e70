"""What a reply says about the items that were asked for: one valid element each, or why not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from evalforge.batch.evaluate.fields import AMBIGUOUS, Field, FieldError, Kind, Value
from evalforge.batch.evaluate.items import key_of
from evalforge.batch.evaluate.reading import Element, elements
from evalforge.model.text import clean_line

SHOULD, BEST, CONFIDENCE = "should_cluster", "best_cluster_id", "confidence"
_EXTRA_FIELDS = 12
_CONFIDENCE = Field(CONFIDENCE, Kind.INTEGER, 1, 5)
_SHOULD = Field(SHOULD, Kind.BOOLEAN)


@dataclass(frozen=True)
class Scored:
    """One valid element.

    Attributes:
        values: Its fields; those the rubric asks for, and short plain ones it added.
        ambiguous: Whether it is a best guess.
        order: Which of two that differ is the worse, and stands: the one with the lower order.
    """

    values: dict[str, Value]
    ambiguous: bool
    order: float

    def same_as(self, other: "Scored", names: Iterable[str]) -> bool:
        """Whether another element says the same where it matters."""
        return self.ambiguous == other.ambiguous and all(self.values.get(n) == other.values.get(n) for n in names)


class Reader(Protocol):
    """Reads one kind of element."""

    @property
    def names(self) -> Sequence[str]:
        """The fields that matter."""
        ...

    def read(self, element: Element) -> Scored:
        """The element, strictly.

        Raises:
            FieldError: A field is missing, of another type or out of its range.
        """
        ...


@dataclass(frozen=True)
class ItemReader:
    """Reads elements about items. The first field is the one that is compared; ``sign`` is -1 where less is better."""

    fields: tuple[Field, ...]
    sign: float = 1.0

    @property
    def names(self) -> Sequence[str]:
        """The fields that matter."""
        return [field.name for field in self.fields]

    def read(self, element: Element) -> Scored:
        """The element, strictly.

        Raises:
            FieldError: A field is missing, of another type or out of its range.
        """
        values = {field.name: field.read(element.get(field.name)) for field in self.fields}
        first = values[self.fields[0].name]
        order = self.sign * first if isinstance(first, bool | int | float) else 0.0
        # Who leaves it out has not said that it is sure.
        return Scored(_with_extras(values, element), element.get(AMBIGUOUS) is not False, order)


@dataclass(frozen=True)
class SingletonReader:
    """Reads elements about singletons. A cluster must be one of those that were listed."""

    fields: tuple[Field, ...]
    clusters: frozenset[str]

    @property
    def names(self) -> Sequence[str]:
        """The fields that matter."""
        return [SHOULD, BEST, CONFIDENCE, *(field.name for field in self.fields)]

    def read(self, element: Element) -> Scored:
        """The element, strictly.

        Raises:
            FieldError: A field is missing, of another type or out of its range, or the cluster isn't known.
        """
        should, confidence = _SHOULD.read(element.get(SHOULD)), _CONFIDENCE.read(element.get(CONFIDENCE))
        best = _id(element, BEST)
        if best is None and (element.get(BEST) is not None or should):
            raise FieldError(f"{BEST} must be the id of a cluster where {SHOULD} is true")
        if best is not None and best not in self.clusters:
            raise FieldError(f"{BEST} must be one of the ids listed, not {clean_line(repr(best), cap=40)}")
        values = {SHOULD: should, BEST: best, CONFIDENCE: confidence}
        values |= {field.name: field.read(element.get(field.name)) for field in self.fields}
        assert isinstance(confidence, int | float)
        return Scored(_with_extras(values, element), ambiguous=confidence <= 2, order=float(confidence))


def _with_extras(values: dict[str, Value], element: Element) -> dict[str, Value]:
    """What the judge added by itself, such as a note, as far as it is short and plain."""
    extras = dict(values)
    for name, value in element.items():
        if name in extras or name in ("item_id", AMBIGUOUS) or len(extras) >= _EXTRA_FIELDS + len(values):
            continue
        try:
            extras[clean_line(name, cap=60)] = Field(name).read(value)
        except FieldError:
            continue
    return extras


@dataclass
class Reconciled:
    """A reply held against what was asked.

    Attributes:
        valid: One element for each item that got one.
        differing: Items judged more than once, and not the same; the worst of each.
        invalid: Items whose every element was unusable, and why.
        missing: Items the reply doesn't speak of.
        unknown: Elements about something nobody asked for.
        doubled: Elements that said again what another had said.
        problem: Why the reply is malformed; empty if it isn't.
    """

    valid: dict[str, Scored] = field(default_factory=dict[str, Scored])
    differing: dict[str, Scored] = field(default_factory=dict[str, Scored])
    invalid: dict[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()
    unknown: int = 0
    doubled: int = 0
    problem: str = ""

    @property
    def problems(self) -> dict[str, str]:
        """Every item without one valid element, and what is wrong about it, in the order they were asked for."""
        return {
            **dict.fromkeys(self.missing, "missing"),
            **self.invalid,
            **dict.fromkeys(self.differing, "judged twice, differently"),
        }


def reconcile(text: str, wanted: Sequence[str], reader: Reader) -> Reconciled:
    """Hold a reply against the items that were asked for."""
    found = elements(text)
    result = Reconciled(problem=found.problem)
    asked = frozenset(wanted)
    valid: dict[str, list[Scored]] = {}
    for element in found.found:
        key = _id(element)
        if key not in asked:
            result.unknown += 1
            continue
        try:
            scored = reader.read(element)
        except FieldError as error:
            result.invalid[key] = str(error)
        else:
            valid.setdefault(key, []).append(scored)
    for key, given in valid.items():
        # An unusable element beside a usable one is a second, differing answer.
        if key not in result.invalid and all(one.same_as(given[0], reader.names) for one in given[1:]):
            result.valid[key] = given[0]
            result.doubled += len(given) - 1
        else:
            result.differing[key] = min(given, key=lambda one: one.order)
            result.invalid.pop(key, None)
    seen = result.valid.keys() | result.differing.keys() | result.invalid.keys()
    result.missing = tuple(key for key in wanted if key not in seen)
    return result


def _id(element: Element, name: str = "item_id") -> str | None:
    given = element.get(name)
    return key_of(given) if isinstance(given, str | int | float) and not isinstance(given, bool) else None
