"""What one key was given, as a running total."""

from collections import deque
from typing import NamedTuple


class Mark(NamedTuple):
    """One grant: the running total with it, and the time from which its units are free."""

    total: int
    end: float


class Tally:
    """The running total of one key, and how much of it is free again."""

    __slots__ = ("freed", "given", "last_end", "marks")

    def __init__(self):
        self.given = 0
        self.freed = 0
        self.last_end = None
        self.marks = deque()

    def add(self, cost, end):
        """Give so many units until the end."""
        self.given += cost
        self.last_end = end
        self.marks.append(Mark(self.given, end))

    def in_use(self, now):
        """The units that are not free yet."""
        while self.marks and self.marks[0].end <= now:
            self.freed = self.marks.popleft().total
        return self.given - self.freed

    def end_of(self, missing):
        """The time at which so many of the units in use will be free."""
        return next(mark.end for mark in self.marks if mark.total - self.freed >= missing)
