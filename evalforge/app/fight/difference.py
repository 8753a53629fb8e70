"""What an attempt changes: its trials, impostors and levels beside those of the attempt before."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

from evalforge.model.evidence import LOAD_GROUP, Evidence, ImpostorResult, TrialResult

if TYPE_CHECKING:
    from evalforge.model.result import BossEvalResult
    from evalforge.model.rubric import BossRubric


class Change(Enum):
    """How a trial ended beside how it ended in the attempt before."""

    UNKNOWN = auto()
    """There is nothing to compare it with."""
    SAME = auto()
    NEWLY_PASSES = auto()
    NEWLY_FAILS = auto()


class Difference:
    """Compares an attempt with the one before as it is measured and judged.

    Args:
        rubric: The rubric; criteria that the attempt before was not judged by are new.
        result: The result of the attempt before; None if this is the first, or is played whole.
        evidence: What was measured then.
    """

    def __init__(
        self, rubric: "BossRubric", result: "BossEvalResult | None" = None, evidence: Evidence | None = None
    ) -> None:
        ids = set(rubric.labels)
        self.scores: dict[str, float] = {c.id: c.score for c in result.criteria if c.id in ids} if result else {}
        self._passed = {trial.id: trial.passed for trial in evidence.trials} if evidence else {}
        self._fates = {impostor.id: impostor.fate for impostor in evidence.impostors} if evidence else {}
        self.counts: Counter[Change] = Counter()
        """How many trials of this attempt changed in each way so far."""
        self.changed_impostors = 0

    @property
    def is_played(self) -> bool:
        """Whether there is an attempt to compare with, so that only what changed is played."""
        return bool(self.scores)

    @property
    def total(self) -> float | None:
        """The score before; None if there is none."""
        return round(sum(self.scores.values()), 9) if self.scores else None

    def is_set_back(self, total: float) -> bool:
        """Whether a score is below the one before."""
        return self.total is not None and total < self.total

    def add_trial(self, trial: TrialResult) -> Change:
        """Compare a trial, and count how it changed."""
        passed_before = self._passed.get(trial.id)
        if not self.is_played or passed_before is None:
            change = Change.UNKNOWN
        elif passed_before is trial.passed:
            change = Change.SAME
        else:
            change = Change.NEWLY_PASSES if trial.passed else Change.NEWLY_FAILS
        if trial.group != LOAD_GROUP:  # whether the code loads isn't a trial of the boss
            self.counts[change] += 1
        return change

    def count_impostors(self, impostors: Sequence[ImpostorResult]) -> frozenset[int]:
        """The positions of the impostors whose fate changed; all of them if there is nothing to compare with."""
        changed = frozenset(
            index for index, impostor in enumerate(impostors) if self._fates.get(impostor.id) is not impostor.fate
        )
        self.changed_impostors = len(changed)
        return changed

    def level_change(self, criterion_id: str, score: float) -> float | None:
        """By how much a criterion changed; None if there is nothing to compare with."""
        return score - self.scores[criterion_id] if criterion_id in self.scores else None

    @property
    def trial_words(self) -> str:
        """How many trials ended as before, and how many didn't; empty if there is nothing to compare with."""
        if not self.is_played or not self.counts:
            return ""
        parts = [f"{self.counts[Change.SAME]} as before"]
        for change, words in ((Change.NEWLY_PASSES, "newly passed"), (Change.NEWLY_FAILS, "newly failed")):
            parts += [f"{self.counts[change]} {words}"] if self.counts[change] else []
        return "trials: " + ", ".join(parts)

    def is_nothing(self, scores: Mapping[str, float]) -> bool:
        """Whether neither trials nor impostors nor levels changed."""
        moved = self.counts[Change.NEWLY_PASSES] + self.counts[Change.NEWLY_FAILS] + self.counts[Change.UNKNOWN]
        return self.is_played and not moved and not self.changed_impostors and scores == self.scores


class Cracks:
    """How far the end of the boss's life has cracked: points that passing trials promise, by criterion.

    Args:
        groups: The trial groups that each criterion depends on.
        max_scores: The highest score of each criterion.
    """

    def __init__(self, groups: Mapping[str, Collection[str]], max_scores: Mapping[str, float]) -> None:
        self._groups, self._max_scores = groups, max_scores
        self._trial_counts: dict[str, int] = {}
        self._points: dict[str, float] = {}

    def plan(self, counts: Mapping[str, int]) -> None:
        """Set how many trials each group has."""
        self._trial_counts = {
            criterion_id: sum(count for group, count in counts.items() if group in groups or "all" in groups)
            for criterion_id, groups in self._groups.items()
        }

    def add_trial(self, trial: TrialResult, change: Change) -> None:
        """Let a trial that newly passes crack the life of its criteria; one that newly fails mends it."""
        step = {Change.NEWLY_PASSES: 1, Change.NEWLY_FAILS: -1, Change.SAME: 0}.get(change, int(trial.passed))
        for criterion_id, groups in self._groups.items():
            count = self._trial_counts.get(criterion_id, 0)
            if count and trial.is_in(groups):
                share = step * self._max_scores.get(criterion_id, 0.0) / count
                self._points[criterion_id] = self._points.get(criterion_id, 0.0) + share

    def close(self, criterion_id: str) -> None:
        """Close the cracks of a criterion, because its level is known now."""
        self._points.pop(criterion_id, None)

    @property
    def points(self) -> float:
        """All points that are promised so far: for each criterion what newly passes beyond what newly fails."""
        return sum(max(0.0, points) for points in self._points.values())
