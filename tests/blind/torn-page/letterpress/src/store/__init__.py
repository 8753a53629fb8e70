"""A book of text keys and bytes in one file, readable with any pager."""

from .book import Store

__all__ = ["Store"]
