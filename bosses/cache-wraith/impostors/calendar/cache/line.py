"""Keys in a line: who joins stands last. The neighbours are kept in two dicts, so nobody has to walk."""

EDGE = object()


class Line:
    """Keys in the order they joined."""

    def __init__(self):
        """Nobody stands in it."""
        self._next = {EDGE: EDGE}
        self._previous = {EDGE: EDGE}

    def __iter__(self):
        """From the first to the last."""
        key = self._next[EDGE]
        while key is not EDGE:
            yield key
            key = self._next[key]

    def first(self):
        """Who has stood there longest."""
        return self._next[EDGE]

    def join(self, key):
        """Put a new key at the end."""
        last = self._previous[EDGE]
        self._next[last], self._previous[key] = key, last
        self._next[key], self._previous[EDGE] = EDGE, key

    def leave(self, key):
        """Take a key out."""
        before, after = self._previous.pop(key), self._next.pop(key)
        self._next[before], self._previous[after] = after, before

    def back(self, key):
        """Send a key to the end."""
        self.leave(key)
        self.join(key)
