"""A cache that keeps a calendar of the hours at which its entries end."""

from .store import Cache

__all__ = ["Cache"]
