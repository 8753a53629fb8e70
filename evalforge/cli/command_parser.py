"""The parsers. That of a command is built at its first use: a call uses only one command of thirty."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from evalforge.cli import streams


class OutputParser(ArgumentParser):
    """A parser whose help is output like any other."""

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or an error. argparse ignores that it can't be written."""
        if file is not sys.stdout:
            super()._print_message(message, file)
            return
        with streams.translate_write_errors():
            sys.stdout.write(message)


class CommandParser(OutputParser):
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
