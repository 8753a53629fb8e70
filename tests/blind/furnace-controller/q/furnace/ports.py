"""The shapes that the application needs from the outside."""

from typing import Protocol

from .domain import Command, Readings


class InputError(Exception):
    """A source has no usable readings; the message says why."""


class ReadingSource(Protocol):
    """Where readings come from."""

    def load(self) -> Readings:
        """All readings, or InputError."""


class Policy(Protocol):
    """How a command is found."""

    def decide(self, readings: Readings) -> Command:
        """The command for these readings."""


class Reporter(Protocol):
    """Whom the command is told."""

    def report(self, command: Command) -> None:
        """Tell the command."""

    def refuse(self, error: InputError) -> None:
        """Tell that there is none, and why."""
