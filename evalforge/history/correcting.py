"""A person's word on a criterion, kept beside the judge's."""

from dataclasses import dataclass

from evalforge.history.overrides import Override, Revised, in_force, now
from evalforge.history.revision import revise
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.model.rubric import BossRubric


@dataclass(frozen=True)
class Word:
    """What somebody says of a criterion; ``score`` None takes an earlier word back."""

    criterion_id: str
    score: float | None
    reason: str


def say(history: History, attempt_id: str, rubric: BossRubric, word: Word) -> Revised | None:
    """Keep a person's word; answers all that was said, and the result that follows.

    Raises:
        HistoryError: The attempt can't be read or written.
        UsageError: The attempt was judged by another rubric, there is no such level, or there is no word to take back.
    """
    attempt, before = history.get(attempt_id), history.overrides.of(attempt_id)
    standing = {override.criterion_id for override in before.in_force} if before else set[str]()
    if word.score is None and word.criterion_id not in standing:
        raise UsageError(f"There is nothing to take back: {word.criterion_id} counts as it was judged.")
    said = Override(criterion_id=word.criterion_id, score=word.score, reason=word.reason, made_at=now())
    result = revise(attempt, rubric, in_force((*(before.said if before else ()), said)))
    history.overrides.add(attempt_id, (said,), result)
    return history.overrides.of(attempt_id)
