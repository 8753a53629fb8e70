"""A map of text keys to bytes, in one file that is only written at its end."""

from tornpage.facade import Store

__all__ = ["Store"]
