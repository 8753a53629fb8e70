"""One job: its attempts, its lease, its rest."""

LONGEST_REST = 3600
ENOUGH_DOUBLINGS = 12
"""Two to this power is beyond the longest rest."""

DONE, FAIL, LOST = "done", "fail", "lost"


def rest_after(attempt, backoff):
    """How long a job rests after an attempt has failed."""
    return min(LONGEST_REST, backoff * 2 ** min(attempt - 1, ENOUGH_DOUBLINGS))


class Job:
    """A spec, and what has come of it. All that is asked of it is asked for a time."""

    def __init__(self, spec):
        """A job that nobody has taken."""
        self.spec = spec
        self.begun = 0
        self.due = 0
        self.ended = FAIL
        """How the latest attempt ended; None while it is under way. One that never began bars nothing."""

    def begin(self, now, lease):
        """Begin the next attempt."""
        self.settle(now)
        self.begun += 1
        self.due = now + lease
        self.ended = None

    def end(self, how, now):
        """End the attempt that is under way."""
        self.ended = how
        self.due = now + rest_after(self.begun, self.spec.backoff)

    def settle(self, now):
        """An attempt whose lease is over has failed when it was."""
        if self.ended is None and self.due <= now:
            self.end(LOST, self.due)

    @property
    def is_done(self):
        """Whether an attempt was done."""
        return self.ended == DONE

    @property
    def has_failed(self):
        """Whether the last attempt has failed."""
        return self.ended in (FAIL, LOST) and self.begun >= self.spec.attempts

    def state(self, now, waits, blocked):
        """The state of a job that has been settled, and its due time."""
        self.settle(now)
        if self.is_done or self.has_failed:
            return "done" if self.is_done else "failed", None
        if self.ended is None:
            return "running", self.due
        if blocked or waits:
            return "blocked" if blocked else "waiting", None
        return ("resting", self.due) if self.due > now else ("ready", None)
