"""Gates: conditions on measured values that must hold before a judge is paid."""

from collections.abc import Iterable, Mapping

from evalforge.evaluate.measurement_spec import Gate
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import is_finite
from evalforge.model.level_rules import meets_check
from evalforge.model.text import clean_line

MeasuredValue = bool | int | float | None
_SECTIONS = ("gates", "metrics", "diagnostics")


class GateResult(Frozen):
    """One gate, the measured value, and whether it passed."""

    name: str
    check: str
    value: MeasuredValue
    passed: bool
    description: str = ""

    @property
    def summary(self) -> str:
        """The gate in one line: ``cluster_count is 1, wanted >= 5 (one blob is no clustering)``."""
        if self.value is None:
            value = "missing"
        else:
            value = str(self.value) if isinstance(self.value, bool) else f"{self.value:g}"
        summary = f"{self.name} is {value}, wanted {self.check}"
        return f"{summary} ({self.description})" if self.description else summary


def measured_value(values: Mapping[str, object], name: str) -> MeasuredValue:
    """A measured number or boolean, at the top level or in one of the usual sections; None if there is none."""
    sections = [values, *(values.get(name) for name in _SECTIONS)]
    for section in sections:
        value = section.get(name) if isinstance(section, Mapping) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if isinstance(value, bool | int | float) and is_finite(value):
            return value
    return None


def check_gates(gates: Iterable[Gate], values: Mapping[str, object]) -> tuple[GateResult, ...]:
    """Check measured values; a gate fails if its value is missing or isn't a number."""
    return tuple(
        GateResult(
            name=clean_line(gate.name),
            check=gate.check,
            value=(value := measured_value(values, gate.name)),
            passed=meets_check(gate.check, value),
            description=clean_line(gate.description),
        )
        for gate in gates
    )
