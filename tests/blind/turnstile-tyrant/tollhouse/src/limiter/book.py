"""The book in which all units stand. Not safe under threads: whoever uses it holds a lock."""

from collections import Counter, deque

from .guards import whole


class Book:
    """Units in use, by key, and when each entry ends."""

    def __init__(self, limit, period):
        self.period = period
        self._limit = limit
        self._own = {}
        self._entries = deque()  # (end, key, cost), by time, over all keys
        self._used = Counter()

    def turn_page(self, now):
        """Strike out every entry that has ended."""
        while self._entries and self._entries[0][0] <= now:
            _, key, cost = self._entries.popleft()
            self._used[key] -= cost
            if not self._used[key]:
                del self._used[key]

    def limit_of(self, key):
        """The limit that counts for this key."""
        return self._own.get(key, self._limit)

    def free(self, key):
        """Units of the key that nobody uses; below zero if its limit was lowered under them."""
        return self.limit_of(key) - self._used[key]

    def write(self, key, cost, now):
        """Enter a passage."""
        self._entries.append((now + self.period, key, cost))
        self._used[key] += cost

    def free_at(self, key, cost, now):
        """The time at which cost units will be free if nobody comes in between."""
        missing = cost - self.free(key)
        if missing <= 0:
            return now
        for end, owner, amount in self._entries:
            if owner == key:
                missing -= amount
                if missing <= 0:
                    return end
        raise AssertionError("a cost is never above the limit")

    def fair_cost(self, key, cost):
        """Refuse a cost that could never pass."""
        whole("cost", cost)
        if cost > self.limit_of(key):
            raise ValueError(f"cost {cost} is more than the key may ever have")

    def set_own(self, key, limit):
        """Give a key its own limit, or the common one again."""
        if limit is None:
            self._own.pop(key, None)
        else:
            self._own[key] = whole("limit", limit)

    def __len__(self):
        return len(self._used)
