"""A player's progress: rank, best attempt on each boss, achievements. Computed from history; no loss lowers it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from evalforge.progress.achievements import ACHIEVEMENTS, SECOND_OPINION, Achievement
from evalforge.progress.records import FLAWLESS_VERDICT, PASSING_VERDICTS, AttemptSummary, Hint
from evalforge.progress.tally import TALLY_VERSION, Award, Tally


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
