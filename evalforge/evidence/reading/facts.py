"""From observations to facts: counted, ordered, capped."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalforge.model.evidence import Fact, Finding

MOST_FINDINGS = 20
MOST_WORST = 5
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """An observation in a file. ``name`` is the function or thing it is about, shown first in the message."""

    path: str
    line: int
    message: str
    name: str = ""

    def finding(self) -> Finding:
        """As it is shown, the name in backticks; line 0 means that no line is to blame."""
        name = f"`{_crop(self.name)}` " if self.name else ""
        return Finding(message=name + self.message, path=self.path, line=self.line or None)


def counted(name: str, spots: Iterable[Spot]) -> Fact:
    """A fact whose value is how often something was seen."""
    spots = sorted(spots)
    return Fact(name=name, value=len(spots), findings=_findings(spots))


def valued(name: str, value: float | bool | None, spots: Iterable[Spot] = ()) -> Fact:
    """A fact with a value of its own, and the places that explain it."""
    return Fact(name=name, value=value, findings=_findings(sorted(spots)))


def greatest(name: str, measured: Iterable[tuple[int, Spot]]) -> Fact:
    """The largest of several measurements, the worst places first; None if there is nothing to measure."""
    ranked = sorted(measured, key=lambda pair: (-pair[0], pair[1]))
    value = ranked[0][0] if ranked else None
    return Fact(name=name, value=value, findings=_findings([spot for size, spot in ranked[:MOST_WORST] if size]))


def share(name: str, part: int, whole: int, lacking: Iterable[Spot] = ()) -> Fact:
    """A share between 0 and 1, with the places that lack it; None of nothing."""
    return valued(name, part / whole if whole else None, lacking)


def _findings(spots: list[Spot]) -> tuple[Finding, ...]:
    return tuple(spot.finding() for spot in spots[:MOST_FINDINGS])


def _crop(name: str) -> str:
    name = name.replace("`", "'")
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
