"""The parser of one command. Its options are added on first use: a call uses only one command of thirty."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any


class CommandParser(ArgumentParser):
    """A parser that is built only when something needs it, such as its options or its help.

    Args:
        fill: Adds its options.
        settings: The arguments of an ``ArgumentParser``.
    """

    def __init__(self, fill: Callable[[ArgumentParser], None], **settings: Any) -> None:
        self._pending: tuple[Callable[[ArgumentParser], None], dict[str, Any]] | None = fill, settings

    def __getattr__(self, name: str) -> Any:
        """Build the parser on first access to an attribute that only a built parser has."""
        pending = self.__dict__.get("_pending")
        if pending is None:
            raise AttributeError(name)
        self._pending = None
        fill, settings = pending
        super().__init__(**settings)
        fill(self)
        return getattr(self, name)
