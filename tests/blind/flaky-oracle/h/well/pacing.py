"""How long to wait, and whether there is time for it."""

from dataclasses import dataclass

from well.protocols import Chance, Clock
from well.validation import require_fraction, require_positive


@dataclass(frozen=True)
class BackoffPolicy:
    """Exponential backoff with proportional jitter and a cap."""

    base: float
    cap: float
    jitter: float

    def __post_init__(self):
        require_positive("base", self.base)
        require_positive("cap", self.cap)
        require_fraction("jitter", self.jitter)

    def limit(self, failed: int) -> float:
        """The longest pause after that many failed attempts."""
        limit = self.base
        for _ in range(failed - 1):
            if limit >= self.cap:
                break
            limit *= 2
        return min(self.cap, limit)

    def pause(self, failed: int, error: BaseException, chance: Chance) -> float:
        """The pause itself, never shorter than the error asks for."""
        pause = self.limit(failed) * (1 - self.jitter * chance())
        retry_after = getattr(error, "retry_after", None)
        if retry_after is None:
            return pause
        return max(pause, retry_after)


@dataclass(frozen=True)
class Deadline:
    """A moment, or None for never."""

    moment: float | None
    clock: Clock

    @classmethod
    def starting_now(cls, seconds: float | None, clock: Clock) -> "Deadline":
        """The moment so many seconds from now."""
        return cls(None if seconds is None else clock() + seconds, clock)

    def would_pass(self, pause: float = 0) -> bool:
        """Tell whether the deadline is reached once the pause is over."""
        return self.moment is not None and self.clock() + pause >= self.moment
