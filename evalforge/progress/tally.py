"""A player's attempts, counted one by one: the source of rank, achievements and streaks.

A tally can be stored, so that a long history is counted once and not every time it is shown.
"""

from datetime import datetime

from pydantic import BaseModel

from evalforge.progress.records import TRAINING, AttemptSummary

TALLY_VERSION = 1
"""Raise this when a tally's content or its way of counting changes."""


class Award(BaseModel, frozen=True):
    """An achievement that was earned: by which attempt, on which boss, when."""

    attempt_id: str
    boss_title: str
    earned_at: datetime


class BossTally(BaseModel):
    """The attempts on one boss.

    Attributes:
        attempt_count: Number of attempts.
        best: The attempt with the highest share of its maximum, the first of equals.
        last: The latest attempt.
        points: Points for the rank: 1 for a win, 2 for a flawless one.
        losses: Attempts that did not win.
        rises: How many attempts in a row, up to the latest, had more points than the one before (same maximum).
        improvements: Like ``rises``, but by the share of the maximum.
        was_failed: Whether an attempt was a plain fail.
        was_beaten_with_flaws: Whether a win left something to improve.
    """

    attempt_count: int = 0
    best: AttemptSummary
    last: AttemptSummary
    points: int = 0
    losses: int = 0
    rises: int = 0
    improvements: int = 0
    was_failed: bool = False
    was_beaten_with_flaws: bool = False


class Tally(BaseModel):
    """All attempts of a player up to a given one.

    Attributes:
        bosses: Attempts by boss id.
        awards: Achievements earned, by id.
        ranks_reached: When each rank after the first was reached, lowest first.
        previous: The previous attempt on any boss but the training one.
        bosses_won: Bosses won since the last loss.
        first_judges: The first judge that passed the same files, by boss and content; kept until a second one does.
    """

    bosses: dict[str, BossTally] = {}
    awards: dict[str, Award] = {}
    ranks_reached: list[datetime] = []
    previous: AttemptSummary | None = None
    bosses_won: list[str] = []
    first_judges: dict[str, str] = {}

    @property
    def points(self) -> int:
        """The points that decide the rank."""
        return sum(boss.points for boss in self.bosses.values())

    def rises_with(self, attempt: AttemptSummary) -> int:
        """How many attempts in a row would have risen if this one is counted."""
        boss = self.bosses.get(attempt.boss_id)
        return boss.rises + 1 if boss and is_rise(boss.last, attempt) else 0

    def count(self, attempt: AttemptSummary) -> None:
        """Count one more attempt; it must be later than all that are counted."""
        rises = self.rises_with(attempt)
        boss = self.bosses.setdefault(attempt.boss_id, BossTally(best=attempt, last=attempt))
        boss.rises = rises
        boss.improvements = boss.improvements + 1 if attempt.integrity > boss.last.integrity else 0
        boss.attempt_count += 1
        if attempt.integrity > boss.best.integrity:
            boss.best = attempt
        boss.last = attempt
        boss.points = max(boss.points, attempt.passed + attempt.flawless)
        boss.losses += not attempt.passed
        boss.was_failed |= attempt.verdict == "fail"
        boss.was_beaten_with_flaws |= attempt.passed and not attempt.flawless
        if attempt.passed:
            self.bosses_won = list(dict.fromkeys((*self.bosses_won, attempt.boss_id)))
        else:
            self.bosses_won = []
        if attempt.boss_id != TRAINING:
            self.previous = attempt
            if attempt.passed:
                self.first_judges.setdefault(judged_files(attempt), attempt.judge)


def judged_files(attempt: AttemptSummary) -> str:
    """Identify what was judged: the boss, and enough of the content's hash to distinguish files."""
    return f"{attempt.boss_id} {attempt.content_hash[:12]}"


def is_rise(last: AttemptSummary, attempt: AttemptSummary) -> bool:
    """Whether an attempt has more points than the one before it, with the same maximum."""
    return last.max_score == attempt.max_score and attempt.score > last.score
