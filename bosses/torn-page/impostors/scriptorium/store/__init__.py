"""A map of text keys to bytes, kept in one file."""

from store.book import Store

__all__ = ["Store"]
