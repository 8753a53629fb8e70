"""A judged result with levels a person set in it, worked out by the same sums as any other."""

from collections.abc import Sequence

from evalforge.history.overrides import Override
from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.result import BossEvalResult, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import score


def revise(attempt: Attempt, rubric: BossRubric, in_force: Sequence[Override]) -> BossEvalResult:
    """The result of an attempt with some criteria's levels set by a person.

    Args:
        attempt: What was judged.
        rubric: The one it was judged by.
        in_force: The last word on each criterion.

    Raises:
        UsageError: It was not judged, the rubric is another one, or there is no such criterion or level.
    """
    result = attempt.result
    if result is None:
        raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): there is no level to set.")
    words = (result.summary, result.improvements, result.raw_notes)
    if _scored(attempt, rubric, Opinion(judgements=attempt.judgements, summary="", improvements=())) != _sums(result):
        raise UsageError(
            f"The rubric of {attempt.boss_id} is no longer the one attempt {attempt.id} was judged by.",
            "Judge it again, then set the level.",
        )
    chosen = {override.criterion_id: override for override in in_force}
    judgements = tuple(_set(judgement, chosen.get(judgement.criterion_id)) for judgement in attempt.judgements)
    for override in in_force:
        _check_level(rubric, override)
    notes = " ".join([words[2], *(f"A person set {o.criterion_id} to {o.score:g}." for o in in_force)]).strip()
    opinion = Opinion(judgements=judgements, summary=words[0], improvements=words[1], raw_notes=notes)
    return score(attempt.boss_id, rubric, opinion)


def _scored(attempt: Attempt, rubric: BossRubric, opinion: Opinion) -> tuple[object, ...] | None:
    try:
        return _sums(score(attempt.boss_id, rubric, opinion))
    except ValueError:
        return None


def _sums(result: BossEvalResult) -> tuple[object, ...]:
    """All that a rubric decides about a result; two rubrics that agree on it are one to this attempt."""
    criteria = tuple((one.id, one.score, one.max_score) for one in result.criteria)
    return (result.rubric_id, result.score_total, result.score_max, result.passed, result.verdict, criteria)


def _check_level(rubric: BossRubric, override: Override) -> None:
    known = {criterion.id: criterion for criterion in rubric.criteria}
    if override.criterion_id not in known:
        raise UsageError(f"There is no criterion {override.criterion_id!r}.", f"Criteria: {', '.join(known)}.")
    criterion = known[override.criterion_id]
    if override.score not in [level.score for level in criterion.levels]:
        levels = ", ".join(f"{level.score:g} ({level.label})" for level in criterion.levels)
        raise UsageError(f"{override.score:g} is no level of {criterion.id}.", f"Levels: {levels}.")


def _set(judgement: Judgement, override: Override | None) -> Judgement:
    if override is None or override.score is None:
        return judgement
    comment = f"Set by a person: {override.reason} (Judged {judgement.score:g}: {judgement.comment})"
    return judgement.model_copy(update={"score": override.score, "comment": comment})
