"""Gates: cheap conditions that keep a broken output from costing a judge."""

from collections.abc import Iterable, Mapping

from evalforge.batch.evaluate.spec import Gate
from evalforge.model.base import Frozen
from evalforge.model.numbers import is_finite
from evalforge.model.rules import holds
from evalforge.model.text import clean_line

Measured = bool | int | float | None
_SECTIONS = ("gates", "metrics", "diagnostics")


class GateResult(Frozen):
    """One gate, the value it was held against, and whether it holds."""

    name: str
    check: str
    value: Measured
    passed: bool
    description: str = ""

    @property
    def words(self) -> str:
        """What it says, in a line."""
        value = (
            "missing" if self.value is None else f"{self.value:g}" if not isinstance(self.value, bool) else self.value
        )
        told = f"{self.name} is {value}, wanted {self.check}"
        return f"{told} ({self.description})" if self.description else told


def measured(values: Mapping[str, object], name: str) -> Measured:
    """A measured number or truth value, at the top or in one of the usual sections; None if there is none."""
    places = [values, *(values.get(section) for section in _SECTIONS)]
    for place in places:
        value = place.get(name) if isinstance(place, Mapping) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if isinstance(value, bool | int | float) and is_finite(value):
            return value
    return None


def check_gates(gates: Iterable[Gate], values: Mapping[str, object]) -> tuple[GateResult, ...]:
    """Hold measured values against gates; one that is missing or no number fails its gate."""
    results: list[GateResult] = []
    for gate in gates:
        value = measured(values, gate.name)
        results.append(
            GateResult(
                name=clean_line(gate.name),
                check=gate.check,
                value=value,
                passed=holds(gate.check, value),
                description=clean_line(gate.description),
            )
        )
    return tuple(results)
