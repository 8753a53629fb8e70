"""What one attempt brought that was not there before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.progress.records import Deed, Hint


@dataclass(frozen=True)
class Reward:
    """One thing an attempt brought; ``words`` say what it is for, where its title doesn't."""

    title: str
    words: str = ""


def new_rewards(deeds: "Sequence[Deed]", hints: "Sequence[Hint]", attempt_id: str) -> list[Reward]:
    """The weightiest first; nothing for an attempt that brought nothing new.

    Args:
        deeds: All judged attempts, oldest first.
        hints: Hints that were read.
        attempt_id: Of the attempt in question.
    """
    from evalforge.progress.progress import progress

    at = next((index for index, deed in enumerate(deeds) if deed.id == attempt_id), None)
    if at is None:
        return []
    deed, before, after = deeds[at], progress(deeds[:at], hints), progress(deeds[: at + 1], hints)
    gains: list[Reward] = []
    if after.climb.rank != before.climb.rank:
        gains.append(Reward(f"New rank: {after.climb.rank.name}"))
    gains += [Reward(one.title, one.words) for one, award in after.awards if award.attempt_id == attempt_id]
    best = before.bests.get(deed.boss_id)
    if best is not None and after.bests[deed.boss_id].deed.id == attempt_id:
        gains.append(Reward(f"Your best on this boss: {format_number(deed.total)} of {format_number(deed.highest)}"))
    return gains
