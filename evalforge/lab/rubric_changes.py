"""The differences between two rubrics and their level rules that may change a level or a verdict."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalforge.lab.draft import DraftPart
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import Condition, LevelRules
from evalforge.model.rubric import Criterion, Level
from evalforge.packs.document import Location
from evalforge.packs.pack import BossPack


@dataclass(frozen=True)
class RubricChange:
    """One change: its location in the draft, and the old text and the new.

    Attributes:
        part: The text it is in.
        location: Keys and indices in the new text; of something removed, where it would be.
        subject: What was changed.
        old: The old value; empty if it was added.
        new: The new value; empty if it was removed.
    """

    part: DraftPart
    location: Location
    subject: str
    old: str
    new: str

    @property
    def summary(self) -> str:
        """The change in one line."""
        if not self.old:
            return f"{self.subject}: new, {self.new}"
        return f"{self.subject}: {self.old} → {self.new}" if self.new else f"{self.subject}: gone, was {self.old}"


@dataclass(frozen=True)
class PlacedCondition:
    """A condition with its level and its location in the level rules."""

    criterion_id: str
    level: Level
    condition: Condition
    location: Location

    @property
    def facts(self) -> frozenset[str]:
        """The names of the facts that the condition checks."""
        return frozenset(check.fact for check in self.condition.checks)

    @property
    def description(self) -> str:
        """Its checks in one line."""
        return " or ".join(f"{check.fact} {' '.join(check.check.split())}" for check in self.condition.checks)


@dataclass(frozen=True)
class ConditionPair:
    """One condition before and after; ``old`` is None if it was added, ``new`` if it was removed."""

    old: PlacedCondition | None
    new: PlacedCondition | None
    change: RubricChange | None


@dataclass(frozen=True)
class CriterionRevision:
    """One criterion before and after.

    Attributes:
        old: None if it was added.
        new: None if it was removed.
        new_levels: The new level by the old level's score; None if the level was removed.
        condition_pairs: Its conditions before and after.
        level_changes: Changes of the levels themselves.
    """

    old: Criterion | None
    new: Criterion | None
    new_levels: dict[float, Level | None]
    condition_pairs: tuple[ConditionPair, ...]
    level_changes: tuple[RubricChange, ...]


def compare_criterion(before: BossPack, after: BossPack, criterion_id: str) -> CriterionRevision:
    """Compare one criterion of two packs."""
    old, new = _criterion_or_none(before, criterion_id), _criterion_or_none(after, criterion_id)
    index = [criterion.id for criterion in after.rubric.criteria].index(criterion_id) if new else 0
    location: Location = ("criteria", index) if new else ("criteria",)
    if old is None or new is None:
        change = RubricChange(
            DraftPart.RUBRIC,
            location,
            f"criterion {criterion_id}",
            _score_range(old) if old else "",
            _score_range(new) if new else "",
        )
        return CriterionRevision(old, new, {}, (), (change,))
    new_levels = _match_levels(old, new)
    old_conditions = list(_placed_conditions(old, before.rules))
    new_conditions = list(_placed_conditions(new, after.rules))
    return CriterionRevision(
        old,
        new,
        new_levels,
        tuple(_pair_conditions(old_conditions, new_conditions, new_levels)),
        tuple(_level_changes(old, new, new_levels, location)),
    )


def threshold_change(before: BossPack, after: BossPack) -> RubricChange | None:
    """The change of the pass threshold, if there is one."""
    old, new = before.rubric.overall.pass_threshold, after.rubric.overall.pass_threshold
    if to_fraction(old) == to_fraction(new):
        return None
    return RubricChange(DraftPart.RUBRIC, ("overall", "pass_threshold"), "pass at", f"{old:g}", f"{new:g}")


def maximum_change(before: BossPack, after: BossPack) -> RubricChange | None:
    """The change of the highest possible total, if there is one."""
    old, new = before.rubric.max_score, after.rubric.max_score
    if to_fraction(old) == to_fraction(new):
        return None
    return RubricChange(DraftPart.RUBRIC, ("criteria",), "highest total", f"{old:g}", f"{new:g}")


def _criterion_or_none(pack: BossPack, criterion_id: str) -> Criterion | None:
    return next((criterion for criterion in pack.rubric.criteria if criterion.id == criterion_id), None)


def _score_range(criterion: Criterion) -> str:
    return f"{criterion.min_score:g} to {criterion.max_score:g}"


def _match_levels(old: Criterion, new: Criterion) -> dict[float, Level | None]:
    """Match old levels' scores to new levels: by equal label and score first, then equal labels, then equal scores."""
    unmatched, matches = list(new.levels), dict[float, Level | None]()
    equalities: tuple[Callable[[Level, Level], bool], ...] = (
        lambda level, other: level.label == other.label and to_fraction(level.score) == to_fraction(other.score),
        lambda level, other: level.label == other.label,
        lambda level, other: to_fraction(level.score) == to_fraction(other.score),
    )
    for are_equal in equalities:
        for level in old.levels:
            partner = next((other for other in unmatched if are_equal(level, other)), None)
            if level.score not in matches and partner is not None:
                matches[level.score] = partner
                unmatched.remove(partner)
    return {level.score: matches.get(level.score) for level in old.levels}


