"""The shapes of what is handed in."""

from typing import Any, Protocol


class Clock(Protocol):
    """Tells the time in seconds."""

    def __call__(self) -> float: ...


class Sleeper(Protocol):
    """Waits for some seconds."""

    def __call__(self, seconds: float, /) -> object: ...


class Chance(Protocol):
    """Gives a number from 0 up to, but not including, 1."""

    def __call__(self) -> float: ...


class Gate(Protocol):
    """Something a call goes through."""

    @property
    def state(self) -> str:
        """The state the gate is in."""

    @property
    def retry_after(self) -> float:
        """Seconds until it is worth asking again."""

    def call(self, function, *args: Any, **kwargs: Any) -> Any:
        """Let the call through, or refuse it."""
