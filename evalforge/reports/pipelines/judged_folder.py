"""A judged folder as a pipeline sees it: why criteria are below their highest level, with file and line."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evalforge.model.result import BossEvalResult, CriterionResult, Judgement
from evalforge.model.rubric import BossRubric


class Problem(NamedTuple):
    """A finding that costs a criterion its next level.

    Attributes:
        criterion_id: The criterion's id, such as ``tests_verification``.
        message: One or a few sentences.
        path: The file, relative to the working directory; the program's if no other is known.
        line: The line, counted from 1; None if unknown.
        is_severe: Whether the criterion has its lowest level.
    """

    criterion_id: str
    message: str
    path: str
    line: int | None
    is_severe: bool


@dataclass(frozen=True)
class JudgedFolder:
    """The result of judging one folder.

    Attributes:
        name: The name of the submission, or the folder as it was given.
        folder: The folder with its files.
        boss_title: The boss it was judged against.
        entry_file: The name of the program in it; empty if any will do.
        result: Score and verdict; None if it could not be judged.
        judgements: One judgement per criterion; without them there are no findings.
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
        """The criteria below their highest level."""
        return (
            tuple(criterion for criterion in self.result.criteria if criterion.score < criterion.max_score)
            if self.result
            else ()
        )

    def problems_of(self, criterion: CriterionResult) -> Iterator[Problem]:
        """Yield the reason for a level, placed at the program, then each finding with a place of its own."""
        is_severe = criterion.score <= min(level.score for level in self.rubric.criterion(criterion.id).levels)
        yield Problem(criterion.id, criterion.comment, self._path(self.entry_file), None, is_severe)
        findings = next(
            (judgement.findings for judgement in self.judgements if judgement.criterion_id == criterion.id), ()
        )
        for finding in findings:
            if finding.path:
                yield Problem(criterion.id, finding.message, self._path(finding.path), finding.line, is_severe)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, in the rubric's order."""
        return tuple(problem for criterion in self.missed_criteria for problem in self.problems_of(criterion))

    def _path(self, path: str) -> str:
        """Return a path within the folder relative to the working directory; absolute if it lies outside."""
        whole = Path(os.path.abspath(self.folder / path))  # noqa: PTH100 - links are kept as named
        here = Path.cwd()
        return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.as_posix()
