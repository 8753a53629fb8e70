"""An append-only store of text keys and bytes."""

from store.book import Store

__all__ = ["Store"]
