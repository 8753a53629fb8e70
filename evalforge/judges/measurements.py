"""The measurements that a model reads: numbers in the system prompt, messages of failures with the submission.

What a program printed or raised is the player's text, so it goes between the borders, where the model trusts nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.conditions import is_met
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.judges.base import Case
from evalforge.model.evidence import Evidence, Fact, TrialResult
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import LevelRules, trial_groups
from evalforge.model.rubric import Criterion
from evalforge.packs.fact_catalogue import CATALOGUE
from evalforge.packs.pack import BossPack

_MAX_TRIALS_PER_LIMIT = 3
_MAX_MESSAGE_CHARS = 400


@dataclass(frozen=True)
class DataNote:
    """A title in our words, and text that the submission may have influenced: data, never instructions."""

    title: str
    text: str


def measured_numbers(case: Case) -> dict[str, object]:
    """The values of facts that affect a level, the outcomes of trials, and the limits of levels."""
    names = case.pack.rules.facts_asked_for
    return {
        "facts": {
            fact.name: round(fact.value, 3) if isinstance(fact.value, float) else fact.value
            for fact in case.charged_evidence.facts
            if fact.name in names and not isinstance(fact.value, str)
        },
        "trials": _outcomes_by_group(case.charged_evidence),
        "level_limits": {
            criterion.id: limit.score
            for criterion in case.pack.rubric.criteria
            if (limit := highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0])
            != criterion.levels[-1]
        },
    }


def fact_definitions(pack: BossPack) -> dict[str, str]:
    """Descriptions of the facts that the boss's rules use; groups of trials have titles of their own."""
    names = pack.rules.facts_asked_for
    return {name: fact.description for name, fact in CATALOGUE.items() if name in names}


def failure_notes(case: Case) -> Iterator[DataNote]:
    """Yield why levels are limited, the failed trials behind that, and why facts could not be measured."""
    trial_ids: set[str] = set()
    for criterion in case.pack.rubric.criteria:
        limit, reason = highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)
        if to_fraction(limit.score) == to_fraction(criterion.max_score):
            continue
        yield DataNote(f"why {criterion.id} is limited to {limit.score:g}", reason[:_MAX_MESSAGE_CHARS])
        failed = [
            trial
            for trial in _failed_trials(criterion, case.pack.rules, case.charged_evidence)
            if trial.id not in trial_ids
        ]
        for trial in failed[:_MAX_TRIALS_PER_LIMIT]:
            trial_ids.add(trial.id)
            yield DataNote(f"failed trial: {trial.title}", _trial_text(trial))
    names = case.pack.rules.facts_asked_for
    for fact in case.charged_evidence.facts:
        if fact.value is None and fact.name in names and fact.findings:
            yield DataNote(f"why {fact.name} was not measured", _finding_text(fact))


def _failed_trials(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> list[TrialResult]:
    """The failed trials in the groups of conditions that a criterion doesn't meet."""
    conditions = (condition for rule in rules.of(criterion.id) for condition in rule.requires)
    checks = (check for condition in conditions if not is_met(condition, evidence) for check in condition.checks)
    groups = trial_groups(checks)
    return [trial for trial in evidence.trials if trial.group in groups and not trial.passed]


def _trial_text(trial: TrialResult) -> str:
    """A failed trial's last call and its message; if it has neither, its outcome."""
    call = trial.steps[-1].call[:_MAX_MESSAGE_CHARS] if trial.steps else ""
    message = trial.message[:_MAX_MESSAGE_CHARS]
    return "\n".join(filter(None, (call, message))) or trial.outcome.value


def _finding_text(fact: Fact) -> str:
    finding = fact.findings[0]
    return f"{finding.place} {finding.message}".strip()[:_MAX_MESSAGE_CHARS]


def _outcomes_by_group(evidence: Evidence) -> dict[str, dict[str, str]]:
    outcomes: dict[str, dict[str, str]] = {}
    for trial in evidence.trials:
        outcomes.setdefault(trial.group, {})[trial.title] = trial.outcome.value
    return outcomes
