"""A bounded cache with recency eviction and per-entry lifetimes."""

from .facade import Cache

__all__ = ["Cache"]
