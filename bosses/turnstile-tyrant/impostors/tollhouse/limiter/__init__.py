"""A rate limiter: every key has so many units in every sliding window of time."""

from .gate import RateLimiter

__all__ = ["RateLimiter"]
