"""A cache that forgets the least recently used entry, and everything in its time."""

from .store import Cache

__all__ = ["Cache"]
