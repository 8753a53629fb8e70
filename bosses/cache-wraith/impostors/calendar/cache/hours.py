"""A calendar: which keys end at which hour."""

import heapq

SLACK = 32


class Hours:
    """Keys by the hour at which they end. A key that is struck leaves its hour at once."""

    def __init__(self):
        """Nothing ends."""
        self._hour_of = {}
        self._keys_at = {}
        self._heap = []

    def note(self, key, hour):
        """Write down when a key ends; None is never."""
        if hour is None:
            return
        if hour not in self._keys_at:
            self._keys_at[hour] = {}
            heapq.heappush(self._heap, hour)
        self._keys_at[hour][key] = True
        self._hour_of[key] = hour

    def strike(self, key):
        """Forget when a key ends."""
        hour = self._hour_of.pop(key, None)
        if hour is None:
            return
        del self._keys_at[hour][key]
        if not self._keys_at[hour]:
            del self._keys_at[hour]
            self._thin_out()

    def over(self, now):
        """All keys that end by now; they are struck."""
        keys = []
        while self._heap and self._heap[0] <= now:
            keys.extend(self._keys_at.pop(heapq.heappop(self._heap), ()))
        for key in keys:
            del self._hour_of[key]
        return keys

    def _thin_out(self):
        """Rebuild the heap when most of its hours are empty."""
        if len(self._heap) > 2 * len(self._keys_at) + SLACK:
            self._heap = sorted(self._keys_at)
