"""The public name of the store; the work is done in the package tornpage."""

from tornpage.facade import Store

__all__ = ["Store"]
