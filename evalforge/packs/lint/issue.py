"""Lint issues: what is wrong with a pack, and where."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalforge.model.errors import PackError


@dataclass(frozen=True)
class LintIssue:
    """One issue of a pack.

    Attributes:
        path: The file or folder it is about.
        line: Its line, counted from 1; None where no line is to blame.
        message: What is wrong there, and what to do about it.
        is_problem: Whether it must be fixed; if not, it is only a warning.
        hides_others: Whether its file can't be read or run, so that other issues may follow from it alone.
    """

    path: Path
    line: int | None
    message: str
    is_problem: bool = True
    hides_others: bool = False


def issue_from_error(error: PackError, *, hides_others: bool = False) -> LintIssue:
    """The issue that an error stands for."""
    return LintIssue(error.path, error.line, f"{error.message} {error.hint}".strip(), hides_others=hides_others)


def sort_issues(issues: Iterable[LintIssue]) -> tuple[LintIssue, ...]:
    """Sort issues by file and line, each only once; those from which others may follow come first."""

    def order(issue: LintIssue) -> tuple[bool, str, int]:
        return (not issue.hides_others, str(issue.path), issue.line or 0)

    return tuple(sorted(dict.fromkeys(issues), key=order))
