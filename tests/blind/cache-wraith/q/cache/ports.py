"""Interfaces between the parts of the cache."""

from typing import Any, Hashable, Iterable, Protocol


class Clock(Protocol):
    """Anything that tells the time."""

    def __call__(self) -> float:
        """The present time."""


class EvictionPolicy(Protocol):
    """Decides which key has to make room."""

    def touch(self, key: Hashable) -> None:
        """Note a use of the key."""

    def forget(self, key: Hashable) -> None:
        """Drop the key."""

    def victim(self) -> Hashable:
        """The key that should leave next."""

    def order(self) -> list[Hashable]:
        """All keys, the next victim first."""


class ExpiryIndex(Protocol):
    """Finds entries whose life has ended."""

    def schedule(self, deadline: float, token: int, key: Hashable) -> None:
        """Remember a deadline."""

    def due(self, moment: float) -> Iterable[tuple[int, Hashable]]:
        """Take out all tokens whose deadline is at or before the moment."""


class Observer(Protocol):
    """Listens to what happens in the cache."""

    def notify(self, event: str) -> None:
        """Note one event."""

    def snapshot(self) -> dict[str, Any]:
        """What has been noted so far."""
