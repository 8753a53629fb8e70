"""What one attempt achieved that earlier ones had not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.history.store import History
    from evalforge.progress.records import AttemptSummary, Hint
    from evalforge.progress.tally import Tally


@dataclass(frozen=True)
class Reward:
    """One reward of an attempt; ``detail`` explains it if its title doesn't."""

    title: str
    detail: str = ""


def stored_rewards(history: "History | None", attempt_id: str) -> list[Reward]:
    """Return the rewards of an attempt, the most important first; empty if it isn't stored or doesn't count."""
    if history is None or not attempt_id:
        return []
    hints = history.hints_read()
    counted = history.tallies.tally_before(attempt_id, hints)
    return new_rewards(*counted, hints) if counted else []


def new_rewards(tally: "Tally", attempt: "AttemptSummary", hints: "Sequence[Hint]") -> list[Reward]:
    """Return the rewards of an attempt, the most important first; empty if there are none.

    Args:
        tally: The tally before the attempt; the attempt is added to it.
        attempt: The attempt in question.
        hints: Hints that were read.
    """
    from evalforge.progress.progress import count_attempts, read_tally

    before, won_before = read_tally(tally), len(tally.bosses_won)
    count_attempts(tally, [attempt], hints)
    after = read_tally(tally)
    rewards: list[Reward] = []
    if after.rank_progress.rank != before.rank_progress.rank:
        rewards.append(Reward(f"New rank: {after.rank_progress.rank.name}"))
    rewards += [
        Reward(achievement.title, achievement.description)
        for achievement, award in after.awards
        if award.attempt_id == attempt.id
    ]
    if attempt.boss_id in before.boss_records and after.boss_records[attempt.boss_id].best.id == attempt.id:
        points = f"{format_number(attempt.score)} of {format_number(attempt.max_score)}"
        rewards.append(Reward(f"Your best on this boss: {points}"))
    return [*rewards, *_streaks(tally, attempt.boss_id, won_before)]


def _streaks(tally: "Tally", boss_id: str, won_before: int) -> "Iterator[Reward]":
    """Yield streaks that the latest attempt extends."""
    rises, bosses_won = tally.bosses[boss_id].improvements, len(tally.bosses_won)
    if rises > 1:
        yield Reward(f"{rises} improvements in a row")
    if bosses_won > 1 and bosses_won > won_before:
        yield Reward(f"{bosses_won} bosses in a row without a loss")
