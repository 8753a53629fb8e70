"""A judged folder as a pipeline sees it: what keeps a criterion from its highest level, with file and line."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evalforge.model.result import BossEvalResult, CriterionResult, Judgement
from evalforge.model.rubric import BossRubric


class Problem(NamedTuple):
    """Something that costs a criterion its next level.

    Attributes:
        criterion_id: Such as ``tests_verification``.
        message: One or a few sentences.
        path: Of the file, seen from the working directory; the program's where no other is known.
        line: Counts from 1; None where no line is known.
        is_severe: Whether the criterion has its lowest level.
    """

    criterion_id: str
    message: str
    path: str
    line: int | None
    is_severe: bool


@dataclass(frozen=True)
class JudgedFolder:
    """What came of judging one folder.

    Attributes:
        name: Of the hand-in, or the folder as it was given.
        folder: Where its files are.
        boss_title: Whom it was judged against.
        rubric: Of that boss.
        entry_file: The name of the program in it; empty if any will do.
        result: Score and verdict; None if it could not be judged.
        judgements: One for each criterion; without them there are no findings.
        reason: Why there is no result.
    """

    name: str
    folder: Path
    boss_title: str
    rubric: BossRubric
    entry_file: str = ""
    result: BossEvalResult | None = None
    judgements: tuple[Judgement, ...] = ()
    reason: str = ""

    @property
    def missed_criteria(self) -> tuple[CriterionResult, ...]:
        """Those below their highest level."""
        return tuple(one for one in self.result.criteria if one.score < one.max_score) if self.result else ()

    def problems_of(self, criterion: CriterionResult) -> Iterator[Problem]:
        """The reason for a level with the program as its place, then each finding that has a place of its own."""
        is_severe = criterion.score <= min(level.score for level in self.rubric.criterion(criterion.id).levels)
        yield Problem(criterion.id, criterion.comment, self._path(self.entry_file), None, is_severe)
        findings = next((one.findings for one in self.judgements if one.criterion_id == criterion.id), ())
        for finding in findings:
            if finding.path:
                yield Problem(criterion.id, finding.message, self._path(finding.path), finding.line, is_severe)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All of them, in the rubric's order."""
        return tuple(problem for one in self.missed_criteria for problem in self.problems_of(one))

    def _path(self, path: str) -> str:
        """A path within the folder, seen from the working directory; whole where it lies outside of that."""
        whole = Path(os.path.abspath(self.folder / path))  # noqa: PTH100 - links stay as they were named
        here = Path.cwd()
        return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.as_posix()
