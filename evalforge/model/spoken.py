"""Numbers as they are told, alike on every floor. Loads nothing: the first frame of the game needs it."""

import math


def number(value: float) -> str:
    """A score as a person writes it: ``6``, ``0.5``, ``1234567``."""
    return str(int(value)) if float(value).is_integer() else f"{value:g}"


def signed(value: float) -> str:
    """A difference with its sign; ``0`` for none."""
    return f"+{number(value)}" if value > 0 else f"-{number(-value)}" if value < 0 else "0"


def _whole_percent(share: float) -> int:
    """Half goes up. Only everything is 100 and only nothing is 0."""
    if not 0 < share < 1:
        return math.floor(share * 100 + 0.5)
    return min(99, max(1, math.floor(share * 100 + 0.5)))


def percent(share: float) -> str:
    """A share as whole percent. Only everything is 100 and only nothing is 0."""
    return f"{_whole_percent(share)} %"


def boss_hp(integrity: float) -> str:
    """What the boss keeps, as whole percent: both halves of the bar add up to a hundred, however they are rounded."""
    return f"{100 - _whole_percent(integrity)} %"
