"""A player's progress: rank, best attempt on each boss, achievements. Worked out from history; no loss lowers it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from evalforge.progress.achievements import ACHIEVEMENTS, Achievement, Award
from evalforge.progress.records import FLAWLESS_VERDICT, PASSING_VERDICTS, AttemptSummary, Hint


@dataclass(frozen=True)
class Rank:
    """A name in the forge.

    Attributes:
        points: What it takes: one for each boss defeated, one more for each of them flawless.
        motto: A sentence for the progress page.
    """

    name: str
    points: int
    motto: str


RANKS = (
    Rank("Cold Iron", 0, "Nothing struck yet. Everybody starts on this shelf."),
    Rank("Bellows Hand", 1, "The fire knows your face."),
    Rank("Striker", 3, "You hit where you were told to."),
    Rank("Journeyman", 6, "You hit where it is needed."),
    Rank("Smith", 9, "Your work comes back only to be admired."),
    Rank("Bladesmith", 13, "Others hold their work next to yours."),
    Rank("Master Smith", 18, "You hear a flaw before you see it."),
    Rank("Forgemaster", 22, "The house burns by your hours."),
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
        """Points to the next rank."""
        return self.next_rank.points - self.points if self.next_rank else 0


@dataclass(frozen=True)
class BossRecord:
    """The best try on a boss: the highest share of its maximum, the first of equals; and how many tries there were."""

    best: AttemptSummary
    attempt_count: int

    @property
    def integrity(self) -> float:
        """The share of the maximum, 0..1."""
        return self.best.integrity


@dataclass(frozen=True)
class Progress:
    """Rank, best attempts and achievements.

    Attributes:
        boss_records: By boss id.
        awards: What was earned, the earliest first.
        unearned: What is still there to be earned.
        ranks_reached: When each rank was reached, lowest first; the first one needs no date.
    """

    rank_progress: RankProgress
    defeated_count: int
    flawless_count: int
    boss_records: dict[str, BossRecord]
    awards: tuple[tuple[Achievement, Award], ...]
    unearned: tuple[Achievement, ...]
    ranks_reached: tuple[tuple[Rank, datetime], ...]


def work_out_rank(best_verdicts: Mapping[str, str]) -> RankProgress:
    """The rank from the best verdict on each boss.

    Args:
        best_verdicts: By boss id.
    """
    points = sum((verdict in PASSING_VERDICTS) + (verdict == FLAWLESS_VERDICT) for verdict in best_verdicts.values())
    reached = [rank for rank in RANKS if rank.points <= points]
    return RankProgress(reached[-1], points, RANKS[len(reached)] if len(reached) < len(RANKS) else None)


def work_out_progress(attempts: Sequence[AttemptSummary], hints: Sequence[Hint] = ()) -> Progress:
    """Work out everything from all judged attempts, oldest first.

    Args:
        attempts: All judged attempts, oldest first.
        hints: Hints that were read.
    """
    best_attempts: dict[str, AttemptSummary] = {}
    attempt_counts: dict[str, int] = {}
    points: dict[str, int] = {}
    ranks: list[tuple[Rank, datetime]] = []
    for attempt in attempts:
        boss_id = attempt.boss_id
        attempt_counts[boss_id] = attempt_counts.get(boss_id, 0) + 1
        if boss_id not in best_attempts or attempt.integrity > best_attempts[boss_id].integrity:
            best_attempts[boss_id] = attempt
        if points.get(boss_id, -1) < (points_won := attempt.passed + attempt.flawless):
            points[boss_id] = points_won
            total = sum(points.values())
            while len(ranks) + 1 < len(RANKS) and RANKS[len(ranks) + 1].points <= total:
                ranks.append((RANKS[len(ranks) + 1], attempt.started_at))
    awards = [(achievement, achievement.award(attempts, hints)) for achievement in ACHIEVEMENTS]
    return Progress(
        rank_progress=work_out_rank({boss: ("", "pass", FLAWLESS_VERDICT)[earned] for boss, earned in points.items()}),
        defeated_count=sum(earned > 0 for earned in points.values()),
        flawless_count=sum(earned > 1 for earned in points.values()),
        boss_records={boss: BossRecord(attempt, attempt_counts[boss]) for boss, attempt in best_attempts.items()},
        awards=tuple(sorted(((one, award) for one, award in awards if award), key=lambda pair: pair[1].earned_at)),
        unearned=tuple(one for one, award in awards if award is None),
        ranks_reached=tuple(ranks),
    )
