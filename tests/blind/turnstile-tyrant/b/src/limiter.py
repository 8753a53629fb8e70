"""The public name of the limiter; the work is done in the package turnstile."""

from turnstile.service import RateLimiter

__all__ = ["RateLimiter"]
