"""A sliding-window rate limiter in parts."""
