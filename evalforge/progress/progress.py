"""A player's progress: rank, best attempt on each boss, achievements. Computed from history; no loss lowers it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from evalforge.progress.records import FLAWLESS_VERDICT, PASSING_VERDICTS, TRAINING, AttemptSummary, Hint
from evalforge.progress.tally import TALLY_VERSION, Award, Tally, is_rise, judged_files

# Achievements, each dated by the attempt that first earned it. No later loss takes one away.

_COMEBACK_POINTS = 4
_HINTLESS_FAIL_COUNT = 2
_WHETSTONE_RISE_COUNT = 3
_ARCHIVIST_BOSSES = 8
_TRINITY_BOSSES = 3
_HOUSE_BOSSES = 12


@dataclass(frozen=True)
class Achievement:
    """Something that a player can achieve.

    Attributes:
        is_earned: Whether an attempt earns it, given the tally before that attempt and the hints that were read.
        with_training: Whether attempts on the training boss count.
    """

    id: str
    title: str
    description: str
    is_earned: Callable[[AttemptSummary, Tally, Sequence[Hint]], bool]
    with_training: bool = False

    def award(self, attempt: AttemptSummary, before: Tally, hints: Sequence[Hint]) -> Award | None:
        """Return the award that an attempt earns; None if it earns none.

        Args:
            attempt: The attempt.
            before: The tally before it.
            hints: Hints that were read.
        """
        counts = self.with_training or attempt.boss_id != TRAINING
        if not (counts and self.is_earned(attempt, before, hints)):
            return None
        return Award(attempt_id=attempt.id, boss_title=attempt.boss_title, earned_at=attempt.started_at)


def _first_blood(attempt: AttemptSummary, _before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed


def _flawless(attempt: AttemptSummary, _before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.flawless


def _unaided(attempt: AttemptSummary, _before: Tally, hints: Sequence[Hint]) -> bool:
    return attempt.flawless and not _hints_before(attempt, hints)


def _hints_before(attempt: AttemptSummary, hints: Sequence[Hint]) -> list[Hint]:
    """The hints on the boss that were read before the attempt."""
    return [hint for hint in hints if hint.boss_id == attempt.boss_id and hint.read_at <= attempt.started_at_iso]


def _one_strike(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed and attempt.boss_id not in before.bosses


def _comeback(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    last = _last(attempt, before)
    return last is not None and is_rise(last, attempt) and attempt.score - last.score >= _COMEBACK_POINTS


def _own_hand(attempt: AttemptSummary, before: Tally, hints: Sequence[Hint]) -> bool:
    """Whether an attempt passed with no hint read, though hints are offered after two failed attempts."""
    boss = before.bosses.get(attempt.boss_id)
    return (
        attempt.passed
        and not _hints_before(attempt, hints)
        and boss is not None
        and boss.losses >= _HINTLESS_FAIL_COUNT
    )


def _in_a_row(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    previous = before.previous
    return attempt.passed and previous is not None and previous.passed and previous.boss_id != attempt.boss_id


def _ashes(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    boss = before.bosses.get(attempt.boss_id)
    return attempt.flawless and boss is not None and boss.was_failed


def _whetstone(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return before.rises_with(attempt) >= _WHETSTONE_RISE_COUNT


def _broad_stroke(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    last = _last(attempt, before)
    return last is not None and attempt.score > last.score and _every_level_rose(last, attempt)


def _every_level_rose(last: AttemptSummary, attempt: AttemptSummary) -> bool:
    before, after = last.levels, attempt.levels
    return len(after) > 1 and before.keys() == after.keys() and all(after[name] > before[name] for name in after)


def _second_edge(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    boss = before.bosses.get(attempt.boss_id)
    return attempt.flawless and boss is not None and boss.was_beaten_with_flaws


def _second_opinion(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed and before.first_judges.get(judged_files(attempt), attempt.judge) != attempt.judge


def _archivist(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return len({*before.bosses, attempt.boss_id}) >= _ARCHIVIST_BOSSES


def _trinity(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    flawless = {boss_id for boss_id, boss in before.bosses.items() if boss.points > 1} - {TRAINING}
    return attempt.flawless and len({*flawless, attempt.boss_id}) >= _TRINITY_BOSSES


def _house(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    won = {boss_id for boss_id, boss in before.bosses.items() if boss.points}
    return attempt.passed and len({*won, attempt.boss_id}) >= _HOUSE_BOSSES


def _last(attempt: AttemptSummary, before: Tally) -> AttemptSummary | None:
    """The previous attempt on the same boss."""
    boss = before.bosses.get(attempt.boss_id)
    return boss.last if boss else None


SECOND_OPINION = "second-opinion"
"""The achievement that needs the judges of all files that passed."""
ACHIEVEMENTS = (
    Achievement("first-blood", "First blood", "Defeat a boss.", _first_blood, with_training=True),
    Achievement("flawless", "Nothing to add", "Defeat a boss without a flaw.", _flawless),
    Achievement("unaided", "Unaided", "Defeat a boss without a flaw, and without a hint.", _unaided),
    Achievement("one-strike", "One strike", "Defeat a boss on the first judged attempt.", _one_strike),
    Achievement("comeback", "Comeback", f"{_COMEBACK_POINTS} points more than the previous attempt.", _comeback),
    Achievement("own-hand", "By your own hand", "Win after two lost attempts, without using a hint.", _own_hand),
    Achievement("two-in-a-row", "Two in a row", "Defeat two bosses in a row without a loss.", _in_a_row),
    Achievement("ashes", "Up from the ashes", "Go from a fail to flawless on the same boss.", _ashes),
    Achievement("whetstone", "Whetstone", "Three attempts in a row on a boss, each better than the last.", _whetstone),
    Achievement("broad-stroke", "Broad stroke", "Raise every criterion by a level in a single attempt.", _broad_stroke),
    Achievement("second-edge", "Second edge", "Return to a defeated boss and make the win flawless.", _second_edge),
    Achievement(SECOND_OPINION, "Second opinion", "Pass with the same files before two judges.", _second_opinion),
    Achievement("archivist", "Archivist", f"{_ARCHIVIST_BOSSES} different bosses fought and recorded.", _archivist,
                with_training=True),
    Achievement("trinity", "Three clean blades", "Defeat three bosses without a flaw.", _trinity),
    Achievement("house", "The house is quiet", f"{_HOUSE_BOSSES} different bosses defeated.", _house,
                with_training=True),
)  # fmt: skip


@dataclass(frozen=True)
class Rank:
    """A rank of the forge.

    Attributes:
        points: The points it takes: one for each boss defeated, one more for each flawless win.
        motto: A sentence for the progress page.
    """

    name: str
    points: int
    motto: str


RANKS = (
    Rank("Cold Iron", 0, "Nothing struck yet. Everybody starts on this shelf."),
    Rank("Bellows Hand", 1, "The fire knows your face."),
    Rank("Striker", 3, "You hit what you aimed at."),
    Rank("Journeyman", 6, "You hit where it is needed."),
    Rank("Smith", 9, "Your work comes back only to be admired."),
    Rank("Bladesmith", 13, "Others hold their work next to yours."),
    Rank("Master Smith", 18, "You hear a flaw before you see it."),
    Rank("Forgemaster", 22, "The whole house works to your clock."),
    Rank("Keeper of the Ember", 26, "There is nothing left here that you have not made better."),
)


@dataclass(frozen=True)
class RankProgress:
    """The rank a player has, and the next one; ``next_rank`` is None at the top."""

    rank: Rank
    points: int
    next_rank: Rank | None

    @property
    def points_missing(self) -> int:
        """Points that are missing for the next rank."""
        return self.next_rank.points - self.points if self.next_rank else 0


@dataclass(frozen=True)
class BossRecord:
    """The best attempt on a boss (the first with its highest share of the maximum), and the number of attempts."""

    best: AttemptSummary
    attempt_count: int

    @property
    def integrity(self) -> float:
        """The share of the maximum, 0..1."""
        return self.best.integrity


@dataclass(frozen=True)
class PlayerProgress:
    """Rank, best attempts and achievements.

    Attributes:
        boss_records: The record on each boss, by boss id.
        awards: Achievements that were earned, the earliest first.
        unearned: Achievements that are still to be earned.
        ranks_reached: When each rank was reached, lowest first; the first rank has no date.
    """

    rank_progress: RankProgress
    defeated_count: int
    flawless_count: int
    boss_records: dict[str, BossRecord]
    awards: tuple[tuple[Achievement, Award], ...]
    unearned: tuple[Achievement, ...]
    ranks_reached: tuple[tuple[Rank, datetime], ...]


def work_out_rank(best_verdicts: Mapping[str, str]) -> RankProgress:
    """Compute the rank from the best verdict on each boss.

    Args:
        best_verdicts: The best verdicts, by boss id.
    """
    points = sum((verdict in PASSING_VERDICTS) + (verdict == FLAWLESS_VERDICT) for verdict in best_verdicts.values())
    reached = _ranks_at(points)
    return RankProgress(reached[-1], points, RANKS[len(reached)] if len(reached) < len(RANKS) else None)


def _ranks_at(points: int) -> list[Rank]:
    return [rank for rank in RANKS if rank.points <= points]


def count_attempts(tally: Tally, attempts: Iterable[AttemptSummary], hints: Sequence[Hint] = ()) -> None:
    """Count attempts and what each earns.

    Args:
        tally: The counts so far; changed in place.
        attempts: Judged attempts later than those, oldest first.
        hints: Hints that were read.
    """
    for attempt in attempts:
        for achievement in ACHIEVEMENTS:
            if achievement.id not in tally.awards and (award := achievement.award(attempt, tally, hints)):
                tally.awards[achievement.id] = award
        tally.count(attempt)
        if SECOND_OPINION in tally.awards:
            tally.first_judges.clear()
        reached = len(_ranks_at(tally.points)) - 1
        tally.ranks_reached += [attempt.started_at] * (reached - len(tally.ranks_reached))


def read_tally(tally: Tally) -> PlayerProgress:
    """Return rank, best attempts and achievements of a tally."""
    best_verdicts = {boss_id: ("", "pass", FLAWLESS_VERDICT)[boss.points] for boss_id, boss in tally.bosses.items()}
    awards = [
        (achievement, tally.awards[achievement.id]) for achievement in ACHIEVEMENTS if achievement.id in tally.awards
    ]
    return PlayerProgress(
        rank_progress=work_out_rank(best_verdicts),
        defeated_count=sum(boss.points > 0 for boss in tally.bosses.values()),
        flawless_count=sum(boss.points > 1 for boss in tally.bosses.values()),
        boss_records={boss_id: BossRecord(boss.best, boss.attempt_count) for boss_id, boss in tally.bosses.items()},
        awards=tuple(sorted(awards, key=lambda pair: pair[1].earned_at)),
        unearned=tuple(achievement for achievement in ACHIEVEMENTS if achievement.id not in tally.awards),
        ranks_reached=tuple(zip(RANKS[1:], tally.ranks_reached, strict=False)),
    )


def tally_rules() -> str:
    """Describe what a tally counts; a tally stored under other rules is discarded."""
    rules = [(achievement.id, achievement.description, achievement.with_training) for achievement in ACHIEVEMENTS]
    return json.dumps([TALLY_VERSION, rules, [rank.points for rank in RANKS]])
