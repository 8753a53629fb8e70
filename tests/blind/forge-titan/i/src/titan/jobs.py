"""What becomes of one job in time."""

from dataclasses import dataclass

from .batches import Spec

LONGEST_REST = 3600


@dataclass(frozen=True, slots=True)
class Attempt:
    """The latest attempt of a job, as far as something was said of it."""

    number: int
    lease_end: int
    word: str | None = None
    since: int = 0

    def at(self, now: int) -> "Attempt":
        """The attempt at a time: a lease that is over has said "fail" when it ended."""
        if self.word is None and now >= self.lease_end:
            return self.ended("fail", self.lease_end)
        return self

    def ended(self, word: str, since: int) -> "Attempt":
        """The attempt after "done" or "fail" was said of it."""
        return Attempt(self.number, self.lease_end, word, since)


def rest_of(backoff: int, number: int) -> int:
    """How long a job rests after its n-th attempt."""
    if backoff == 0:
        return 0
    doublings = min(number - 1, LONGEST_REST.bit_length())
    return min(LONGEST_REST, backoff << doublings)


@dataclass(slots=True)
class Job:
    """A spec and its latest attempt."""

    spec: Spec
    attempt: Attempt | None = None

    def begun(self) -> int:
        """How many attempts have begun."""
        return self.attempt.number if self.attempt else 0

    def is_done(self) -> bool:
        """Whether it succeeded, which is for ever."""
        return self.attempt is not None and self.attempt.word == "done"

    def state(self, now: int) -> tuple[str, int | None]:
        """The state and its due, of a job that waits for nothing any more."""
        if self.attempt is None:
            return "ready", None
        attempt = self.attempt.at(now)
        if attempt.word is None:
            return "running", attempt.lease_end
        if attempt.word == "done":
            return "done", None
        if attempt.number >= self.spec.attempts:
            return "failed", None
        end = attempt.since + rest_of(self.spec.backoff, attempt.number)
        return ("resting", end) if now < end else ("ready", None)
