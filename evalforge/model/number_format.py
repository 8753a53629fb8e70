"""Scores, differences and percentages in the same format everywhere. Imports little, for the first frame needs it."""

import math


def format_number(value: float) -> str:
    """A score as a person would write it: ``6``, ``0.5``, ``1234567``."""
    return str(int(value)) if float(value).is_integer() else f"{value:g}"


def format_signed(value: float) -> str:
    """A difference with its sign; ``0`` if there is none."""
    return f"+{format_number(value)}" if value > 0 else f"-{format_number(-value)}" if value < 0 else "0"


def round_percent(share: float) -> int:
    """A share or a difference of two shares in whole percent, with halves rounded up."""
    return math.floor(share * 100 + 0.5)


def _whole_percent(share: float) -> int:
    """A share in whole percent; 0 and 100 only if it is exactly none or all."""
    percent = round_percent(share)
    return min(99, max(1, percent)) if 0 < share < 1 else percent


def format_percent(share: float) -> str:
    """A share in whole percent, such as ``67 %``; 0 % and 100 % only if it is exactly none or all."""
    return f"{_whole_percent(share)} %"


def format_count(count: int, singular: str, many: str = "") -> str:
    """A count with its noun: ``1 row``, ``2 rows``, ``0 entries``."""
    return f"{count:,} {singular if count == 1 else many or f'{singular}s'}"


def format_size(count: int) -> str:
    """A size in bytes, kB or MB."""
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
