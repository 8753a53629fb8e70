"""Clusters hand-ins that fail in the same way: the same trials and the same conditions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalforge.evidence.earned_levels import earned_level
from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP, Evidence
from evalforge.packs.pack import BossPack

_MAX_GROUPS_NAMED = 3


class FailedTrial(Frozen):
    """A trial that did not pass."""

    id: str
    group: str
    title: str


class UnmetCondition(Frozen):
    """A condition that keeps a criterion from a higher level.

    Attributes:
        key: The same for the same condition, whoever fails it.
        words: What is missing, as a sentence of the rules.
    """

    key: str
    criterion_id: str
    words: str


@dataclass(frozen=True)
class FailureSignature:
    """All that one hand-in fails."""

    row_id: str
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]
    trials_per_group: dict[str, int]
    """The number of trials in each group."""

    @property
    def pattern(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the hand-ins of one cluster have in common: failed trials and unmet conditions."""
        return frozenset(trial.id for trial in self.trials), frozenset(one.key for one in self.conditions)


class Cluster(Frozen):
    """Hand-ins that fail in the same way; a cluster of one is a singleton. Every export of a run has the same ids."""

    cluster_id: str
    title: str
    members: tuple[str, ...]
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]


def failure_signature(row_id: str, pack: BossPack, evidence: Evidence) -> FailureSignature:
    """Everything a hand-in fails, read off its evidence."""
    failed_trials = tuple(
        FailedTrial(id=trial.id, group=trial.group, title=trial.title) for trial in evidence.trials if not trial.passed
    )
    unmet: list[UnmetCondition] = []
    for criterion in pack.rubric.criteria:
        for failure in earned_level(criterion, pack.rules, evidence).failures:
            checks = " or ".join(f"{check.fact} {check.check}" for check in failure.condition.checks)
            key = f"{criterion.id} {failure.level.score:g}: {checks}"
            unmet.append(UnmetCondition(key=key, criterion_id=criterion.id, words=failure.otherwise))
    return FailureSignature(
        row_id, failed_trials, tuple(unmet), dict(Counter(trial.group for trial in evidence.trials))
    )


def cluster_failures(signatures: Iterable[FailureSignature]) -> tuple[tuple[Cluster, ...], tuple[Cluster, ...]]:
    """Cluster hand-ins that fail the same, the largest cluster first. One that fails nothing is in none.

    Returns:
        Clusters of two or more, and singletons.
    """
    groups: dict[tuple[frozenset[str], frozenset[str]], list[FailureSignature]] = {}
    for signature in signatures:
        if signature.trials or signature.conditions:
            groups.setdefault(signature.pattern, []).append(signature)
    ranked = sorted(groups.values(), key=lambda group: (-len(group), group[0].row_id))
    shared = [group for group in ranked if len(group) > 1]
    unique = [group for group in ranked if len(group) == 1]
    return _clusters("c", shared), _clusters("s", unique)


def _clusters(id_prefix: str, groups: Sequence[Sequence[FailureSignature]]) -> tuple[Cluster, ...]:
    titles = [_title(group[0]) for group in groups]
    return tuple(
        Cluster(
            cluster_id=f"{id_prefix}{number + 1}",
            title=titles[number] + _title_suffix(number, titles, groups),
            members=tuple(signature.row_id for signature in group),
            trials=group[0].trials,
            conditions=group[0].conditions,
        )
        for number, group in enumerate(groups)
    )


def _title_suffix(number: int, titles: Sequence[str], groups: Sequence[Sequence[FailureSignature]]) -> str:
    """What distinguishes a cluster from others of the same title: the condition that fewest of them fail."""
    namesakes = [other[0] for index, other in enumerate(groups) if index != number and titles[index] == titles[number]]
    own = groups[number][0].conditions
    if not namesakes or not own:
        return ""
    shared = Counter(condition.key for signature in namesakes for condition in signature.conditions)
    rarest = min(own, key=lambda condition: shared[condition.key])
    return f"; {rarest.words}" if shared[rarest.key] < len(namesakes) else "; nothing else"


def _title(signature: FailureSignature) -> str:
    """What a hand-in fails, in one line."""
    failing = Counter(trial.group for trial in signature.trials)
    if LOAD_GROUP in failing:
        return "Does not load"
    trial_counts = {group: count for group, count in signature.trials_per_group.items() if group != LOAD_GROUP}
    if failing and sum(failing.values()) == sum(trial_counts.values()):
        return "Fails every trial"
    if not failing:
        more = len(signature.conditions) - 1
        return f"All trials pass; {signature.conditions[0].words}" + (f" (and {more} more)" if more else "")
    common = failing.most_common(_MAX_GROUPS_NAMED)
    named = [f"{group.replace('_', ' ')} ({count} of {trial_counts[group]})" for group, count in common]
    more = len(failing) - len(named)
    return f"Fails {', '.join(named)}" + (f" and {more} more" if more else "")
