"""Lowering of a level that a model chose: the comment then gives the facts instead of the model's praise."""

from evalforge.judges.comments import as_sentence
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


def lower(criterion: Criterion, judgement: Judgement, level: Level, bounded: str, reason: str) -> Judgement:
    """The judgement at a lower level, with the reason as its comment.

    Args:
        criterion: The criterion that is judged.
        judgement: The judgement as it was; what its model wrote stays in ``written``.
        level: The level that remains.
        bounded: What was lowered and why.
        reason: The fact that lowered it, for the comment; if empty, the level's description is used.
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
    """What a model objects to the limit of a criterion, for the boss's author; empty if nothing."""
    if not judgement.contradiction:
        return ""
    return f"The judge contradicts the limit of {criterion.label}: “{judgement.contradiction}”"


def lowering_notes(criterion: Criterion, judgement: Judgement) -> str:
    """How a model's level was changed, from which to which, and why; empty if it wasn't."""
    if judgement.chosen is None or judgement.chosen == judgement.score:
        return ""
    before, after = criterion.level(judgement.chosen), criterion.level(judgement.score)
    if to_fraction(after.score) > to_fraction(before.score):
        remark = (
            f"{criterion.label} stays at {after.score:g} (“{after.label}”), not {before.score:g} (“{before.label}”)"
        )
        return as_sentence(f"{remark}: none of the faults that were claimed was confirmed")
    change = (
        f"{criterion.label} was lowered from {before.score:g} (“{before.label}”) to {after.score:g} (“{after.label}”)"
    )
    return as_sentence(f"{change}: {judgement.bounded or after.full_description}")
