"""Which levels and verdicts moved between two versions of a pack, and because of what."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.rules import meets
from evalforge.lab.changes import (
    Change,
    CriterionRevision,
    Pair,
    Placed,
    maximum_change,
    revise_criterion,
    threshold_change,
)
from evalforge.library.pack import BossPack
from evalforge.model.evidence import Evidence
from evalforge.model.numbers import exact
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import Level
from evalforge.model.scoring import verdict_of


@dataclass(frozen=True)
class LevelMove:
    """A criterion that was judged otherwise. A side is None where the rubric has no such criterion."""

    criterion_id: str
    label: str
    before: Level | None
    after: Level | None
    causes: tuple[Change, ...]

    @property
    def points(self) -> float:
        """How far the total moved with it."""
        before, after = (exact(level.score) if level else 0 for level in (self.before, self.after))
        return float(after - before)


@dataclass(frozen=True)
class Move:
    """One submission before and after. ``causes`` are of the verdict; each level has its own."""

    before: BossEvalResult
    after: BossEvalResult
    levels: tuple[LevelMove, ...]
    causes: tuple[Change, ...]

    @property
    def verdict_moved(self) -> bool:
        """Whether it ends otherwise now."""
        return self.before.verdict is not self.after.verdict

    @property
    def is_still(self) -> bool:
        """Whether nothing moved."""
        return not self.levels and not self.verdict_moved


class Revision:
    """Two versions of a pack, held side by side once for any number of submissions.

    Args:
        before: The pack as it is saved.
        after: The pack as it is drafted.
    """

    def __init__(self, before: BossPack, after: BossPack) -> None:
        ids = dict.fromkeys(c.id for pack in (before, after) for c in pack.rubric.criteria)
        self._criteria = {name: revise_criterion(before, after, name) for name in ids}
        self._before, self._after = before, after
        self._threshold = threshold_change(before, after)
        self._maximum = maximum_change(before, after)

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes that can move anything."""
        found = [self._threshold]
        for criterion in self._criteria.values():
            found += [*criterion.levels, *(pair.change for pair in criterion.pairs)]
        return tuple(change for change in found if change is not None)

    def moved(self, before: BossEvalResult, after: BossEvalResult, evidence: Evidence) -> Move:
        """What moved for one submission.

        Args:
            before: The forge's result by the first version.
            after: The forge's result by the second.
            evidence: What both stand on.
        """
        levels = tuple(self._levels(before, after, evidence))
        causes: list[Change] = []
        if before.verdict is not after.verdict:
            causes = [*self._of_threshold(before, after), *(cause for move in levels for cause in move.causes)]
        return Move(before, after, levels, tuple(dict.fromkeys(causes)))

    def _levels(self, before: BossEvalResult, after: BossEvalResult, evidence: Evidence) -> Iterator[LevelMove]:
        was = {criterion.id: criterion.score for criterion in before.criteria}
        now = {criterion.id: criterion.score for criterion in after.criteria}
        for name, revision in self._criteria.items():
            old = revision.old.level(was[name]) if revision.old else None
            new = revision.new.level(now[name]) if revision.new else None
            if old is None or new is None or exact(old.score) != exact(new.score) or old.label != new.label:
                known = revision.new or revision.old
                causes = _causes(revision, old, new, evidence)
                if known and causes:
                    yield LevelMove(name, known.label, old, new, causes)

    def _of_threshold(self, before: BossEvalResult, after: BossEvalResult) -> Iterator[Change]:
        """Changes of the line, or of the top, without which the verdict would be another."""
        rubrics = self._before.rubric, self._after.rubric
        old_line, new_line = (exact(rubric.overall.pass_threshold) for rubric in rubrics)
        old_top, new_top = (exact(rubric.max_score) for rubric in rubrics)
        was, now = exact(before.score_total), exact(after.score_total)
        if self._threshold is not None and (
            verdict_of(now, new_top, old_line) is not after.verdict
            or verdict_of(was, old_top, new_line) is not before.verdict
        ):
            yield self._threshold
        if self._maximum is not None and (
            verdict_of(now, old_top, new_line) is not after.verdict
            or verdict_of(was, new_top, old_line) is not before.verdict
        ):
            yield self._maximum


def _causes(
    revision: CriterionRevision, old: Level | None, new: Level | None, evidence: Evidence
) -> tuple[Change, ...]:
    if old is None or new is None:
        return revision.levels
    partner = revision.partners[old.score]
    if partner == new:
        return _naming(revision, (old, new))
    found: list[Change] = []
    if partner is None or exact(new.score) > exact(partner.score):
        reached = next((score for score, became in revision.partners.items() if became == new), None)
        barred = _barring([pair.old for pair in revision.pairs], evidence, old.score, reached)
        found += [pair.change for pair in revision.pairs if pair.old in barred and pair.change]
    if partner is None or exact(new.score) < exact(partner.score):
        barred = _barring([pair.new for pair in revision.pairs], evidence, new.score, None)
        found += [pair.change for pair in revision.pairs if pair.new in barred and pair.change]
    if partner is None or new not in revision.partners.values():
        found += _naming(revision, (old, new))
    # Levels in another order can move what no condition did.
    return tuple(dict.fromkeys(found)) or revision.levels or _all(revision.pairs)


def _barring(placed: list[Placed | None], evidence: Evidence, reached: float, upto: float | None) -> list[Placed]:
    """The conditions that kept a submission from higher levels: up to one, or from the next one alone."""
    above = [one for one in placed if one is not None and exact(one.level.score) > exact(reached)]
    if not above:
        return []
    highest = exact(upto) if upto is not None else min(exact(one.level.score) for one in above)
    return [one for one in above if exact(one.level.score) <= highest and not meets(one.condition, evidence)]


def _naming(revision: CriterionRevision, levels: tuple[Level, Level]) -> tuple[Change, ...]:
    """Changes of the levels themselves that speak of either of two."""
    names = {repr(level.label) for level in levels}
    return tuple(change for change in revision.levels if any(name in change.what for name in names))


def _all(pairs: tuple[Pair, ...]) -> tuple[Change, ...]:
    return tuple(pair.change for pair in pairs if pair.change is not None)
