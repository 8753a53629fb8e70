"""Counting."""

from dataclasses import asdict, dataclass


@dataclass
class Statistics:
    """Counts since the cache was made."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0

    def report(self):
        """A dict that belongs to the caller."""
        return asdict(self)
