"""The boss's riddles in place of faults that are known: the player asks for the answer rung by rung.

First comes the boss's riddle, then the contract is quoted, then the fault is named, then comes what to do.
"""

from collections.abc import Callable, Collection, Iterator
from enum import IntEnum

from evalforge.judges.causes import fix_words
from evalforge.judges.comments import with_lowercase_start
from evalforge.model.events import CriterionJudged, Event, Judged
from evalforge.model.reason import Mistake
from evalforge.model.result import BossEvalResult, Judgement


class Rung(IntEnum):
    """How much of a known mistake is shown."""

    RIDDLE = 0
    CONTRACT = 1
    FAULT = 2
    RECIPE = 3


RungOf = Callable[[Mistake], int]
"""The rung that the player has reached with a mistake."""
_OFFERS = (
    "`h` in the evidence quotes the contract.",
    "`h` in the evidence names the fault.",
    "`h` in the evidence says what to do.",
)


def riddle_alone(_mistake: Mistake) -> int:
    """The rung at which every mistake is a riddle."""
    return Rung.RIDDLE


def with_riddles(event: Event) -> Event:
    """An event of a fight as the player sees it: known mistakes are riddles."""
    match event:
        case CriterionJudged():
            judgement = riddled_judgement(event.judgement, mistakes_in((event.judgement,)), riddle_alone)
            return event.model_copy(update={"judgement": judgement})
        case Judged():
            mistakes = mistakes_in(event.judgements)
            judgements = tuple(riddled_judgement(each, mistakes, riddle_alone) for each in event.judgements)
            return event.model_copy(
                update={"judgements": judgements, "result": _riddled_result(event.result, mistakes)}
            )
        case _:
            return event


def mistakes_in(judgements: Collection[Judgement]) -> tuple[Mistake, ...]:
    """The known mistakes of judgements that have a riddle, each once."""
    mistakes = (mistake for judgement in judgements if judgement.reason for mistake in judgement.reason.mistakes)
    return tuple({mistake.ids: mistake for mistake in mistakes if mistake.riddle}.values())


def riddled_judgement(judgement: Judgement, mistakes: Collection[Mistake], rung_of: RungOf) -> Judgement:
    """A judgement with as much of each mistake as the player has asked for.

    Args:
        judgement: The judgement.
        mistakes: The known mistakes of the submission.
        rung_of: The rung that is reached with each.
    """
    reason = judgement.reason
    if reason is None or not mistakes:
        return judgement
    words: dict[str, object] = {
        "cause": _riddled(reason.cause, mistakes, rung_of),
        "remarks": tuple(_riddled(remark, mistakes, rung_of) for remark in reason.remarks),
    }
    cause = next((m for m in mistakes if m in reason.mistakes and reason.cause.startswith(m.fault.rstrip("."))), None)
    if cause is not None and rung_of(cause) < Rung.RECIPE:
        words["advice"] = _OFFERS[rung_of(cause)]
    comment = _riddled(judgement.comment, mistakes, rung_of)
    return judgement.model_copy(update={"comment": comment, "reason": reason.model_copy(update=words)})


def _riddled_result(result: BossEvalResult, mistakes: Collection[Mistake]) -> BossEvalResult:
    criteria = tuple(
        criterion.model_copy(update={"comment": _riddled(criterion.comment, mistakes, riddle_alone)})
        for criterion in result.criteria
    )
    improvements = tuple(_riddled(text, mistakes, riddle_alone) for text in result.improvements)
    summary = _riddled(result.summary, mistakes, riddle_alone)
    return result.model_copy(update={"criteria": criteria, "improvements": improvements, "summary": summary})


def _riddled(text: str, mistakes: Collection[Mistake], rung_of: RungOf) -> str:
    for mistake in mistakes:
        rung = rung_of(mistake)
        if rung >= Rung.FAULT:
            continue
        riddle = f"“{mistake.riddle.rstrip('.')}”"
        quoted = f"{riddle}. {mistake.citation}".rstrip(".") if rung == Rung.CONTRACT else riddle
        for said in _forms(mistake):
            text = text.replace(said, quoted)
    return text


def _forms(mistake: Mistake) -> Iterator[str]:
    """Yield the ways in which a mistake is said, the longest first, without the final full stop."""
    fault = mistake.fault.rstrip(".")
    for form in (fix_words(mistake), mistake.words, fault, with_lowercase_start(fault)):
        yield form.rstrip(".")
