"""What differs between two rubrics and their rules, as far as it can move a level or a verdict."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalforge.lab.draft import Part
from evalforge.library.document import Location
from evalforge.library.pack import BossPack
from evalforge.model.numbers import exact
from evalforge.model.rubric import Criterion, Level
from evalforge.model.rules import Condition, LevelRules


@dataclass(frozen=True)
class Change:
    """One change: where it stands in the draft, and the old words beside the new.

    Attributes:
        part: The text it stands in.
        location: Keys and indices in the new text; of what is gone, where it would stand.
        what: What was changed.
        old: What it was; empty if it is new.
        new: What it is; empty if it is gone.
    """

    part: Part
    location: Location
    what: str
    old: str
    new: str

    @property
    def words(self) -> str:
        """The change in one line."""
        if not self.old:
            return f"{self.what}: new, {self.new}"
        return f"{self.what}: {self.old} → {self.new}" if self.new else f"{self.what}: gone, was {self.old}"


@dataclass(frozen=True)
class Placed:
    """A condition where it stands."""

    criterion_id: str
    level: Level
    condition: Condition
    location: Location

    @property
    def facts(self) -> frozenset[str]:
        """The facts it asks about."""
        return frozenset(check.fact for check in self.condition.checks)

    @property
    def words(self) -> str:
        """What it asks for."""
        return " or ".join(f"{check.fact} {' '.join(check.check.split())}" for check in self.condition.checks)


@dataclass(frozen=True)
class Pair:
    """One condition before and after; either is None where there was none."""

    old: Placed | None
    new: Placed | None
    change: Change | None


@dataclass(frozen=True)
class CriterionRevision:
    """One criterion before and after.

    Attributes:
        old: None if it is new.
        new: None if it is gone.
        partners: For each old level's score, the new level it has become; None if it is gone.
        pairs: Its conditions.
        levels: What changed about its levels.
    """

    old: Criterion | None
    new: Criterion | None
    partners: dict[float, Level | None]
    pairs: tuple[Pair, ...]
    levels: tuple[Change, ...]


def revise_criterion(before: BossPack, after: BossPack, criterion_id: str) -> CriterionRevision:
    """Hold one criterion of two packs side by side."""
    old, new = _find(before, criterion_id), _find(after, criterion_id)
    index = [criterion.id for criterion in after.rubric.criteria].index(criterion_id) if new else 0
    place: Location = ("criteria", index) if new else ("criteria",)
    if old is None or new is None:
        change = Change(
            Part.RUBRIC, place, f"criterion {criterion_id}", _scale(old) if old else "", _scale(new) if new else ""
        )
        return CriterionRevision(old, new, {}, (), (change,))
    partners = _partners(old, new)
    olds, news = list(_placed(old, before.rules)), list(_placed(new, after.rules))
    return CriterionRevision(
        old, new, partners, tuple(_pairs(olds, news, partners)), tuple(_level_changes(old, new, partners, place))
    )


def threshold_change(before: BossPack, after: BossPack) -> Change | None:
    """What changed about passing."""
    old, new = before.rubric.overall.pass_threshold, after.rubric.overall.pass_threshold
    if exact(old) == exact(new):
        return None
    return Change(Part.RUBRIC, ("overall", "pass_threshold"), "pass at", f"{old:g}", f"{new:g}")


def maximum_change(before: BossPack, after: BossPack) -> Change | None:
    """What changed about the highest total."""
    old, new = before.rubric.max_score, after.rubric.max_score
    if exact(old) == exact(new):
        return None
    return Change(Part.RUBRIC, ("criteria",), "highest total", f"{old:g}", f"{new:g}")


def _find(pack: BossPack, criterion_id: str) -> Criterion | None:
    return next((criterion for criterion in pack.rubric.criteria if criterion.id == criterion_id), None)


def _scale(criterion: Criterion) -> str:
    return f"{criterion.min_score:g} to {criterion.max_score:g}"


def _partners(old: Criterion, new: Criterion) -> dict[float, Level | None]:
    """Which level became which: the same words and score first, then the same words, then the same score."""
    left, found = list(new.levels), dict[float, Level | None]()
    same: tuple[Callable[[Level, Level], bool], ...] = (
        lambda one, other: one.label == other.label and exact(one.score) == exact(other.score),
        lambda one, other: one.label == other.label,
        lambda one, other: exact(one.score) == exact(other.score),
    )
    for alike in same:
        for level in old.levels:
            partner = next((other for other in left if alike(level, other)), None)
            if level.score not in found and partner is not None:
                found[level.score] = partner
                left.remove(partner)
    return {level.score: found.get(level.score) for level in old.levels}


def _level_changes(
    old: Criterion, new: Criterion, partners: dict[float, Level | None], place: Location
) -> Iterator[Change]:
    name = new.id
    for level in old.levels:
        partner = partners[level.score]
        if partner is None:
            yield Change(Part.RUBRIC, (*place, "levels"), f"{name}, level {level.label!r}", f"{level.score:g}", "")
        elif exact(partner.score) != exact(level.score):
            told = f"{name}, level {partner.label!r} is worth"
            yield Change(Part.RUBRIC, (*place, "levels"), told, f"{level.score:g}", f"{partner.score:g}")
    kept = [partner.score for partner in partners.values() if partner]
    for level in new.levels:
        if level.score not in kept:
            yield Change(Part.RUBRIC, (*place, "levels"), f"{name}, level {level.label!r}", "", f"{level.score:g}")


def _placed(criterion: Criterion, rules: LevelRules) -> Iterator[Placed]:
    for step, rule in enumerate(rules.of(criterion.id)):
        for index, condition in enumerate(rule.requires):
            location = (criterion.id, step, "requires", index)
            yield Placed(criterion.id, criterion.level(rule.level), condition, location)


def _pairs(olds: list[Placed], news: list[Placed], partners: dict[float, Level | None]) -> Iterator[Pair]:
    """Conditions that belong together, those most alike first; what is left was taken out or put in."""

    def same_level(old: Placed, new: Placed) -> bool:
        return partners.get(old.level.score) == new.level

    alike: tuple[Callable[[Placed, Placed], bool], ...] = (
        lambda old, new: old.words == new.words and same_level(old, new),
        lambda old, new: old.words == new.words,
        lambda old, new: old.facts == new.facts and same_level(old, new),
        lambda old, new: bool(old.facts & new.facts) and same_level(old, new),
        lambda old, new: old.condition.otherwise == new.condition.otherwise and same_level(old, new),
        lambda old, new: old.facts == new.facts,
    )
    for belongs in alike:
        for old in list(olds):
            partner = next((new for new in news if belongs(old, new)), None)
            if partner is not None:
                olds.remove(old)
                news.remove(partner)
                yield Pair(old, partner, _condition_change(old, partner, is_moved=not same_level(old, partner)))
    for old in olds:
        location = (old.criterion_id,)
        yield Pair(old, None, Change(Part.EVIDENCE, location, f"asked for {old.level.label!r}", old.words, ""))
    for new in news:
        yield Pair(None, new, Change(Part.EVIDENCE, new.location, f"asked for {new.level.label!r}", "", new.words))


def _condition_change(old: Placed, new: Placed, *, is_moved: bool) -> Change | None:
    if is_moved:
        was, now = f"{old.words} for {old.level.label!r}", f"{new.words} for {new.level.label!r}"
        return Change(Part.EVIDENCE, new.location, "asked", was, now)
    if old.words == new.words:
        return None
    if len(old.condition.checks) == len(new.condition.checks) == 1 and old.facts == new.facts:
        (fact,) = old.facts
        was, now = (one.words.removeprefix(fact).strip() for one in (old, new))
        return Change(Part.EVIDENCE, new.location, f"{fact} for {new.level.label!r}", was, now)
    return Change(Part.EVIDENCE, new.location, f"asked for {new.level.label!r}", old.words, new.words)
