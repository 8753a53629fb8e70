"""The report of a pack check: one result per stage, one line per exemplar, and the next thing to fix."""

from pathlib import Path

from evalforge.model.base import Frozen
from evalforge.packs.issue import Issue

_ORDER = ("boss", "rubric", "trials", "evidence", "exemplars", "impostors", "starter", "codex")
"""Files and folders of a pack in the order in which they are written, and so fixed."""


class CheckIssue(Frozen):
    """One thing that is wrong with a pack, or worth a look.

    Attributes:
        file: Its file or folder, within the pack.
        line: Its line, counted from 1; None if no single line is to blame.
        message: What is wrong, and what to do about it.
    """

    file: str
    line: int | None = None
    message: str

    @property
    def place(self) -> str:
        """File and line, such as ``evidence.yaml:18``."""
        return f"{self.file}:{self.line}" if self.line else self.file


class CheckStage(Frozen):
    """One stage of a check.

    Attributes:
        name: What is checked: ``text``, ``trials``, ``gold``, ``verdicts``, ``impostors`` or ``cheats``.
        summary: What was found, in a few words.
        seconds: How long it took.
        problems: What must be fixed; what explains most comes first.
        notes: What is worth a look.
    """

    name: str
    summary: str
    seconds: float
    problems: tuple[CheckIssue, ...] = ()
    notes: tuple[CheckIssue, ...] = ()


class ExemplarLine(Frozen):
    """A line of the report on some exemplars.

    Attributes:
        names: The exemplars' names.
        summary: The line's text.
        is_fine: Whether they need no fix.
    """

    names: tuple[str, ...]
    summary: str
    is_fine: bool


class CheckReport(Frozen):
    """The report of a whole check.

    Attributes:
        boss_id: The boss's id, or the folder's name if the id can't be read.
        folder: The pack's folder.
        stages: The stages that ran, in order.
        skipped: Names of the stages that did not run, because an earlier one found a problem.
        exemplars: Lines on the exemplars.
        ungraded: Why exemplars could not be judged; empty if all were.
    """

    boss_id: str
    folder: str
    stages: tuple[CheckStage, ...]
    skipped: tuple[str, ...] = ()
    exemplars: tuple[ExemplarLine, ...] = ()
    ungraded: tuple[str, ...] = ()

    @property
    def next_to_mend(self) -> CheckIssue | None:
        """The next thing to fix; None if nothing is wrong."""
        return next((stage.problems[0] for stage in self.stages if stage.problems), None)


def check_issues(pack: Path, issues: tuple[Issue, ...], *, is_problem: bool) -> tuple[CheckIssue, ...]:
    """The problems among some issues, or the notes, in the order in which they are best fixed.

    Args:
        pack: The pack's folder.
        issues: Issues of its files.
        is_problem: Whether to return problems or notes.
    """
    chosen_issues = sorted(
        (issue for issue in issues if issue.is_problem is is_problem), key=lambda issue: _rank(pack, issue)
    )
    return tuple(
        CheckIssue(file=_within(pack, issue.path), line=issue.line, message=issue.message) for issue in chosen_issues
    )


def _rank(pack: Path, issue: Issue) -> tuple[bool, int, str, int]:
    name = _within(pack, issue.path)
    first = name.partition("/")[0].partition(".")[0]
    position = _ORDER.index(first) if first in _ORDER else len(_ORDER)
    return (not issue.hides_others, position, name, issue.line or 0)


def _within(pack: Path, path: Path) -> str:
    """A path relative to the pack's folder."""
    return path.relative_to(pack).as_posix() if path.is_relative_to(pack) else str(path)
