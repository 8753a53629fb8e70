"""Measures the facts of this package that a boss asks for."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evalforge.evidence.effects.caught_errors import error_facts
from evalforge.evidence.effects.deciding_functions import DECIDING, LINES, MAX_FOUND, function_facts, unmeasured_facts
from evalforge.evidence.effects.replays import Replays
from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.evidence import Fact
from evalforge.model.level_rules import MEASURED_IF_ASKED, LevelRules, meets_check
from evalforge.packs.document import read_document
from evalforge.sandbox.execution import Execution


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


def effect_facts(
    names: Mapping[str, int], run: TrialRun, perform: RunTrials, paths: Sequence[str], execution: Execution
) -> tuple[Fact, ...]:
    """The facts of these names, up to these numbers, for the program in these files.

    Call it after the trials, with their run and record, while nobody else uses their host.
    """
    if execution.hidden or not names:
        return unmeasured_facts(names, "The program hides code, so nothing is known about it.")
    replays = Replays(run, perform, paths)
    functions = {name: most for name, most in names.items() if name in (DECIDING, LINES)}
    return (
        *function_facts(functions, replays, run.results, execution),
        *error_facts([name for name in names if name not in functions], replays, run.results, execution),
    )
