"""Who fails in the same way: hand-ins that fail the same trials and conditions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalforge.evidence.rules import earned
from evalforge.library.pack import BossPack
from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP, Evidence

_GROUPS_NAMED = 3


class FailedTrial(Frozen):
    """A trial that was not passed."""

    id: str
    group: str
    title: str


class UnmetCondition(Frozen):
    """A condition that keeps a criterion from its next level; ``key`` tells it from others, ``words`` say it."""

    key: str
    criterion_id: str
    words: str


@dataclass(frozen=True)
class Trouble:
    """All that one hand-in fails."""

    row_id: str
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]
    counts: dict[str, int]
    """How many trials each group has."""

    @property
    def signature(self) -> tuple[frozenset[str], frozenset[str]]:
        """What two hand-ins of one cluster have in common."""
        return frozenset(trial.id for trial in self.trials), frozenset(one.key for one in self.conditions)


class Cluster(Frozen):
    """Hand-ins that fail in the same way; one alone is a singleton. Its id is the same in every export of a run."""

    cluster_id: str
    title: str
    members: tuple[str, ...]
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]


def trouble_of(row_id: str, pack: BossPack, evidence: Evidence) -> Trouble:
    """What a hand-in fails, from its evidence."""
    failed = tuple(
        FailedTrial(id=trial.id, group=trial.group, title=trial.title) for trial in evidence.trials if not trial.passed
    )
    unmet: list[UnmetCondition] = []
    for criterion in pack.rubric.criteria:
        for failure in earned(criterion, pack.rules, evidence).failures:
            checks = " or ".join(f"{check.fact} {check.check}" for check in failure.condition.checks)
            key = f"{criterion.id} {failure.level.score:g}: {checks}"
            unmet.append(UnmetCondition(key=key, criterion_id=criterion.id, words=failure.otherwise))
    return Trouble(row_id, failed, tuple(unmet), dict(Counter(trial.group for trial in evidence.trials)))


def cluster(troubles: Iterable[Trouble]) -> tuple[tuple[Cluster, ...], tuple[Cluster, ...]]:
    """Put together who fails the same, the largest first; who fails nothing is in neither.

    Returns:
        Clusters of two or more, and singletons.
    """
    groups: dict[tuple[frozenset[str], frozenset[str]], list[Trouble]] = {}
    for trouble in troubles:
        if trouble.trials or trouble.conditions:
            groups.setdefault(trouble.signature, []).append(trouble)
    ranked = sorted(groups.values(), key=lambda group: (-len(group), group[0].row_id))
    many = [group for group in ranked if len(group) > 1]
    alone = [group for group in ranked if len(group) == 1]
    return _clusters("c", many), _clusters("s", alone)


def _clusters(letter: str, groups: Sequence[Sequence[Trouble]]) -> tuple[Cluster, ...]:
    titles = [_title(group[0]) for group in groups]
    return tuple(
        Cluster(
            cluster_id=f"{letter}{number + 1}",
            title=titles[number] + _difference(number, titles, groups),
            members=tuple(trouble.row_id for trouble in group),
            trials=group[0].trials,
            conditions=group[0].conditions,
        )
        for number, group in enumerate(groups)
    )


def _difference(number: int, titles: Sequence[str], groups: Sequence[Sequence[Trouble]]) -> str:
    """What tells a cluster from others of the same title: a condition that fewest of them fail."""
    namesakes = [other[0] for index, other in enumerate(groups) if index != number and titles[index] == titles[number]]
    own = groups[number][0].conditions
    if not namesakes or not own:
        return ""
    shared = Counter(condition.key for trouble in namesakes for condition in trouble.conditions)
    rarest = min(own, key=lambda condition: shared[condition.key])
    return f"; {rarest.words}" if shared[rarest.key] < len(namesakes) else "; nothing else"


def _title(trouble: Trouble) -> str:
    """What a hand-in fails, in a line."""
    failing = Counter(trial.group for trial in trouble.trials)
    if LOAD_GROUP in failing:
        return "Does not load"
    counted = {group: count for group, count in trouble.counts.items() if group != LOAD_GROUP}
    if failing and sum(failing.values()) == sum(counted.values()):
        return "Fails every trial"
    if not failing:
        more = len(trouble.conditions) - 1
        return f"All trials pass; {trouble.conditions[0].words}" + (f" (and {more} more)" if more else "")
    common = failing.most_common(_GROUPS_NAMED)
    named = [f"{group.replace('_', ' ')} ({count} of {counted[group]})" for group, count in common]
    more = len(failing) - len(named)
    return f"Fails {', '.join(named)}" + (f" and {more} more" if more else "")
