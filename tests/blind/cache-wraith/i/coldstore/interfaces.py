"""What the parts of a cold store promise each other."""

from collections.abc import Hashable, Iterator
from typing import Protocol


class Clock(Protocol):
    """Gives the time as a number."""

    def __call__(self) -> float: ...


class EvictionPolicy(Protocol):
    """Knows which key has to leave next."""

    def touch(self, key: Hashable) -> None:
        """Note a use of the key, which may be new."""

    def forget(self, key: Hashable) -> None:
        """The key has left."""

    def victim(self) -> Hashable:
        """The key that leaves when room is needed."""

    def __iter__(self) -> Iterator[Hashable]:
        """All keys, the next victim first."""


class ExpirySchedule(Protocol):
    """Knows which keys' lives are over."""

    def plan(self, key: Hashable, ends: float) -> None:
        """The key's life ends then; whatever was planned for it before is void."""

    def cancel(self, key: Hashable) -> None:
        """Whatever was planned for the key is void."""

    def due(self, now: float) -> Iterator[Hashable]:
        """Yield, and forget, the keys whose life is over."""
