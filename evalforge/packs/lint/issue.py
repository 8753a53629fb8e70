"""Lint issues: what is wrong with a pack, and in which file and line."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalforge.model.errors import PackError


@dataclass(frozen=True)
class LintIssue:
    """One issue of a pack.

    Attributes:
        path: The file or folder that the issue is about.
        line: Its line, counted from 1; None if no single line is to blame.
        message: What is wrong, and what to do about it.
        is_problem: Whether it must be fixed; if not, it is only a warning.
        hides_others: Whether its file can't be read or run, so that other issues may be mere consequences.
    """

    path: Path
    line: int | None
    message: str
    is_problem: bool = True
    hides_others: bool = False


def issue_from_error(error: PackError, *, hides_others: bool = False) -> LintIssue:
    """Turn an error into an issue."""
    return LintIssue(error.path, error.line, f"{error.message} {error.hint}".strip(), hides_others=hides_others)


def sort_issues(issues: Iterable[LintIssue]) -> tuple[LintIssue, ...]:
    """Sort issues by file and line without repetitions; those that may cause others come first."""

    def order(issue: LintIssue) -> tuple[bool, str, int]:
        return (not issue.hides_others, str(issue.path), issue.line or 0)

    return tuple(sorted(dict.fromkeys(issues), key=order))
