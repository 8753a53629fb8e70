"""What the parts expect of each other."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from leviathan.model import Entry


class Source(Protocol):
    def lines(self) -> Iterator[bytes]:
        """Lines with or without their ends, one at a time."""


class Parser(Protocol):
    def parse(self, line: bytes) -> Entry | None:
        """An entry, or None if the line is malformed."""


class Collector(Protocol):
    def collect(self, entry: Entry | None) -> None:
        """Take notice of an entry, or of a malformed line."""

    def report(self) -> Mapping[str, Any]:
        """A part of the summary."""


class Sink(Protocol):
    def write(self, summary: Mapping[str, Any]) -> None:
        """Put the summary where it belongs."""
