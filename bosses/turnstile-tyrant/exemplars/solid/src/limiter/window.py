"""The window of one key."""

from collections import deque


class Window:
    """Grants of one key, the oldest first, and their sum."""

    def __init__(self):
        self.used = 0
        self._grants = deque()

    def forget(self, until):
        """Drop the grants that were given at this time or before."""
        while self._grants and self._grants[0][0] <= until:
            self.used -= self._grants.popleft()[1]

    def add(self, now, cost):
        """Put a grant into the window."""
        self._grants.append((now, cost))
        self.used += cost

    def given_when_freed(self, units):
        """The time of the grant with which so many units will have been freed."""
        for given, cost in self._grants:
            units -= cost
            if units <= 0:
                return given
        raise LookupError("so many units are not in use")
