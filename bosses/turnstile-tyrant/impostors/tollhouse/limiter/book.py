"""The tallies of all keys that have units in use."""

from collections import OrderedDict

from .tally import Tally


class Book:
    """Tallies by key, the one that was given something last at the end. Knows neither clock nor lock."""

    def __init__(self, period):
        self._period = period
        self._tallies = OrderedDict()

    def __len__(self):
        return len(self._tallies)

    def strike_out(self, now):
        """Forget the keys whose last units are free by now: they are the first ones in the book."""
        while self._tallies:
            key = next(iter(self._tallies))
            if self._tallies[key].last_end > now:
                return
            del self._tallies[key]

    def in_use(self, key, now):
        """How many units of the key are not free."""
        tally = self._tallies.get(key)
        return tally.in_use(now) if tally else 0

    def give(self, key, cost, now):
        """Write down that the key got so many units now."""
        if key not in self._tallies:
            self._tallies[key] = Tally()
        self._tallies[key].add(cost, now + self._period)
        self._tallies.move_to_end(key)

    def freed_at(self, key, missing):
        """When so many of the units that the key has in use will be free."""
        return self._tallies[key].end_of(missing)
