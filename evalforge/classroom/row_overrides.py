"""Sets one level in several submissions of a class, such as those of a cluster."""

from collections.abc import Sequence

from evalforge.classroom.class_row import ClassRow
from evalforge.history.overriding import LevelOverride, override_level
from evalforge.history.store import History
from evalforge.model.errors import EvalForgeError
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line


def override_rows(
    history: History, rubric: BossRubric, rows: Sequence[ClassRow], level: LevelOverride
) -> tuple[list[ClassRow], list[str]]:
    """Set the level of a criterion in each row; if the judge gave that level, an earlier override is withdrawn.

    Args:
        history: Where their attempts are stored.
        rubric: The rubric they were judged by.
        rows: The rows. Rows in which the level already counts don't change.
        level: The level to set; its score must be that of a level.

    Returns:
        The changed rows, and a sentence for each row in which the level can't be set.
    """
    changed: list[ClassRow] = []
    refusals: list[str] = []
    for row in rows:
        if row.judged is None or _score_in(row.result, level.criterion_id) == level.score:
            continue
        is_judged_level = _score_in(row.judged, level.criterion_id) == level.score
        own_level = LevelOverride(level.criterion_id, None if is_judged_level else level.score, level.reason)
        try:
            revised_result = override_level(history, row.attempt_id, rubric, own_level)
        except EvalForgeError as error:
            refusals.append(f"{clean_line(row.title)}: {error}")
        else:
            changed.append(row.model_copy(update={"revised": revised_result}))
    return changed, refusals


def _score_in(result: BossEvalResult | None, criterion_id: str) -> float | None:
    return (
        next((criterion.score for criterion in result.criteria if criterion.id == criterion_id), None)
        if result
        else None
    )
