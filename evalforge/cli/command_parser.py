"""The parsers. That of a command is built at its first use: a call uses only one command of thirty."""

import sys
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import Any

from evalforge import __version__
from evalforge.cli import streams


class OutputParser(ArgumentParser):
    """A parser whose help is output like any other, and which guesses what a misspelled word should have been.

    argparse's own help ignores that it can't be written.
    """

    def print_help(self, file: Any = None) -> None:
        """Print the help."""
        with streams.translate_write_errors():
            (file or sys.stdout).write(self.format_help())

    def _check_value(self, action: Action, value: str) -> None:
        """Refuse a word that is none of an argument's choices, naming the closest one in place of all commands."""
        try:
            super()._check_value(action, value)
        except ArgumentError:
            from difflib import get_close_matches

            guess = get_close_matches(value, list(action.choices or ()), n=1)
            if not guess and action.dest != "command":
                raise
            hint = f"Did you mean {guess[0]}?" if guess else f"`{self.prog} --help` lists them."
            if action.dest == "command":
                raise ArgumentError(None, f"there is no command {value!r}. {hint}") from None
            raise ArgumentError(action, f"there is no choice {value!r}. {hint}") from None


class VersionAction(Action):
    """Prints the version as output like any other, and exits."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(
            option_strings, dest=SUPPRESS, default=SUPPRESS, nargs=0, help="show program's version number and exit"
        )

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: object, option_string: str | None = None
    ) -> None:
        """Print the version and exit."""
        with streams.translate_write_errors():
            sys.stdout.write(f"evalforge {__version__}\n")
        parser.exit()


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
