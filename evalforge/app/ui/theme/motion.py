"""How much is animated: everything, only what carries meaning, or nothing; and the durations."""

from enum import StrEnum
from typing import Literal


class Motion(StrEnum):
    """``REDUCED`` keeps the draining bar but no breathing, shaking or flashes; ``NONE`` shows final states at once."""

    FULL = "full"
    REDUCED = "reduced"
    NONE = "none"

    @property
    def level(self) -> Literal["full", "basic", "none"]:
        """The level in Textual's terms."""
        return {Motion.FULL: "full", Motion.REDUCED: "basic", Motion.NONE: "none"}[self]  # type: ignore[return-value]


def choose(name: str, environment: str) -> Motion:
    """The player's choice, limited to what the environment (``TEXTUAL_ANIMATIONS``) allows.

    Args:
        name: ``full``, ``reduced`` or ``none``; anything else counts as full.
        environment: Textual's level: ``full``, ``basic`` or ``none``.
    """
    order = list(Motion)
    allowed = {"none": Motion.NONE, "basic": Motion.REDUCED}.get(environment, Motion.FULL)
    motion = Motion(name) if name in order else Motion.FULL
    return max(motion, allowed, key=order.index)


ANTICIPATION = 0.08
"""The pause before a blow, in seconds."""
STRIKE = 0.04
"""The flash of a blow, in seconds."""
SETTLE = 0.60
"""The time the bar takes to drain, in seconds."""
SILENCE = 0.30
"""The pause after a blow, so that it can be read, in seconds."""
LAST_BEAT = 0.70
"""The pause before the last criterion, in seconds."""
GHOST_DELAY = 0.25
GHOST_FADE = 0.55
TRIAL_STEP = 0.035
"""The time between two trials of the log if they arrive too fast to read, in seconds."""
BREATH = 0.22
"""The time between two frames of an idle sprite, in seconds."""
GLEAM = 1.4
"""The time a light takes to cross the word of a flawless win, in seconds."""
