"""The Cold Store: a cache assembled from an eviction policy and an expiry schedule."""

from coldstore.store import Cache

__all__ = ["Cache"]
