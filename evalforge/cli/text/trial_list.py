"""The trials of a fight as lines: one for each that failed, and one for each group of those that passed."""

import re
from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

from evalforge.cli import output
from evalforge.model.events import TrialsPlanned
from evalforge.model.evidence import TrialOutcome, TrialResult

if TYPE_CHECKING:
    from rich.console import Console

_MARKS = {TrialOutcome.PASSED: ("✓", "green"), TrialOutcome.NOT_REACHED: ("○", "dim")}
_ENDING = re.compile(r"(\w+) escaped at (\S+:\d+)")


def outcome_mark(outcome: TrialOutcome) -> tuple[str, str]:
    """Return the sign of an outcome, and the style it is printed in."""
    return _MARKS.get(outcome, ("✗", "red"))


class TrialList:
    """Prints trials as they end.

    Args:
        out: Where to print.
        full: Whether each trial that passed has a line of its own.
    """

    def __init__(self, out: "Console", *, full: bool) -> None:
        self._out = out
        self._full = full
        self._sizes: dict[str, int] = {}
        self._endings: set[str] = set()
        self._ended: dict[str, list[TrialResult]] = defaultdict(list)

    def plan(self, event: TrialsPlanned) -> None:
        """Print how many trials there are."""
        self._sizes = dict(event.groups)
        groups = ", ".join(f"{name} {count}" for name, count in event.groups.items())
        output.print_line(self._out, f"{sum(event.groups.values())} trials{f': {groups}' if self._full else ''}")

    def add(self, trial: TrialResult) -> None:
        """Print a trial, or, if it passed, one line for its group once all trials of the group have ended."""
        ended = self._ended[trial.group]
        ended.append(trial)
        size = self._sizes.get(trial.group, 1)
        if self._full or size == 1 or not trial.passed:
            self._print(trial)
        passed = sum(each.passed for each in ended)
        if passed and not self._full and 1 < size == len(ended):
            mark, style = outcome_mark(TrialOutcome.PASSED)
            output.print_line(self._out, (f"{mark} ", style), f"{trial.group}: {passed} of {size} passed", indent="  ")

    def failed_groups(self, titles: Collection[str]) -> tuple[str, ...]:
        """The groups of the failed trials with these titles, in the order in which they were printed."""
        failed = (trial for ended in self._ended.values() for trial in ended if not trial.passed)
        return tuple(dict.fromkeys(trial.group for trial in failed if trial.title in titles))

    def _message_of(self, trial: TrialResult) -> str:
        """What a failed trial said; if it ended in an exception where an earlier one did, no more than that."""
        ending = _ENDING.match(trial.message)
        if ending is None or self._full:
            return trial.message
        if ending[0] in self._endings:
            return f"{ending[1]} at {ending[2]}, too"
        self._endings.add(ending[0])
        return trial.message

    def _print(self, trial: TrialResult) -> None:
        mark, style = outcome_mark(trial.outcome)
        words = [(f"{mark} ", style), f"{trial.group}: {trial.title}"]
        if not trial.passed:
            words.append((f"  [{trial.outcome.value}] {self._message_of(trial)}", "dim"))
        if trial.blamed_on:
            words.append((f"  Blamed on {trial.blame_words}.", "dim"))
        output.print_line(self._out, *words, indent="  ")
