"""What one attempt brought that was not there before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.progress.records import AttemptSummary, Hint


@dataclass(frozen=True)
class Reward:
    """One thing an attempt brought; ``words`` say what it is for, where its title doesn't."""

    title: str
    words: str = ""


def new_rewards(attempts: "Sequence[AttemptSummary]", hints: "Sequence[Hint]", attempt_id: str) -> list[Reward]:
    """The weightiest first; nothing for an attempt that brought nothing new.

    Args:
        attempts: All judged attempts, oldest first.
        hints: Hints that were read.
        attempt_id: Of the attempt in question.
    """
    from evalforge.progress.progress import work_out_progress

    index = next((index for index, attempt in enumerate(attempts) if attempt.id == attempt_id), None)
    if index is None:
        return []
    attempt = attempts[index]
    before = work_out_progress(attempts[:index], hints)
    after = work_out_progress(attempts[: index + 1], hints)
    rewards: list[Reward] = []
    if after.rank_progress.rank != before.rank_progress.rank:
        rewards.append(Reward(f"New rank: {after.rank_progress.rank.name}"))
    rewards += [Reward(one.title, one.description) for one, award in after.awards if award.attempt_id == attempt_id]
    best = before.boss_records.get(attempt.boss_id)
    if best is not None and after.boss_records[attempt.boss_id].best.id == attempt_id:
        points = f"{format_number(attempt.score)} of {format_number(attempt.max_score)}"
        rewards.append(Reward(f"Your best on this boss: {points}"))
    return rewards
