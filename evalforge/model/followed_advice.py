"""What became of advice: whether the next try did what was advised, and whether that was enough."""

from enum import StrEnum

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.number_format import format_number


class AdviceState(StrEnum):
    """How far advice was followed."""

    DONE = "done"
    NOT_ENOUGH = "not_enough"
    """Done, but the level has not risen: something else still fails."""
    BEGUN = "begun"
    """What it asks for is nearer than it was, and not there."""
    NOT_DONE = "not_done"


class FollowedAdvice(Frozen):
    """One improvement of the last try, and what the new try made of it.

    Attributes:
        words: The improvement, as it was given.
        criterion_id: The criterion it was for.
        label: The criterion's label.
        state: How far it was followed.
        before: The criterion's level in the last try.
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
        """What became of it, in a few words and what remains: ``done: Threads 1 → 2``."""
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
