"""The parser of one command, whose options are added when it is first used: one call uses one command of thirty."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any


class CommandParser(ArgumentParser):
    """A parser that is made in full only when something is asked of it, such as its options or its help.

    Args:
        fill: Adds its options.
        settings: What an ``ArgumentParser`` takes.
    """

    def __init__(self, fill: Callable[[ArgumentParser], None], **settings: Any) -> None:
        self._pending: tuple[Callable[[ArgumentParser], None], dict[str, Any]] | None = fill, settings

    def __getattr__(self, name: str) -> Any:
        """Make the parser: whatever asks for an attribute that is missing comes before that."""
        pending = self.__dict__.get("_pending")
        if pending is None:
            raise AttributeError(name)
        self._pending = None
        fill, settings = pending
        super().__init__(**settings)
        fill(self)
        return getattr(self, name)
