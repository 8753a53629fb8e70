"""Building facts from observations: counted, sorted, with a limited number of findings."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalforge.model.evidence import Fact, Finding

MAX_FINDINGS = 20
MAX_WORST_FINDINGS = 5
_MAX_NAME_CHARS = 60


@dataclass(frozen=True, slots=True, order=True)
class Observation:
    """An observation in a file. ``name`` is the function or thing it is about; ``line`` is 0 for the whole file."""

    path: str
    line: int
    message: str
    name: str = ""

    def finding(self) -> Finding:
        """The observation as a finding, the name in backticks before the message."""
        name = f"`{_crop(self.name)}` " if self.name else ""
        return Finding(message=name + self.message, path=self.path, line=self.line or None)


def count_fact(name: str, spots: Iterable[Observation], notes: Iterable[Observation] = ()) -> Fact:
    """A fact whose value is the number of observations; notes on them come first and don't count."""
    spots = sorted(spots)
    return Fact(name=name, value=len(spots), findings=_findings([*sorted(notes), *spots]))


def value_fact(name: str, value: float | bool | None, spots: Iterable[Observation] = ()) -> Fact:
    """A fact with a given value, and the observations that explain it."""
    return Fact(name=name, value=value, findings=_findings(sorted(spots)))


def maximum_fact(name: str, measured: Iterable[tuple[int, Observation]]) -> Fact:
    """A fact with the largest of several measurements, worst places first; the value is None if there are none."""
    by_value = sorted(measured, key=lambda pair: (-pair[0], pair[1]))
    value = by_value[0][0] if by_value else None
    return Fact(
        name=name, value=value, findings=_findings([spot for size, spot in by_value[:MAX_WORST_FINDINGS] if size])
    )


def share_fact(name: str, measured: Iterable[tuple[bool, Observation]]) -> Fact:
    """The share of places that have something, with those that lack it; None if there are no places."""
    measured = list(measured)
    lacking = [spot for has_it, spot in measured if not has_it]
    return value_fact(name, (len(measured) - len(lacking)) / len(measured) if measured else None, lacking)


def _findings(spots: list[Observation]) -> tuple[Finding, ...]:
    return tuple(spot.finding() for spot in spots[:MAX_FINDINGS])


def _crop(name: str) -> str:
    name = name.replace("`", "'")
    return name if len(name) <= _MAX_NAME_CHARS else name[: _MAX_NAME_CHARS - 1] + "…"
