"""A rate limiter with a sliding window per key."""

from .front import RateLimiter

__all__ = ["RateLimiter"]
