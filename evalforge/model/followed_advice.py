"""Followed advice: whether the next attempt did what was advised, and whether that was enough."""

from enum import StrEnum

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.number_format import format_number


class AdviceState(StrEnum):
    """How far a piece of advice was followed."""

    DONE = "done"
    NOT_ENOUGH = "not_enough"
    """Done, but the level has not risen because something else still fails."""
    BEGUN = "begun"
    """Partly done: the value has improved, but not enough."""
    NOT_DONE = "not_done"


class FollowedAdvice(Frozen):
    """One improvement suggested for the last attempt, and how far the new attempt followed it.

    Attributes:
        words: The improvement, as it was given.
        criterion_id: The criterion it was for.
        label: The criterion's label.
        state: How far it was followed.
        before: The criterion's level in the last attempt.
        after: Its level now.
        remains: What still fails; empty if nothing does, or if nothing was done.
    """

    words: str
    criterion_id: str
    label: str
    state: AdviceState
    before: Score
    after: Score
    remains: str = ""

    @property
    def outcome(self) -> str:
        """A few words on how far it was followed, such as ``done: Threads 1 → 2``, and what remains."""
        level = f"{self.label} {format_number(self.before)} → {format_number(self.after)}"
        match self.state:
            case AdviceState.DONE:
                return f"done: {level}."
            case AdviceState.NOT_ENOUGH:
                stays = f"{self.label} stays at {format_number(self.after)}" if self.before == self.after else level
                return f"done, but {stays}. {self.remains}".strip()
            case AdviceState.BEGUN:
                return f"begun. {self.remains}".strip()
            case AdviceState.NOT_DONE:
                return "not done yet."
