"""One fault costs once: a trial that fails only by a fault of another criterion is not charged again.

A trial of the boss says which groups' faults it can grant (``@pytest.mark.grants``). Where it fails and one of those
fails as well, it is asked again with that fault granted; if it passes then, its failure is *blamed on* that group, the
root cause. Levels are given as if it had passed, within one bound: what is not charged again never comes to more than
the root cause costs its own criterion. So nobody gains by breaking something: without that fault the total would be at
least as high.
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
    """Trials that fail by a fault of another criterion, and are not charged again.

    Attributes:
        trials: How many.
        charged: The criterion that is charged for it.
    """

    trials: int
    charged: Criterion


def charge_once(rubric: BossRubric, rules: LevelRules, evidence: Evidence) -> Evidence:
    """The evidence by which levels are given: failures that are blamed on another criterion's fault are taken out.

    The trials themselves stay as they are.
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
    """What a criterion is not charged again, by the criteria that are charged.

    Args:
        rubric: The boss's rubric.
        rules: The boss's rules.
        criterion_id: The criterion that is spared.
        evidence: The evidence by which levels are given, as ``charge_once`` makes it.
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
    """The groups that failures are blamed on and that fail by a fault of their own, in the order of the trials."""
    own_faults = {trial.group for trial in trials if not trial.passed and not trial.blamed_on}
    return list(dict.fromkeys(trial.blamed_on for trial in trials if trial.blamed_on in own_faults))


def _total(rubric: BossRubric, rules: LevelRules, evidence: Evidence) -> Fraction:
    levels = (earned_level(criterion, rules, evidence).level for criterion in rubric.criteria)
    return sum((to_fraction(level.score) for level in levels), Fraction(0))


def _most_gained(rubric: BossRubric, rules: LevelRules, groups: Collection[str]) -> Fraction:
    """The most that a submission can gain where these groups of trials are granted, whatever else it fails.

    What it gains now would be too little to go by: one more fault of its own would make the grant cheaper.
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
    """The criterion that a group of trials belongs to: the first that rests on it; empty if none does."""
    return next((criterion.id for criterion in rubric.criteria if group in rules.trial_groups(criterion.id)), "")


def _with_all_passed(evidence: Evidence, group: str) -> Evidence:
    """The evidence as it would be if all trials of a group had passed."""
    fact = evidence.fact(f"trials.{group}")
    return evidence if fact is None else _with_fact(evidence, fact.model_copy(update={"value": 1.0}))


def _without_blamed(evidence: Evidence, group: str, cause: str) -> Evidence:
    """The evidence as it would be if the trials of a group that are blamed on a cause had passed."""
    fact = evidence.fact(f"trials.{group}")
    assert fact is not None
    members = [trial for trial in evidence.trials if trial.group == group]
    titles = {trial.title for trial in members if trial.blamed_on == cause}
    findings = tuple(finding for finding in fact.findings if finding.trial not in titles)
    value = (len(members) - len(findings)) / len(members)
    return _with_fact(evidence, fact.model_copy(update={"value": value, "findings": findings}))


def _with_fact(evidence: Evidence, changed: Fact) -> Evidence:
    """The same evidence with another fact of the same name; the order stays."""
    facts = tuple(changed if fact.name == changed.name else fact for fact in evidence.facts)
    return Evidence(facts=facts, trials=evidence.trials, impostors=evidence.impostors, notices=evidence.notices)