def _level_changes(
    old: Criterion, new: Criterion, new_levels: dict[float, Level | None], location: Location
) -> Iterator[RubricChange]:
    name = new.id
    for level in old.levels:
        partner = new_levels[level.score]
        if partner is None:
            yield RubricChange(
                DraftPart.RUBRIC, (*location, "levels"), f"{name}, level {level.label!r}", f"{level.score:g}", ""
            )
        elif to_fraction(partner.score) != to_fraction(level.score):
            subject = f"{name}, level {partner.label!r} is worth"
            yield RubricChange(
                DraftPart.RUBRIC, (*location, "levels"), subject, f"{level.score:g}", f"{partner.score:g}"
            )
    kept_scores = [partner.score for partner in new_levels.values() if partner]
    for level in new.levels:
        if level.score not in kept_scores:
            yield RubricChange(
                DraftPart.RUBRIC, (*location, "levels"), f"{name}, level {level.label!r}", "", f"{level.score:g}"
            )


def _placed_conditions(criterion: Criterion, rules: LevelRules) -> Iterator[PlacedCondition]:
    for step, rule in enumerate(rules.of(criterion.id)):
        for index, condition in enumerate(rule.requires):
            location = (criterion.id, step, "requires", index)
            yield PlacedCondition(criterion.id, criterion.level(rule.level), condition, location)


def _pair_conditions(
    old_conditions: list[PlacedCondition], new_conditions: list[PlacedCondition], new_levels: dict[float, Level | None]
) -> Iterator[ConditionPair]:
    """Pair old with new conditions, the most similar first; those left over were removed or added."""

    def same_level(old: PlacedCondition, new: PlacedCondition) -> bool:
        return new_levels.get(old.level.score) == new.level

    similarities: tuple[Callable[[PlacedCondition, PlacedCondition], bool], ...] = (
        lambda old, new: old.description == new.description and same_level(old, new),
        lambda old, new: old.description == new.description,
        lambda old, new: old.facts == new.facts and same_level(old, new),
        lambda old, new: bool(old.facts & new.facts) and same_level(old, new),
        lambda old, new: old.condition.otherwise == new.condition.otherwise and same_level(old, new),
        lambda old, new: old.facts == new.facts,
    )
    for are_similar in similarities:
        for old in list(old_conditions):
            partner = next((new for new in new_conditions if are_similar(old, new)), None)
            if partner is not None:
                old_conditions.remove(old)
                new_conditions.remove(partner)
                yield ConditionPair(
                    old, partner, _condition_change(old, partner, is_moved=not same_level(old, partner))
                )
    for old in old_conditions:
        location = (old.criterion_id,)
        yield ConditionPair(
            old, None, RubricChange(DraftPart.EVIDENCE, location, f"asked for {old.level.label!r}", old.description, "")
        )
    for new in new_conditions:
        yield ConditionPair(
            None,
            new,
            RubricChange(DraftPart.EVIDENCE, new.location, f"asked for {new.level.label!r}", "", new.description),
        )


def _condition_change(old: PlacedCondition, new: PlacedCondition, *, is_moved: bool) -> RubricChange | None:
    if is_moved:
        was, now = f"{old.description} for {old.level.label!r}", f"{new.description} for {new.level.label!r}"
        return RubricChange(DraftPart.EVIDENCE, new.location, "asked", was, now)
    if old.description == new.description:
        return None
    if len(old.condition.checks) == len(new.condition.checks) == 1 and old.facts == new.facts:
        (fact,) = old.facts
        was, now = (version.description.removeprefix(fact).strip() for version in (old, new))
        return RubricChange(DraftPart.EVIDENCE, new.location, f"{fact} for {new.level.label!r}", was, now)
    return RubricChange(
        DraftPart.EVIDENCE, new.location, f"asked for {new.level.label!r}", old.description, new.description
    )
