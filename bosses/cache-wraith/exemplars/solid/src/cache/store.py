"""The cache itself."""

import time

from .lives import Graveyard, check_life
from .ring import Node, Ring

_UNSET = object()


class Cache:
    """Least recently used out first; dead ones before that."""

    def __init__(self, capacity, ttl=None, clock=time.monotonic):
        if not isinstance(capacity, int) or isinstance(capacity, bool):
            raise TypeError("capacity is a whole number")
        if capacity < 0:
            raise ValueError("capacity is 0 or more")
        self.capacity = capacity
        self.ttl = check_life(ttl)
        self.clock = clock
        self._nodes = {}
        self._ring = Ring()
        self._graveyard = Graveyard()
        self._tally = dict.fromkeys(("hits", "misses", "evictions", "expirations"), 0)

    def put(self, key, value, *, ttl=_UNSET):
        """Store a value under a key, for as long as ttl says."""
        life = self.ttl if ttl is _UNSET else check_life(ttl)
        self._store(key, value, life, self._sweep())

    def get(self, key, default=None):
        """Find a value and count it as used."""
        self._sweep()
        node = self._found(key)
        return default if node is None else node.value

    def get_or_load(self, key, load):
        """Find a value, or load and store it."""
        now = self._sweep()
        node = self._found(key)
        if node is None:
            value = load(key)
            self._store(key, value, self.ttl, now)
            return value
        return node.value

    def peek(self, key, default=None):
        """Find a value without using it."""
        self._sweep()
        node = self._nodes.get(key)
        return default if node is None else node.value

    def delete(self, key):
        """Remove one entry."""
        self._sweep()
        if key not in self._nodes:
            return False
        self._remove(self._nodes[key])
        return True

    def clear(self):
        """Remove every entry."""
        self._sweep()
        for node in list(self._ring):
            self._remove(node)

    def keys(self):
        """Keys from the longest unused to the last used."""
        self._sweep()
        return [node.key for node in self._ring]

    def stats(self):
        """Counts since the beginning."""
        self._sweep()
        return self._tally.copy()

    def __contains__(self, key):
        self._sweep()
        return key in self._nodes

    def __len__(self):
        self._sweep()
        return len(self._nodes)

    def _found(self, key):
        node = self._nodes.get(key)
        if node is None:
            self._tally["misses"] += 1
        else:
            self._tally["hits"] += 1
            self._ring.unlink(node)
            self._ring.append(node)
        return node

    def _store(self, key, value, life, now):
        old = self._nodes.get(key)
        if old is not None:
            self._remove(old)
        elif len(self._nodes) >= self.capacity:
            if self.capacity == 0:
                return
            self._remove(self._ring.oldest())
            self._tally["evictions"] += 1
        node = Node(key, value, None if life is None else now + life)
        self._nodes[key] = node
        self._ring.append(node)
        self._graveyard.expect(node)

    def _remove(self, node):
        del self._nodes[node.key]
        self._ring.unlink(node)
        node.dies = node.value = None

    def _sweep(self):
        """Take out who died since the last call; gives the time."""
        now = self.clock()
        for node in self._graveyard.due(now):
            self._remove(node)
            self._tally["expirations"] += 1
        return now
