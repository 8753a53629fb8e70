"""Overriding: a person sets a criterion's level, and the result is computed like any other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalforge.history.overrides import Override, RevisedResult, in_force, now
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.number_format import format_number
from evalforge.model.result import BossEvalResult, Judgement, Opinion, verdict_words
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.scoring import score

# The text of a result in which a person set levels: nothing in it contradicts a level that counts.

# As at the end of: ... name the argument (+1 Stands its ground). · ... does both (main.py:6; +1 Stands its ground).
_WORTH = re.compile(r"\((?:[^()]*; )?\+[\d.]+ (?P<label>[^()]+?)(?:;[^()]*)?\)\.?$")
_MAX_IMPROVEMENTS = 5


def override_comment(override: Override) -> str:
    """Return the comment of a criterion whose level a person set."""
    return f"Set by your instructor: {override.reason}"


def revised_summary(result: BossEvalResult, rubric: BossRubric, overrides: Sequence[Override]) -> str:
    """Write three or four sentences: what a person set, what follows, and which criteria are at their highest level."""
    labels = rubric.labels
    scores = {criterion.id: criterion for criterion in result.criteria}
    levels = [
        f"{labels[override.criterion_id]} to {format_number(override.score or 0)} of "
        f"{format_number(scores[override.criterion_id].max_score)}"
        for override in overrides
    ]
    total = f"{format_number(result.score_total)} of {format_number(result.score_max)}"
    sentences = [
        f"Your instructor set {_and(levels)}.",
        f"The result is {total}: {verdict_words(result.verdict)}.",
    ]
    highest = [labels[criterion.id] for criterion in result.criteria if criterion.score == criterion.max_score]
    lower = [
        f"{labels[criterion.id]} ({format_number(criterion.score)} of {format_number(criterion.max_score)})"
        for criterion in result.criteria
        if criterion.score != criterion.max_score
    ]
    if not lower:
        return " ".join([*sentences, "Every criterion is at its highest level."])
    sentences += [f"At the highest level: {_and(highest)}."] if highest else []
    return " ".join([*sentences, f"Below it: {_and(lower)}."])


def revised_improvements(
    improvements: Sequence[str], judgements: Sequence[Judgement], rubric: BossRubric, overrides: Sequence[Override]
) -> tuple[str, ...]:
    """Write what to do next; for criteria that a person set, only what the next level requires.

    The forge ends each suggestion with its points and its criterion. If no suggestion does, there is no way to know
    which criterion a suggestion is about, so only the next levels are named.
    """
    overridden_ids = {override.criterion_id for override in overrides}
    overridden_labels = {rubric.labels[criterion_id] for criterion_id in overridden_ids}
    worths = [(text, _WORTH.search(text)) for text in improvements]
    texts = [text for text, worth in worths if worth and worth["label"] not in overridden_labels]
    is_attributed = any(worth for _, worth in worths)
    scores = {judgement.criterion_id: judgement for judgement in judgements}
    next_levels = list(_next_levels(rubric, scores, overridden_ids if is_attributed else set(scores)))
    general = [text for text, worth in worths if is_attributed and not worth]
    return tuple(dict.fromkeys([*next_levels, *texts, *general]))[:_MAX_IMPROVEMENTS]


def _next_levels(rubric: BossRubric, judgements: dict[str, Judgement], criterion_ids: set[str]) -> Iterator[str]:
    """Yield what the next level of each of these criteria requires, if there is one."""
    for criterion in rubric.criteria:
        if criterion.id not in criterion_ids:
            continue
        own_score = to_fraction(judgements[criterion.id].score)
        higher = sorted(
            (level for level in criterion.levels if to_fraction(level.score) > own_score),
            key=lambda level: to_fraction(level.score),
        )
        if higher:
            gain = format_number(float(to_fraction(higher[0].score) - own_score))
            description = higher[0].description.strip().rstrip(".") or higher[0].label
            yield f"The next level asks: {description} (+{gain} {criterion.label})."


def _and(names: Sequence[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


@dataclass(frozen=True)
class LevelOverride:
    """The level that a person wants to set.

    Attributes:
        score: The level's score; None withdraws an earlier override.
    """

    criterion_id: str
    score: float | None
    reason: str


@dataclass(frozen=True)
class StoredJudging:
    """The part of a judged attempt that overrides need: read back, or just stored."""

    attempt_id: str
    result: BossEvalResult
    judgements: tuple[Judgement, ...]


def override_level(history: History, attempt_id: str, rubric: BossRubric, level: LevelOverride) -> RevisedResult | None:
    """Set the level of one criterion.

    Args:
        history: Where the attempt is stored.
        attempt_id: The attempt.
        rubric: The rubric it was judged by.
        level: What to set.

    Returns:
        The attempt's result with all levels in force, and every override of it.

    Raises:
        HistoryError: The attempt can't be read or written.
        UsageError: The attempt was judged by another rubric, there is no such level, or nothing to withdraw.
    """
    attempt, overrides = history.get(attempt_id), history.overrides.of(attempt_id)
    overridden_ids = {override.criterion_id for override in overrides.in_force} if overrides else set[str]()
    if level.score is None and level.criterion_id not in overridden_ids:
        raise UsageError(f"There is no override to remove: {level.criterion_id} counts as it was judged.")
    override = Override(criterion_id=level.criterion_id, score=level.score, reason=level.reason, made_at=now())
    result = revise(attempt, rubric, in_force((*(overrides.overrides if overrides else ()), override)))
    history.overrides.add(attempt_id, (override,), result)
    return history.overrides.of(attempt_id)


def revise(attempt: Attempt, rubric: BossRubric, overrides: Sequence[Override]) -> BossEvalResult:
    """Compute the result of an attempt in which a person set some levels.

    Args:
        attempt: What was judged.
        rubric: The rubric it was judged by.
        overrides: The overrides in force, one per criterion at most.

    Raises:
        UsageError: The attempt was not judged, the rubric is a different one, or there is no such criterion or level.
    """
    if attempt.result is None:
        raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): there is no level to override.")
    return revise_judging(StoredJudging(attempt.id, attempt.result, attempt.judgements), rubric, overrides)


def revise_judging(judging: StoredJudging, rubric: BossRubric, overrides: Sequence[Override]) -> BossEvalResult:
    """Compute the result of a stored judging in which a person set some levels.

    Args:
        judging: What was judged.
        rubric: The rubric it was judged by.
        overrides: The overrides in force, one per criterion at most.

    Raises:
        UsageError: The rubric is a different one, or there is no such criterion or level.
    """
    result = judging.result
    if _rescored_sums(judging, rubric) != _sums(result):
        raise UsageError(
            f"The rubric of {result.boss_id} is no longer the one that attempt {judging.attempt_id} was judged by.",
            "Judge it again, then set the level.",
        )
    by_criterion = {override.criterion_id: override for override in overrides}
    judgements = tuple(
        _overridden(judgement, by_criterion.get(judgement.criterion_id)) for judgement in judging.judgements
    )
    for override in overrides:
        _check_level(rubric, override)
    notes = [
        result.raw_notes,
        *(f"A person set {override.criterion_id} to {override.score:g}." for override in overrides),
    ]
    opinion = Opinion(
        judgements=judgements,
        summary=result.summary,
        improvements=result.improvements,
        raw_notes=" ".join(notes).strip(),
    )
    new_result = score(result.boss_id, _with_halfway_levels(rubric, overrides), opinion)
    if not overrides:
        return new_result
    return new_result.model_copy(
        update={
            "summary": revised_summary(new_result, rubric, overrides),
            "improvements": revised_improvements(result.improvements, judgements, rubric, overrides),
        }
    )


def _rescored_sums(judging: StoredJudging, rubric: BossRubric) -> tuple[object, ...] | None:
    unchanged = Opinion(judgements=judging.judgements, summary="", improvements=())
    try:
        return _sums(score(judging.result.boss_id, rubric, unchanged))
    except ValueError:
        return None


def _sums(result: BossEvalResult) -> tuple[object, ...]:
    """Everything that a rubric decides about a result; rubrics that agree on it are the same for this attempt."""
    criteria = tuple((criterion.id, criterion.score, criterion.max_score) for criterion in result.criteria)
    return (result.rubric_id, result.score_total, result.score_max, result.passed, result.verdict, criteria)


def _check_level(rubric: BossRubric, override: Override) -> None:
    criteria = {criterion.id: criterion for criterion in rubric.criteria}
    if override.criterion_id not in criteria:
        raise UsageError(f"There is no criterion {override.criterion_id!r}.", f"Criteria: {', '.join(criteria)}.")
    criterion = criteria[override.criterion_id]
    if override.score not in [level.score for level in (*criterion.levels, *criterion.halfway_levels)]:
        raise UsageError(f"{override.score:g} is not a level of {criterion.id}.", f"{level_choices(criterion)}.")


def level_choices(criterion: Criterion) -> str:
    """Write which levels a person may set: ``Levels: 0 (none), 1 (all), or halfway (0.5)``."""
    levels = ", ".join(f"{level.score:g} ({level.label})" for level in criterion.levels)
    halfway = ", ".join(f"{level.score:g}" for level in criterion.halfway_levels)
    return f"Levels: {levels}" + (f", or halfway ({halfway})" if halfway else "")


def _with_halfway_levels(rubric: BossRubric, overrides: Sequence[Override]) -> BossRubric:
    """Return the rubric with the halfway levels that a person set; judges don't have them."""
    scores = {override.criterion_id: override.score for override in overrides if override.score is not None}
    criteria = tuple(
        criterion.model_copy(update={"levels": criterion.levels_with([scores[criterion.id]])})
        if criterion.id in scores
        else criterion
        for criterion in rubric.criteria
    )
    return rubric.model_copy(update={"criteria": criteria})


def _overridden(judgement: Judgement, override: Override | None) -> Judgement:
    if override is None or override.score is None:
        return judgement
    changes = {"comment": override_comment(override), "findings": (), "next_level": "", "reason": None}
    return judgement.model_copy(update={"score": override.score, **changes})
