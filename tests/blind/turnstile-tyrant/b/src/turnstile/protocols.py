"""What the limiter wants of its surroundings."""

from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> float:
        """Seconds since some instant."""


class Sleep(Protocol):
    """Lets time pass."""

    def __call__(self, seconds: float, /) -> object:
        """Come back after so many seconds."""


class LimitPolicy(Protocol):
    """Knows how many units a key may have."""

    def limit_of(self, key: object) -> int:
        """The limit of a key."""
