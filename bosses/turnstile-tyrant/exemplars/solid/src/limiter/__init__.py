"""So many units per key in a sliding window."""

from .gate import RateLimiter

__all__ = ["RateLimiter"]
