"""Lowering a level that a model chose: the judgement then says what the facts say, not what the model praised."""

from evalforge.judges.comments import as_sentence
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


def lower(criterion: Criterion, judgement: Judgement, level: Level, bounded: str, reason: str) -> Judgement:
    """A judgement with a lower level.

    Args:
        criterion: What is judged.
        judgement: The judgement as it was; what its model wrote stays in ``written``.
        level: The level that remains.
        bounded: What was lowered and why.
        reason: The fact that lowered it, for the comment; the level's description if it has no words.
    """
    following = criterion.next_level(level.score)
    return judgement.model_copy(
        update={
            "score": level.score,
            "comment": as_sentence(reason or level.full_description or level.label),
            "next_level": following.asked if following else "",
            "bounded": bounded,
            "reason": None,
        }
    )


def contradiction_notes(criterion: Criterion, judgement: Judgement) -> str:
    """What a judge says against the limit of a criterion, for the boss's author; empty if nothing."""
    if not judgement.contradiction:
        return ""
    return f"The judge contradicts the limit of {criterion.label}: “{judgement.contradiction}”"


def lowering_notes(criterion: Criterion, judgement: Judgement) -> str:
    """What was lowered or kept up, from which level to which, and why; empty if nothing was."""
    if judgement.chosen is None or judgement.chosen == judgement.score:
        return ""
    before, after = criterion.level(judgement.chosen), criterion.level(judgement.score)
    if to_fraction(after.score) > to_fraction(before.score):
        kept = f"{criterion.label} stays at {after.score:g} (“{after.label}”), not {before.score:g} (“{before.label}”)"
        return as_sentence(f"{kept}: none of the faults that were claimed was confirmed")
    change = (
        f"{criterion.label} was lowered from {before.score:g} (“{before.label}”) to {after.score:g} (“{after.label}”)"
    )
    return as_sentence(f"{change}: {judgement.bounded or after.full_description}")
