"""How a trial ended, as a coloured sign."""

from evalforge.model.evidence import TrialOutcome

_MARKS = {TrialOutcome.PASSED: ("✓", "green"), TrialOutcome.NOT_REACHED: ("○", "dim")}


def outcome_mark(outcome: TrialOutcome) -> tuple[str, str]:
    """Return the sign of an outcome, and the style it is printed in."""
    return _MARKS.get(outcome, ("✗", "red"))
