"""What the runs of a submission have executed, as the trusted side knows it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_Lines = dict[str, frozenset[int]]


@dataclass(frozen=True)
class HiddenCode:
    """A line that runs code which isn't written as Python in the submission.

    Attributes:
        path: The file; empty if no line of the player's can be named.
        line: The line, from 1; 0 if it is not known.
        kind: What the code is hidden in: ``text``, ``data``, ``bytes``, ``native`` or another ``process``; ``record``
            where it looks at the record of what runs, or switches it off.
    """

    path: str
    line: int
    kind: str


@dataclass(frozen=True)
class Execution:
    """What the trials' runs have executed.

    Attributes:
        lines: Lines that ran, by path; line 0 stands for the file itself.
        entered: The first lines (with decorators) of functions that were called, by path.
        touched: Lines that opened a file or the like, whatever they did it by, by path.
        hidden: Where code runs that nobody can read.
        has_worked: Whether the program did anything right. One that did nothing may have broken down on import, and
            leaves no trace of what it would have run.
    """

    lines: _Lines = field(default_factory=dict[str, frozenset[int]])
    entered: _Lines = field(default_factory=dict[str, frozenset[int]])
    touched: _Lines = field(default_factory=dict[str, frozenset[int]])
    hidden: tuple[HiddenCode, ...] = ()
    has_worked: bool = True

    @property
    def files(self) -> frozenset[str]:
        """The files of which anything ran."""
        return frozenset(self.lines) | frozenset(self.entered)

    def ran(self, path: str, lines: Iterable[int]) -> bool:
        """Whether one of these lines ran."""
        return not self.lines.get(path, frozenset()).isdisjoint(lines)

    def was_entered(self, path: str, lines: Iterable[int]) -> bool:
        """Whether a function that begins on one of these lines was called."""
        return not self.entered.get(path, frozenset()).isdisjoint(lines)


NOTHING_RAN = Execution()
