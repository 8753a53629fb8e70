"""The text of a result in which a person set levels: nothing in it contradicts a level that counts."""

import re
from collections.abc import Iterator, Sequence

from evalforge.history.overrides import Override
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.number_format import format_number
from evalforge.model.result import BossEvalResult, Judgement, verdict_words
from evalforge.model.rubric import BossRubric

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
