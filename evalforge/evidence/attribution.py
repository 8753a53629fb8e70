"""Attribution of failures: a trial that fails only because of another criterion's fault is not charged again.

A trial declares which groups' faults it can excuse (``@pytest.mark.grants``). If it and one of those groups fail, it
runs again with that fault excused. If it passes then, its failure is *blamed on* that group, the root cause, and levels
are given as if it had passed. But the points regained never exceed what the root cause costs its own criterion. So
nobody gains by breaking something: without that fault the total would be at least as high.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction

from evalforge.evidence.earned_levels import earned_level
from evalforge.model.evidence import Evidence, Fact, TrialResult
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import LevelRules, trial_groups
from evalforge.model.rubric import BossRubric, Criterion


@dataclass(frozen=True)
class RepeatedFault:
    """Trials that fail because of another criterion's fault, and are not charged again.

    Attributes:
        trials: The number of trials.
        charged: The criterion that is charged for the fault.
    """

    trials: int
    charged: Criterion


def charge_once(rubric: BossRubric, rules: LevelRules, evidence: Evidence) -> Evidence:
    """Remove failures blamed on another criterion's fault, to get the evidence that decides levels.

    The trials themselves are unchanged.
    """
    charged = evidence
    for cause in _root_causes(evidence.trials):
        owner, granted = _owner(rubric, rules, cause), list[str]()
        cost = _total(rubric, rules, _with_all_passed(evidence, cause)) - _total(rubric, rules, evidence)
        for fact in evidence.facts:
            group = fact.name.partition(".")[2]
            if cause not in fact.blamed_on or group == "all" or _owner(rubric, rules, group) == owner:
                continue
            if _most_gained(rubric, rules, {*granted, group}) <= cost:
                granted.append(group)
        for group in granted:
            charged = _without_blamed(charged, group, cause)
    return charged


def repeated_faults(
    rubric: BossRubric, rules: LevelRules, criterion_id: str, evidence: Evidence
) -> Iterator[RepeatedFault]:
    """Yield the faults that a criterion is not charged for, one per criterion that is.

    Args:
        rubric: The boss's rubric.
        rules: The boss's rules.
        criterion_id: The criterion that is not charged.
        evidence: The evidence that decides levels, from ``charge_once``.
    """
    groups = rules.trial_groups(criterion_id)
    counts: dict[str, int] = {}
    for trial in evidence.trials:
        if trial.blamed_on and trial.group in groups and not _is_charged(trial, evidence):
            owner = _owner(rubric, rules, trial.blamed_on)
            counts[owner] = counts.get(owner, 0) + 1
    for owner, count in counts.items():
        yield RepeatedFault(count, rubric.criterion(owner))


def _is_charged(trial: TrialResult, evidence: Evidence) -> bool:
    """Whether a failed trial still counts in the fact of its group."""
    fact = evidence.fact(f"trials.{trial.group}")
    return fact is None or any(finding.trial == trial.title for finding in fact.findings)


def _root_causes(trials: tuple[TrialResult, ...]) -> list[str]:
    """The groups that failures are blamed on and that have failures of their own, in the order of the trials."""
    own_faults = {trial.group for trial in trials if not trial.passed and not trial.blamed_on}
    return list(dict.fromkeys(trial.blamed_on for trial in trials if trial.blamed_on in own_faults))


def _total(rubric: BossRubric, rules: LevelRules, evidence: Evidence) -> Fraction:
    levels = (earned_level(criterion, rules, evidence).level for criterion in rubric.criteria)
    return sum((to_fraction(level.score) for level in levels), Fraction(0))


def _most_gained(rubric: BossRubric, rules: LevelRules, groups: Collection[str]) -> Fraction:
    """The most points that excusing these groups of trials can gain, whatever else the submission fails.

    The present gain isn't enough to go by, because one more fault of its own would lower it.
    """
    return sum((_most_gained_in(criterion, rules, groups) for criterion in rubric.criteria), Fraction(0))


def _most_gained_in(criterion: Criterion, rules: LevelRules, groups: Collection[str]) -> Fraction:
    below = criterion.min_score
    for rule in rules.of(criterion.id):
        asked_groups = trial_groups(check for condition in rule.requires for check in condition.checks)
        if not asked_groups.isdisjoint(groups):
            return to_fraction(criterion.max_score) - to_fraction(below)
        below = rule.level
    return Fraction(0)


def _owner(rubric: BossRubric, rules: LevelRules, group: str) -> str:
    """The criterion that owns a group of trials: the first with a condition on it; empty if none has."""
    return next((criterion.id for criterion in rubric.criteria if group in rules.trial_groups(criterion.id)), "")


def _with_all_passed(evidence: Evidence, group: str) -> Evidence:
    """The evidence as if all trials of a group had passed."""
    fact = evidence.fact(f"trials.{group}")
    return evidence if fact is None else _with_fact(evidence, fact.model_copy(update={"value": 1.0}))


def _without_blamed(evidence: Evidence, group: str, cause: str) -> Evidence:
    """The evidence as if the trials of a group that are blamed on a cause had passed."""
    fact = evidence.fact(f"trials.{group}")
    assert fact is not None
    members = [trial for trial in evidence.trials if trial.group == group]
    titles = {trial.title for trial in members if trial.blamed_on == cause}
    findings = tuple(finding for finding in fact.findings if finding.trial not in titles)
    value = (len(members) - len(findings)) / len(members)
    return _with_fact(evidence, fact.model_copy(update={"value": value, "findings": findings}))


def _with_fact(evidence: Evidence, changed: Fact) -> Evidence:
    """The evidence with a fact replaced by another one of the same name, in the same order."""
    facts = tuple(changed if fact.name == changed.name else fact for fact in evidence.facts)
    # Not model_copy, which would also copy the cached index of the facts.
    return Evidence(
        facts=facts,
        trials=evidence.trials,
        impostors=evidence.impostors,
        claims=evidence.claims,
        notices=evidence.notices,
    )
