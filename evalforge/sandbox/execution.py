"""What the runs of a submission have executed, as known on the trusted side."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_Lines = dict[str, frozenset[int]]


@dataclass(frozen=True)
class HiddenCode:
    """A line that runs code which isn't Python source of the submission.

    Attributes:
        path: The player's file; empty if no line can be named.
        line: The line, from 1; 0 if it is not known.
        kind: What the code is hidden in: ``text``, ``data``, ``bytes``, ``native`` or another ``process``; ``record``
            if it reads the execution record or switches it off.
    """

    path: str
    line: int
    kind: str


@dataclass(frozen=True)
class FoundTest:
    """A test that pytest has collected; one for all its parameters.

    Attributes:
        file: The file that holds it.
        name: Its name in that file, as pytest names it, such as ``TestTally::test_words``.
        path: The file in which its function is written, such as that of a base class.
        line: The first line of the function, decorators included, from 1; 0 if it is not known.
        is_doctest: Whether it is an example in a text.
    """

    file: str
    name: str
    path: str
    line: int
    is_doctest: bool = False


@dataclass(frozen=True)
class FoundSuite:
    """The tests of a submission, as pytest finds them in its folder.

    Attributes:
        tests: The tests.
        broken_files: The files that can't be collected.
        unknown_options: Options in its settings that no plugin here knows.
    """

    tests: tuple[FoundTest, ...] = ()
    broken_files: tuple[str, ...] = ()
    unknown_options: tuple[str, ...] = ()

    @property
    def files(self) -> frozenset[str]:
        """The files that hold tests, or would if they could be loaded; a program with examples is none."""
        holders = (path for test in self.tests if not test.is_doctest for path in (test.file, test.path))
        return frozenset((*holders, *self.broken_files))


@dataclass(frozen=True)
class Execution:
    """What the trials' runs have executed.

    Attributes:
        lines: Lines that ran, by path; line 0 means the file itself.
        entered: The first lines (with decorators) of functions that were called, by path.
        touched: Lines that opened a file or the like, by any means, by path.
        streamed: Lines that read or wrote a standard stream in plain use, by path.
        acting: Lines of module bodies that read or wrote something in plain use, themselves or through calls, by path.
        hidden: Lines that run code which nobody can read.
        has_worked: Whether the program did anything right. If not, it may have failed on import, before most of its
            code could run.
        suite: The tests that pytest finds; None if it wasn't asked.
    """

    lines: _Lines = field(default_factory=dict[str, frozenset[int]])
    entered: _Lines = field(default_factory=dict[str, frozenset[int]])
    touched: _Lines = field(default_factory=dict[str, frozenset[int]])
    streamed: _Lines = field(default_factory=dict[str, frozenset[int]])
    acting: _Lines = field(default_factory=dict[str, frozenset[int]])
    hidden: tuple[HiddenCode, ...] = ()
    has_worked: bool = True
    suite: FoundSuite | None = None

    @property
    def files(self) -> frozenset[str]:
        """The paths of files in which any line ran."""
        return frozenset(self.lines) | frozenset(self.entered)

    def ran(self, path: str, lines: Iterable[int]) -> bool:
        """Whether any of these lines ran."""
        return not self.lines.get(path, frozenset()).isdisjoint(lines)

    def was_entered(self, path: str, lines: Iterable[int]) -> bool:
        """Whether a function that begins on any of these lines was called."""
        return not self.entered.get(path, frozenset()).isdisjoint(lines)


NOTHING_RAN = Execution()
