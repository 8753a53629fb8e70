"""A fault: one small change to one place in a file of the player's."""

from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one span of a file.

    Attributes:
        path: The file.
        line: Where it is, counted from 1.
        last: The last line of what is changed.
        scope: The function or class it is in, qualified; empty at module level.
        is_called: Whether it runs when a function is called; if not, it runs on import.
        start: First byte of the span.
        end: First byte after it.
        text: What takes the span's place; it holds as many newlines as the span.
        original: What is there now.
        was: The same on one line, shortened.
        becomes: As it will read; empty if it is taken away.
    """

    path: str
    line: int
    last: int
    scope: str
    is_called: bool
    start: int
    end: int
    text: str
    original: str
    was: str
    becomes: str

    @property
    def words(self) -> str:
        """What is changed, for a person."""
        return f"`{self.was}` changed to `{self.becomes}`" if self.becomes else f"`{self.was}` taken away"

    def undone(self) -> Self:
        """A change that leaves everything as it is."""
        return replace(self, text=self.original)
