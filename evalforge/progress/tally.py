"""A player's tries, counted one by one: all that rank, achievements and streaks are worked out from.

A tally is a value that can be stored, so that a long history is counted once and not at every look.
"""

from datetime import datetime

from pydantic import BaseModel

from evalforge.progress.records import TRAINING, AttemptSummary

TALLY_VERSION = 1
"""To be raised when a tally holds something else, or counts in another way."""


class Award(BaseModel, frozen=True):
    """An achievement that was earned: by which attempt, on which boss, when."""

    attempt_id: str
    boss_title: str
    earned_at: datetime


class BossTally(BaseModel):
    """The tries on one boss.

    Attributes:
        attempt_count: How many there were.
        best: The one with the highest share of its maximum, the first of equals.
        last: The latest.
        points: For the rank: 1 for a win, 2 for a flawless one.
        losses: Tries that did not win.
        rises: How many tries in a row, up to the latest, had more points than the one before, of the same maximum.
        improvements: The same by the share of the maximum.
        was_failed: Whether a try was a plain fail.
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
    """All tries of a player up to one of them.

    Attributes:
        bosses: By boss id.
        awards: By the achievement's id.
        ranks_reached: When each rank after the first was reached, lowest first.
        previous: The try before, on whatever boss but the training one.
        bosses_won: Bosses won since the last loss.
        first_judges: The first judge before whom files passed, by boss and content; kept until two have.
    """

    bosses: dict[str, BossTally] = {}
    awards: dict[str, Award] = {}
    ranks_reached: list[datetime] = []
    previous: AttemptSummary | None = None
    bosses_won: list[str] = []
    first_judges: dict[str, str] = {}

    @property
    def points(self) -> int:
        """What the rank is read off."""
        return sum(boss.points for boss in self.bosses.values())

    def rises_with(self, attempt: AttemptSummary) -> int:
        """How many tries in a row would have risen with one more."""
        boss = self.bosses.get(attempt.boss_id)
        return boss.rises + 1 if boss and is_rise(boss.last, attempt) else 0

    def count(self, attempt: AttemptSummary) -> None:
        """Count one more try; it is later than all that are counted."""
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
    """What was judged: the boss, and enough of the content's hash to tell files apart."""
    return f"{attempt.boss_id} {attempt.content_hash[:12]}"


def is_rise(last: AttemptSummary, attempt: AttemptSummary) -> bool:
    """Whether a try has more points than the one before it, of the same maximum."""
    return last.max_score == attempt.max_score and attempt.score > last.score
