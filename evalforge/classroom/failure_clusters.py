"""Clusters submissions that fail alike: those with a known mistake, then those with mostly the same failures."""

import heapq
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evalforge.evidence.attribution import charge_once
from evalforge.evidence.earned_levels import earned_level
from evalforge.evidence.mistakes import find_mistakes
from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP, Evidence
from evalforge.model.level_rules import trial_groups
from evalforge.model.reason import Mistake
from evalforge.packs.pack import BossPack

# Groups similar items: average linkage over a weighted Jaccard similarity.

MIN_SIMILARITY = 0.5
"""Groups are joined while their members' mean similarity is at least this. See the test with hand-made groups."""
_MAX_PATTERNS = 1_500
"""More distinct patterns than this are not grouped, because the number of pairs grows quadratically."""


def weighted_jaccard(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The weight of what two have in common, as a share of the weight of everything that either has."""
    keys = one.keys() | other.keys()
    total = sum(max(one.get(key, 0.0), other.get(key, 0.0)) for key in keys)
    common = sum(min(one[key], other[key]) for key in one.keys() & other.keys())
    return common / total if total else 1.0


def join_similar(
    weights: Sequence[Mapping[str, float]], sizes: Sequence[int], min_similarity: float = MIN_SIMILARITY
) -> list[list[int]]:
    """Join patterns into groups.

    Args:
        weights: For each pattern its features with their weights.
        sizes: For each pattern the number of things that have it.
        min_similarity: Groups are joined while the mean similarity between them is at least this.

    Returns:
        The indices of each group's patterns.
    """
    groups = {index: [index] for index in range(len(weights))}
    if len(weights) > _MAX_PATTERNS:
        return list(groups.values())
    counts = dict(enumerate(sizes))
    similarities = {
        (one, other): weighted_jaccard(weights[one], weights[other]) for one, other in combinations(groups, 2)
    }
    queue = [(-similarity, pair) for pair, similarity in similarities.items() if similarity >= min_similarity]
    heapq.heapify(queue)
    while queue:
        negative, pair = heapq.heappop(queue)
        if similarities.get(pair) != -negative:
            continue  # One of the two has already been joined to another group.
        _join(pair, groups, counts, similarities, queue, min_similarity)
    return list(groups.values())


def _join(
    pair: tuple[int, int],
    groups: dict[int, list[int]],
    counts: dict[int, int],
    similarities: dict[tuple[int, int], float],
    queue: list[tuple[float, tuple[int, int]]],
    min_similarity: float,
) -> None:
    """Join the second group of a pair to the first, averaging their similarities to every other group by size."""
    kept, joined = pair
    del similarities[pair]
    for other in groups.keys() - {kept, joined}:
        own, lost = _ordered(kept, other), _ordered(joined, other)
        total = counts[kept] * similarities[own] + counts[joined] * similarities.pop(lost)
        similarities[own] = total / (counts[kept] + counts[joined])
        if similarities[own] >= min_similarity:
            heapq.heappush(queue, (-similarities[own], own))
    groups[kept] += groups.pop(joined)
    counts[kept] += counts.pop(joined)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


# Classifies the difference between what a trial expected and what it got.

# As in: main.py --n 2: expected standard output 'ab\n'; got exit status 0, standard output 'aB\n'.
_EXPECTED_GOT = re.compile(r"expected (?P<expected>.*?); got (?P<got>.*?)\.?$", re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_EXCEPTION = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Interrupt|Exit))\b")
_STATUS = re.compile(r"exit status (-?\d+)")
_SPACE, _DIGITS, _LETTERS = re.compile(r"(?:\\[nrt]|\s)+"), re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_MAX_CHARS = 2_000


def discrepancy(message: str) -> str:
    """Return the kind of difference in a failed trial's message, such as ``digits`` or ``extra output at the end``.

    >>> discrepancy("main.py: expected standard output 'a 1'; got exit status 0, standard output 'a 2'.")
    'digits'
    """
    match = _EXPECTED_GOT.search(message[:_MAX_CHARS])
    if not match:
        return _exception(message) or "other"
    expected, got = match["expected"], match["got"]
    exception = _exception(got)
    if exception:
        return exception
    expected_text, got_text = _last_quoted(expected), _last_quoted(got)
    if expected_text is None and got_text is None:
        statuses = [status.group(1) if status else "" for status in map(_STATUS.search, (expected, got))]
        return f"exit status {statuses[1]} for {statuses[0]}" if all(statuses) else "another value"
    if expected_text is None:
        return "output where none is expected" if got_text else "another value"
    if not got_text:
        return "no output"
    return _text_difference(expected_text, got_text)


def _text_difference(expected: str, got: str) -> str:
    """Return the smallest thing to ignore that makes two texts equal."""
    if got.startswith(expected):
        return "extra output at the end"
    if expected.startswith(got):
        return "missing output at the end"
    if expected.casefold() == got.casefold():
        return "case"
    if _SPACE.sub("", expected) == _SPACE.sub("", got):
        return "spaces"
    if _DIGITS.sub("", expected) == _DIGITS.sub("", got):
        return "digits"
    if _LETTERS.sub("", expected) == _LETTERS.sub("", got):
        return "words"
    return "other text"


def _exception(text: str) -> str:
    match = _EXCEPTION.search(text)
    return match.group(1) if match else ""


def _last_quoted(text: str) -> str | None:
    quotes = _QUOTED.findall(text)
    return (quotes[-1][0] or quotes[-1][1]) if quotes else None


_CAUSE_WEIGHT = 2.0
"""A condition on trials is what somebody misunderstands; which of its trials show it is partly chance.

The adjusted Rand index of ``benchmarks/clusters.py`` is 0.89 with it, and at least 0.84 for thresholds from 0.4 to
0.55; without it these are 0.77 and 0.71.
"""


class FailedTrial(Frozen):
    """A trial that did not pass."""

    id: str
    group: str
    title: str


class UnmetCondition(Frozen):
    """A condition that keeps a criterion from a higher level.

    Attributes:
        key: Identifies the condition across submissions.
        words: What is missing, as a sentence of the rules.
        groups: The groups of trials that it is about; none if it is about code or tests.
    """

    key: str
    criterion_id: str
    words: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class FailureSignature:
    """Everything that one submission fails."""

    row_id: str
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]
    trials_per_group: dict[str, int]
    """The number of trials in each group."""
    discrepancies: frozenset[str] = frozenset()
    """The kinds of differences that its failed trials found, by group."""
    mistakes: tuple[Mistake, ...] = ()
    """The known mistakes that explain failed trials."""

    @property
    def pattern(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Everything that is compared: submissions with the same pattern fail exactly alike."""
        trials = frozenset(trial.id for trial in self.trials)
        return trials, frozenset(condition.key for condition in self.conditions), self.discrepancies

    def without(self, mistakes: Collection[Mistake]) -> "FailureSignature":
        """What it fails besides what known mistakes explain."""
        explained = {title for mistake in mistakes for title in mistake.trials}
        if not explained:
            return self
        trials = tuple(trial for trial in self.trials if trial.title not in explained)
        groups = {trial.group for trial in trials}
        conditions = (
            condition for condition in self.conditions if not condition.groups or groups.intersection(condition.groups)
        )
        kinds = frozenset(kind for kind in self.discrepancies if kind.partition(": ")[0] in groups)
        return replace(self, trials=trials, conditions=tuple(conditions), discrepancies=kinds, mistakes=())

    @property
    def is_unloadable(self) -> bool:
        """Whether its code does not load. A program that merely lacks its arguments passes other trials."""
        return any(trial.group == LOAD_GROUP for trial in self.trials) and self.fails_everything

    @property
    def fails_everything(self) -> bool:
        """Whether it passes no trial, except perhaps that its code loads."""
        failed_count = sum(trial.group != LOAD_GROUP for trial in self.trials)
        return failed_count == sum(count for group, count in self.trials_per_group.items() if group != LOAD_GROUP)


class Cluster(Frozen):
    """Submissions that fail alike; a cluster of one is a singleton. Every export of a run has the same ids.

    A submission is in a cluster for each of its known mistakes, and in one more for what these don't explain.

    Attributes:
        members: The submissions, most typical first.
        trials: The trials that more than half of them fail.
        conditions: The conditions that more than half of them miss.
        similarity: How alike two of them are on average, 0..1; 1 if all fail exactly the same.
    """

    cluster_id: str
    title: str
    members: tuple[str, ...]
    trials: tuple[FailedTrial, ...]
    conditions: tuple[UnmetCondition, ...]
    similarity: float = 1.0


def failure_signature(row_id: str, pack: BossPack, evidence: Evidence) -> FailureSignature:
    """Return everything that a submission fails, according to its evidence."""
    failed_trials = tuple(
        FailedTrial(id=trial.id, group=trial.group, title=trial.title) for trial in evidence.trials if not trial.passed
    )
    unmet: list[UnmetCondition] = []
    charged = charge_once(pack.rubric, pack.rules, evidence)
    for criterion in pack.rubric.criteria:
        for failure in earned_level(criterion, pack.rules, charged).failures:
            checks = " or ".join(f"{check.fact} {check.check}" for check in failure.condition.checks)
            key = f"{criterion.id} {failure.level.score:g}: {checks}"
            groups = tuple(sorted(trial_groups(failure.condition.checks)))
            unmet.append(UnmetCondition(key=key, criterion_id=criterion.id, words=failure.otherwise, groups=groups))
    kinds = frozenset(f"{trial.group}: {discrepancy(trial.message)}" for trial in evidence.trials if not trial.passed)
    sizes = dict(Counter(trial.group for trial in evidence.trials))
    mistakes = tuple(mistake for mistake in find_mistakes(pack, evidence.trials) if mistake.fault)
    return FailureSignature(row_id, failed_trials, tuple(unmet), sizes, kinds, mistakes)


def cluster_failures(signatures: Iterable[FailureSignature]) -> tuple[tuple[Cluster, ...], tuple[Cluster, ...]]:
    """Cluster submissions that fail alike: by the known mistakes that several have, then by all other failures.

    The largest cluster comes first. A submission that fails nothing is in none.

    Returns:
        Clusters of two or more, and singletons.
    """
    signatures = list(signatures)
    shared_mistakes = _mistakes_of_several(signatures)
    alike: dict[tuple[frozenset[str], ...], list[FailureSignature]] = {}
    for whole_signature in signatures:
        own = [mistake for mistake in whole_signature.mistakes if mistake.ids in shared_mistakes]
        signature = whole_signature.without(own)
        if signature.trials or signature.conditions:
            alike.setdefault(signature.pattern, []).append(signature)
    # Sorted by name, so that the same class always gives the same clusters.
    patterns = sorted(
        (sorted(group, key=lambda pattern: pattern.row_id) for group in alike.values()), key=_first_row_id
    )
    joined = join_similar([failure_weights(group[0]) for group in patterns], [len(group) for group in patterns])
    groups = [[signature for index in indices for signature in patterns[index]] for indices in joined]
    by_size = sorted(groups, key=lambda group: (-len(group), _first_row_id(group)))
    shared = [group for group in by_size if len(group) > 1]
    unique = [group for group in by_size if len(group) == 1]
    by_mistake = [
        _mistake_cluster(f"m{number}", *entry) for number, entry in enumerate(shared_mistakes.items(), start=1)
    ]
    return (*by_mistake, *_clusters("c", shared)), _clusters("s", unique)


def _mistakes_of_several(signatures: Iterable[FailureSignature]) -> dict[tuple[str, ...], list[FailureSignature]]:
    """The submissions with each known mistake that at least two have, the most frequent mistake first."""
    with_mistake: dict[tuple[str, ...], list[FailureSignature]] = {}
    for signature in signatures:
        for mistake in signature.mistakes:
            with_mistake.setdefault(mistake.ids, []).append(signature)
    shared = [(ids, sorted(group, key=lambda each: each.row_id)) for ids, group in with_mistake.items() if group[1:]]
    return dict(sorted(shared, key=lambda entry: (-len(entry[1]), entry[0])))


def _mistake_cluster(cluster_id: str, ids: tuple[str, ...], group: Sequence[FailureSignature]) -> Cluster:
    first = group[0]
    mistake = next(mistake for mistake in first.mistakes if mistake.ids == ids)
    return Cluster(
        cluster_id=cluster_id,
        title=mistake.title,
        members=tuple(signature.row_id for signature in group),
        trials=tuple(trial for trial in first.trials if trial.title in mistake.trials),
        conditions=(),
    )


def _first_row_id(group: Sequence[FailureSignature]) -> str:
    return min(signature.row_id for signature in group)


def failure_weights(signature: FailureSignature) -> dict[str, float]:
    """Return each failure of a submission with its weight in comparisons.

    The trials of a group mostly fail together and would outweigh everything, so a group that fails as a whole weighs
    as much as the square root of its size. Code that doesn't load fails everything, which counts as its only failure.
    """
    sizes = signature.trials_per_group
    if signature.is_unloadable:
        return {LOAD_GROUP: 1.0}
    trials = {trial.id: 1 / math.sqrt(max(1, sizes.get(trial.group, 1))) for trial in signature.trials}
    causes = {condition.key: _CAUSE_WEIGHT if condition.groups else 1.0 for condition in signature.conditions}
    return trials | dict.fromkeys(signature.discrepancies, 1.0) | causes


def _clusters(id_prefix: str, groups: Sequence[Sequence[FailureSignature]]) -> tuple[Cluster, ...]:
    cores = [_core(group) for group in groups]
    titles = [_title(core) for core in cores]
    return tuple(
        Cluster(
            cluster_id=f"{id_prefix}{number + 1}",
            title=titles[number] + _title_suffix(number, titles, cores),
            members=tuple(signature.row_id for signature in group),
            trials=cores[number].trials,
            conditions=cores[number].conditions,
            similarity=_mean_similarity(group),
        )
        for number, group in enumerate(groups)
    )


def _core(group: Sequence[FailureSignature]) -> FailureSignature:
    """What more than half of a cluster fail, or what the first fails if no failure is that common."""
    trials = Counter(trial.id for signature in group for trial in signature.trials)
    conditions = Counter(condition.key for signature in group for condition in signature.conditions)
    known_trials = {trial.id: trial for signature in group for trial in signature.trials}
    known_conditions = {condition.key: condition for signature in group for condition in signature.conditions}
    core = replace(
        group[0],
        trials=tuple(trial for key, trial in known_trials.items() if trials[key] * 2 > len(group)),
        conditions=tuple(condition for key, condition in known_conditions.items() if conditions[key] * 2 > len(group)),
    )
    return core if core.trials or core.conditions else group[0]


def _mean_similarity(group: Sequence[FailureSignature]) -> float:
    """The mean over pairs; submissions with the same pattern are compared once."""
    patterns = Counter(signature.pattern for signature in group)
    weights = {signature.pattern: failure_weights(signature) for signature in group}
    pair_count = len(group) * (len(group) - 1) / 2
    if len(patterns) == 1 or not pair_count:
        return 1.0
    total = sum(count * (count - 1) / 2 for count in patterns.values())
    for pattern, other in combinations(patterns, 2):
        total += patterns[pattern] * patterns[other] * weighted_jaccard(weights[pattern], weights[other])
    return round(total / pair_count, 3)


def _title_suffix(number: int, titles: Sequence[str], cores: Sequence[FailureSignature]) -> str:
    """Return what distinguishes a cluster from others of the same title: its rarest unmet condition."""
    namesakes = [other for index, other in enumerate(cores) if index != number and titles[index] == titles[number]]
    own = [condition for condition in cores[number].conditions if condition.words.rstrip(".") not in titles[number]]
    if not namesakes or not own:
        return ""
    shared = Counter(condition.key for signature in namesakes for condition in signature.conditions)
    rarest = min(own, key=lambda condition: shared[condition.key])
    return f". {rarest.words.rstrip('.')}" if shared[rarest.key] < len(namesakes) else " and nothing else"


def _title(signature: FailureSignature) -> str:
    """Return what a submission fails, in one line."""
    if signature.is_unloadable:
        return "Does not load"
    failing = Counter(trial.group for trial in signature.trials if trial.group != LOAD_GROUP)
    if failing and signature.fails_everything:
        return "Fails every trial"
    # What most trials show is what somebody is stuck on; conditions that no trial shows come last.
    causes = sorted(signature.conditions, key=lambda condition: -sum(failing[group] for group in condition.groups))
    sentences = [cause.words.rstrip(".") for cause in causes] or [
        f"Fails “{trial.title.rstrip('.')}”" for trial in signature.trials
    ]
    if not sentences:
        return "Fails in various ways"
    more = len(sentences) - 1
    return ("" if failing else "All trials pass. ") + sentences[0] + (f" (and {more} more)" if more else "")
