"""Marks the answers of a program in a process of its own, while its trials run."""

from evalforge.evidence.effects.marked_answers import MarkedProgram, mark_answers
from evalforge.evidence.forked_task import ForkedTask, ParserDiedError, parsing
from evalforge.model.submission import Submission

_MAX_SECONDS = 5


class MarkingTask:
    """Marks the answers of functions in some files of a submission.

    Args:
        submission: The submission.
        paths: The files.
    """

    def __init__(self, submission: Submission, paths: list[str]) -> None:
        self._task = ForkedTask("marking answers", lambda: _marked(submission, paths), _MAX_SECONDS)

    def result(self) -> MarkedProgram:
        """The marked program; without functions if Python's parser fails on it. Call this once."""
        try:
            return MarkedProgram.model_validate(self._task.result())
        except ParserDiedError:
            return MarkedProgram(files={}, functions=())


def _marked(submission: Submission, paths: list[str]) -> object:
    with parsing():
        return mark_answers(submission, paths).model_dump(mode="json")
