"""A person's word on a criterion, kept beside the judge's."""

from dataclasses import dataclass

from evalforge.history.overrides import Override, Revised, in_force, now
from evalforge.history.revision import revise
from evalforge.history.store import History
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
        UsageError: The attempt was judged by another rubric, or there is no such level.
    """
    attempt, before = history.get(attempt_id), history.overrides.of(attempt_id)
    said = Override(criterion_id=word.criterion_id, score=word.score, reason=word.reason, made_at=now())
    result = revise(attempt, rubric, in_force((*(before.said if before else ()), said)))
    history.overrides.add(attempt_id, (said,), result)
    return history.overrides.of(attempt_id)
