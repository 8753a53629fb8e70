"""What a check finds: an issue of a pack, with its file and line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.model.errors import PackError

_ORDER = ("boss", "rubric", "evidence", "trials", "exemplars", "impostors", "starter", "codex")
"""Files and folders of a pack in the order in which they are best fixed: each may explain issues of later ones."""


@dataclass(frozen=True)
class Issue:
    """One issue of a pack.

    Attributes:
        path: The file or folder that the issue is about.
        line: Its line, counted from 1; None if no single line is to blame.
        message: What is wrong, and what to do about it.
        is_problem: Whether it must be fixed; if not, it is only a note.
        hides_others: Whether its file can't be read or run, so that other issues may be mere consequences.
    """

    path: Path
    line: int | None
    message: str
    is_problem: bool = True
    hides_others: bool = field(default=False, compare=False)

    def file(self, pack: Path) -> str:
        """Its file or folder, relative to the pack's folder if it is in there."""
        return self.path.relative_to(pack).as_posix() if self.path.is_relative_to(pack) else str(self.path)

    def place(self, pack: Path) -> str:
        """File and line, such as ``evidence.yaml:18``, relative to the pack's folder."""
        return f"{self.file(pack)}:{self.line}" if self.line else self.file(pack)


def issue_from_error(error: PackError, *, hides_others: bool = False) -> Issue:
    """Turn an error into an issue."""
    return Issue(error.path, error.line, f"{error.message} {error.hint}".strip(), hides_others=hides_others)


def sort_issues(pack: Path, issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Sort the issues of a pack as they are best fixed, without repetitions.

    Those of files that can't be read or run come first, then those in what may explain others.
    """

    def order(issue: Issue) -> tuple[bool, int, str, int]:
        file = issue.file(pack)
        first = file.partition("/")[0].partition(".")[0]
        position = _ORDER.index(first) if first in _ORDER else len(_ORDER)
        return (not issue.hides_others, position, file, issue.line or 0)

    return tuple(sorted(dict.fromkeys(issues), key=order))
