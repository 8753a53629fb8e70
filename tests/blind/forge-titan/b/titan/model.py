"""Jobs and attempts."""

import enum
from dataclasses import dataclass
from typing import Protocol


class State(enum.StrEnum):
    """All states of a job."""

    WAITING = enum.auto()
    BLOCKED = enum.auto()
    READY = enum.auto()
    RUNNING = enum.auto()
    RESTING = enum.auto()
    DONE = enum.auto()
    FAILED = enum.auto()


class Word(enum.StrEnum):
    """What can be said of an attempt."""

    DONE = enum.auto()
    FAIL = enum.auto()


class RestPolicy(Protocol):
    """How long a job rests."""

    def rest(self, backoff: int, attempt: int) -> int:
        """The seconds after the n-th attempt."""


@dataclass(frozen=True, slots=True)
class ExponentialRest:
    """Doubles from attempt to attempt, up to a limit."""

    limit: int = 3600

    def rest(self, backoff: int, attempt: int) -> int:
        """The seconds after the n-th attempt."""
        return min(self.limit, backoff * 2 ** min(attempt - 1, self.limit.bit_length()))


@dataclass(frozen=True, slots=True)
class Order:
    """A job as it was ordered."""

    id: str
    after: tuple[str, ...]
    attempts: int
    backoff: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt and what was said of it."""

    number: int
    lease_end: int
    word: Word | None = None
    at: int = 0

    def settled(self, now: int) -> "Attempt":
        """The attempt as it is at a time."""
        if self.word is None and self.lease_end <= now:
            return self.ended(Word.FAIL, self.lease_end)
        return self

    def ended(self, word: Word, at: int) -> "Attempt":
        """The attempt after a word."""
        return Attempt(self.number, self.lease_end, word, at)


@dataclass(slots=True)
class Job:
    """An order and its latest attempt."""

    order: Order
    latest: Attempt | None = None

    @property
    def begun(self) -> int:
        """How many attempts have begun."""
        return self.latest.number if self.latest else 0

    @property
    def succeeded(self) -> bool:
        """Whether it is done."""
        return self.latest is not None and self.latest.word is Word.DONE

    def state(self, now: int, policy: RestPolicy) -> tuple[State, int | None]:
        """State and due, regardless of other jobs."""
        if self.latest is None:
            return State.READY, None
        attempt = self.latest.settled(now)
        if attempt.word is None:
            return State.RUNNING, attempt.lease_end
        if attempt.word is Word.DONE:
            return State.DONE, None
        if attempt.number >= self.order.attempts:
            return State.FAILED, None
        due = attempt.at + policy.rest(self.order.backoff, attempt.number)
        return (State.RESTING, due) if now < due else (State.READY, None)
