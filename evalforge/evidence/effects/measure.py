"""Measures the facts of this package that a boss asks for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from evalforge.evidence.effects.caught_errors import error_facts
from evalforge.evidence.effects.deciding_functions import (
    DECIDING,
    LINES,
    MAX_FOUND,
    function_facts,
    observe_plain_use,
    unmeasured_facts,
)
from evalforge.evidence.effects.replays import Observed, Place, Replays
from evalforge.evidence.effects.shared_state import SHARED, shared_state_fact
from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.evidence import Fact
from evalforge.model.level_rules import MEASURED_IF_ASKED, LevelRules, meets_check
from evalforge.packs.document import read_document
from evalforge.sandbox.execution import Execution

_READ = ("code.io_mixed", "code.module_level_statements")
"""What is read from the code with the help of the lines that were noted."""
_OF_PLAIN_USE = (DECIDING, LINES, *_READ)


_NOTHING = (list[Observed](), list[Observed]())


def asked_effects(rules_file: Path) -> dict[str, int]:
    """The facts of this package that a boss's rules name, with the least number that meets all checks of each.

    Where there are no rules, all are asked for.

    Raises:
        PackError: The file isn't valid.
    """
    if not rules_file.is_file():
        return dict.fromkeys(MEASURED_IF_ASKED, MAX_FOUND)
    rules, asked = read_document(rules_file).parse(LevelRules), dict[str, int]()
    for name in sorted(rules.facts_asked_for.intersection(MEASURED_IF_ASKED)):
        checks = rules.checks_of(name)
        enough = (number for number in range(MAX_FOUND) if all(meets_check(check, number) for check in checks))
        asked[name] = next(enough, MAX_FOUND)
    return asked


class EffectMeasurement:
    """Runs trials again to find the facts of these names, up to these numbers, for the program in these files.

    Make it after the trials, with their run and record, while nobody else uses their host.
    """

    def __init__(
        self, names: Mapping[str, int], run: TrialRun, perform: RunTrials, paths: Sequence[str], execution: Execution
    ) -> None:
        self._names = names
        self._results = run.results
        self._execution = execution
        self._replays = None if execution.hidden or not names else Replays(run, perform, paths)
        asks = not names.keys().isdisjoint(_OF_PLAIN_USE) and self._replays is not None and self._replays.functions
        self._observed = observe_plain_use(self._replays, run.results) if self._replays and asks else _NOTHING

    def execution(self) -> Execution:
        """The record of the trials, with the lines that read or wrote something in those that ran again."""
        notes = [each for again in chain(*self._observed) for each in again.notes]
        streamed = _lines_by_path(chain.from_iterable(each.stream_lines for each in notes))
        acting = _lines_by_path(chain.from_iterable(each.body_lines for each in notes))
        return replace(self._execution, streamed=streamed, acting=acting)

    def facts(self) -> tuple[Fact, ...]:
        """The facts, but for those that are read from the code with the help of this."""
        names = {name: most for name, most in self._names.items() if name not in _READ}
        if self._replays is None:
            return unmeasured_facts(names, "The program hides code, so nothing is known about it.")
        functions = {name: most for name, most in names.items() if name in (DECIDING, LINES)}
        errors = [name for name in names if name not in (*functions, SHARED)]
        return (
            *function_facts(functions, self._replays, self._observed, self._results, self._execution),
            *error_facts(errors, self._replays, self._results, self._execution),
            *([shared_state_fact(self._replays, self._results)] if SHARED in names else []),
        )


def _lines_by_path(places: Iterable[Place]) -> dict[str, frozenset[int]]:
    lines: dict[str, set[int]] = defaultdict(set)
    for path, line in places:
        lines[path].add(line)
    return {path: frozenset(numbers) for path, numbers in lines.items()}
