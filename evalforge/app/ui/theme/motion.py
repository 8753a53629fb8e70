"""How much moves: everything, only what carries meaning, or nothing. And how heavy it is when it does."""

from enum import StrEnum
from typing import Literal


class Motion(StrEnum):
    """``REDUCED`` keeps the draining bar and drops breath, shake and flash; ``NONE`` shows end states at once."""

    FULL = "full"
    REDUCED = "reduced"
    NONE = "none"

    @property
    def level(self) -> Literal["full", "basic", "none"]:
        """The same in Textual's terms."""
        return {Motion.FULL: "full", Motion.REDUCED: "basic", Motion.NONE: "none"}[self]  # type: ignore[return-value]


def choose(name: str, environment: str) -> Motion:
    """What the player asked for, but never more than the environment (``TEXTUAL_ANIMATIONS``) allows.

    Args:
        name: ``full``, ``reduced`` or ``none``; anything else counts as full.
        environment: Textual's level: ``full``, ``basic`` or ``none``.
    """
    order = list(Motion)
    allowed = {"none": Motion.NONE, "basic": Motion.REDUCED}.get(environment, Motion.FULL)
    motion = Motion(name) if name in order else Motion.FULL
    return max(motion, allowed, key=order.index)


ANTICIPATION = 0.08
"""The breath before a blow, in seconds."""
STRIKE = 0.04
"""The flash of a blow."""
SETTLE = 0.60
"""The bar running to where it belongs."""
SILENCE = 0.30
"""Nothing, so that the blow can be read."""
LAST_BEAT = 0.70
"""The wait before the last criterion."""
GHOST_DELAY = 0.25
GHOST_FADE = 0.55
TRIAL_STEP = 0.035
"""Between two trials of the log when they come faster than they can be seen."""
BREATH = 0.22
"""Between two frames of an idle sprite."""
GLEAM = 1.4
"""A light running over the word of a flawless win."""
