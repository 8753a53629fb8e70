"""What a check of a pack found: a stage for each kind of question, a line for each exemplar, one thing to mend."""

from pathlib import Path

from evalforge.model.base import Frozen
from evalforge.packs.lint.issue import LintIssue

_ORDER = ("boss", "rubric", "trials", "evidence", "exemplars", "impostors", "starter", "codex")
"""Files and folders of a pack in the order in which they are written, and so mended."""


class CheckIssue(Frozen):
    """One thing that is wrong with a pack, or worth a look.

    Attributes:
        file: Its file or folder, within the pack.
        line: Its line, counted from 1; None where no line is to blame.
        message: What is wrong there, and what to do about it.
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
        name: What is looked at: ``text``, ``trials``, ``gold``, ``verdicts``, ``impostors`` or ``cheats``.
        summary: What was found, in a few words.
        seconds: How long it took.
        problems: What must be mended, what explains most first.
        notes: What is worth a look.
    """

    name: str
    summary: str
    seconds: float
    problems: tuple[CheckIssue, ...] = ()
    notes: tuple[CheckIssue, ...] = ()


class ExemplarLine(Frozen):
    """What a check has to say of some exemplars.

    Attributes:
        names: Those it is said of.
        summary: It.
        is_fine: Whether there is nothing to mend in them.
    """

    names: tuple[str, ...]
    summary: str
    is_fine: bool


class CheckReport(Frozen):
    """A whole check.

    Attributes:
        boss_id: The boss, or the name of its folder if that can't be read.
        folder: The pack's folder.
        stages: What was looked at, in order; later ones are left out where an earlier one found a problem.
        skipped: Names of the stages that were left out.
        exemplars: What is to be said of the exemplars.
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
        """The one thing to mend now; None if nothing is wrong."""
        return next((stage.problems[0] for stage in self.stages if stage.problems), None)


def check_issues(pack: Path, issues: tuple[LintIssue, ...], *, is_problem: bool) -> tuple[CheckIssue, ...]:
    """The problems among some issues, or the others, in the order in which they are best mended.

    Args:
        pack: The pack's folder.
        issues: Issues of its files.
        is_problem: Whether problems are asked for, or notes.
    """
    chosen = sorted((issue for issue in issues if issue.is_problem is is_problem), key=lambda each: _rank(pack, each))
    return tuple(CheckIssue(file=_within(pack, each.path), line=each.line, message=each.message) for each in chosen)


def _rank(pack: Path, issue: LintIssue) -> tuple[bool, int, str, int]:
    name = _within(pack, issue.path)
    first = name.partition("/")[0].partition(".")[0]
    place = _ORDER.index(first) if first in _ORDER else len(_ORDER)
    return (not issue.hides_others, place, name, issue.line or 0)


def _within(pack: Path, path: Path) -> str:
    """A path as it is said within the pack."""
    return path.relative_to(pack).as_posix() if path.is_relative_to(pack) else str(path)
