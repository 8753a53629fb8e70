"""Which levels and verdicts change between two versions of a pack, and which rubric changes caused it."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.conditions import is_met
from evalforge.lab.rubric_changes import (
    ConditionPair,
    CriterionRevision,
    PlacedCondition,
    RubricChange,
    compare_criterion,
    maximum_change,
    threshold_change,
)
from evalforge.model.evidence import Evidence
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import Level
from evalforge.model.scoring import verdict_of
from evalforge.packs.pack import BossPack


@dataclass(frozen=True)
class LevelChange:
    """A criterion whose level changed. A level is None if that rubric has no such criterion."""

    criterion_id: str
    label: str
    before: Level | None
    after: Level | None
    causes: tuple[RubricChange, ...]

    @property
    def points(self) -> float:
        """The difference it makes to the total."""
        before, after = (to_fraction(level.score) if level else 0 for level in (self.before, self.after))
        return float(after - before)


@dataclass(frozen=True)
class ScoreChange:
    """One submission before and after. ``causes`` explain the verdict; each level change has its own."""

    before: BossEvalResult
    after: BossEvalResult
    levels: tuple[LevelChange, ...]
    causes: tuple[RubricChange, ...]

    @property
    def verdict_changed(self) -> bool:
        """Whether the verdict differs under the draft."""
        return self.before.verdict is not self.after.verdict

    @property
    def is_unchanged(self) -> bool:
        """Whether levels and verdict are the same."""
        return not self.levels and not self.verdict_changed


class PackRevision:
    """Two versions of a pack, compared once for any number of submissions."""

    def __init__(self, before: BossPack, after: BossPack) -> None:
        ids = dict.fromkeys(c.id for pack in (before, after) for c in pack.rubric.criteria)
        self._criteria = {name: compare_criterion(before, after, name) for name in ids}
        self._before, self._after = before, after
        self._threshold = threshold_change(before, after)
        self._maximum = maximum_change(before, after)

    @property
    def changes(self) -> tuple[RubricChange, ...]:
        """All changes that can change a level or a verdict."""
        changes = [self._threshold]
        for criterion in self._criteria.values():
            changes += [*criterion.level_changes, *(pair.change for pair in criterion.condition_pairs)]
        return tuple(change for change in changes if change is not None)

    def score_change(self, before: BossEvalResult, after: BossEvalResult, evidence: Evidence) -> ScoreChange:
        """Compare the two results of one submission.

        Args:
            before: The forge's result by the first version.
            after: The forge's result by the second.
            evidence: The evidence of both.
        """
        levels = tuple(self._level_changes(before, after, evidence))
        causes: list[RubricChange] = []
        if before.verdict is not after.verdict:
            causes = [*self._passing_causes(before, after), *(cause for change in levels for cause in change.causes)]
        return ScoreChange(before, after, levels, tuple(dict.fromkeys(causes)))

    def _level_changes(
        self, before: BossEvalResult, after: BossEvalResult, evidence: Evidence
    ) -> Iterator[LevelChange]:
        was = {criterion.id: criterion.score for criterion in before.criteria}
        now = {criterion.id: criterion.score for criterion in after.criteria}
        for name, revision in self._criteria.items():
            old = revision.old.level(was[name]) if revision.old else None
            new = revision.new.level(now[name]) if revision.new else None
            is_unchanged = old and new and to_fraction(old.score) == to_fraction(new.score) and old.label == new.label
            if not is_unchanged:
                criterion = revision.new or revision.old
                causes = _causes(revision, old, new, evidence)
                if criterion and causes:
                    yield LevelChange(name, criterion.label, old, new, causes)

    def _passing_causes(self, before: BossEvalResult, after: BossEvalResult) -> Iterator[RubricChange]:
        """Changes of the pass threshold or highest total without which the verdict would be another."""
        rubrics = self._before.rubric, self._after.rubric
        old_threshold, new_threshold = (to_fraction(rubric.overall.pass_threshold) for rubric in rubrics)
        old_maximum, new_maximum = (to_fraction(rubric.max_score) for rubric in rubrics)
        was, now = to_fraction(before.score_total), to_fraction(after.score_total)
        if self._threshold is not None and (
            verdict_of(now, new_maximum, old_threshold) is not after.verdict
            or verdict_of(was, old_maximum, new_threshold) is not before.verdict
        ):
            yield self._threshold
        if self._maximum is not None and (
            verdict_of(now, old_maximum, new_threshold) is not after.verdict
            or verdict_of(was, new_maximum, old_threshold) is not before.verdict
        ):
            yield self._maximum


def _causes(
    revision: CriterionRevision, old: Level | None, new: Level | None, evidence: Evidence
) -> tuple[RubricChange, ...]:
    if old is None or new is None:
        return revision.level_changes
    partner = revision.new_levels[old.score]
    if partner == new:
        return _changes_naming(revision, (old, new))
    causes: list[RubricChange] = []
    if partner is None or to_fraction(new.score) > to_fraction(partner.score):
        highest = next((score for score, became in revision.new_levels.items() if became == new), None)
        failed = _failed_conditions([pair.old for pair in revision.condition_pairs], evidence, old.score, highest)
        causes += [pair.change for pair in revision.condition_pairs if pair.old in failed and pair.change]
    if partner is None or to_fraction(new.score) < to_fraction(partner.score):
        failed = _failed_conditions([pair.new for pair in revision.condition_pairs], evidence, new.score, None)
        causes += [pair.change for pair in revision.condition_pairs if pair.new in failed and pair.change]
    if partner is None or new not in revision.new_levels.values():
        causes += _changes_naming(revision, (old, new))
    # Reordered levels can change a score without any condition failing.
    return tuple(dict.fromkeys(causes)) or revision.level_changes or _condition_changes(revision.condition_pairs)


def _failed_conditions(
    conditions: list[PlacedCondition | None], evidence: Evidence, reached_score: float, highest_score: float | None
) -> list[PlacedCondition]:
    """The conditions that a submission fails above its level.

    Args:
        conditions: All conditions of the criterion.
        evidence: What was measured of the submission.
        reached_score: The score of its level.
        highest_score: The highest level to look at; None for only the one above its own.
    """
    higher_conditions = [
        condition
        for condition in conditions
        if condition is not None and to_fraction(condition.level.score) > to_fraction(reached_score)
    ]
    if not higher_conditions:
        return []
    highest = (
        to_fraction(highest_score)
        if highest_score is not None
        else min(to_fraction(higher_condition.level.score) for higher_condition in higher_conditions)
    )
    return [
        higher_condition
        for higher_condition in higher_conditions
        if to_fraction(higher_condition.level.score) <= highest and not is_met(higher_condition.condition, evidence)
    ]


def _changes_naming(revision: CriterionRevision, levels: tuple[Level, Level]) -> tuple[RubricChange, ...]:
    """Return the changes of levels that mention either of these two."""
    names = {repr(level.label) for level in levels}
    return tuple(change for change in revision.level_changes if any(name in change.subject for name in names))


def _condition_changes(pairs: tuple[ConditionPair, ...]) -> tuple[RubricChange, ...]:
    return tuple(pair.change for pair in pairs if pair.change is not None)
