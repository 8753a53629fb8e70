"""How far a model is believed: no level without a line that is there, none that the evidence contradicts."""

from dataclasses import dataclass

from evalforge.evidence.rules import ceiling
from evalforge.judges.base import Case
from evalforge.judges.quotes import Found, QuoteBook
from evalforge.judges.reply import Choice
from evalforge.model.evidence import Finding
from evalforge.model.numbers import exact
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


@dataclass(frozen=True)
class Weighed:
    """A choice after weighing.

    Attributes:
        judgement: What is left of it.
        unsupported: Why no quote carries its level, for whoever chose it; empty if one does.
    """

    judgement: Judgement
    unsupported: str = ""


def is_behavioural(case: Case, criterion: Criterion) -> bool:
    """Whether a criterion is about what the code does: trials speak of it, or no rule says what it is about."""
    rules = case.pack.rules.of(criterion.id)
    return not rules or any(condition.is_behaviour for rule in rules for condition in rule.requires)


def weigh(case: Case, choice: Choice, book: QuoteBook) -> Weighed:
    """Verify a choice's quotes, then hold it to what they and the evidence allow."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    found = [place for quote in choice.quotes if (place := book.find(quote)) is not None]
    problem = _unsupported(case, criterion, choice, found)
    level, words = criterion.level(choice.score), ""
    if problem:
        level = _below(criterion, level)
        words = f"Lowered to “{level.label}”: {_LOWERED[problem]}"
    limit, why = ceiling(criterion, case.pack.rules, case.evidence)
    if exact(level.score) > exact(limit.score):
        words = f"The judge chose “{level.label}”; the evidence allows no more than “{limit.label}”: {why}".rstrip(": ")
        level = limit
    return Weighed(_judgement(criterion, level, choice, found, words), problem)


def capped(case: Case, choice: Choice) -> Judgement:
    """A choice that has just been written, held to the evidence alone: what is shown until the quotes are verified."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    limit, _ = ceiling(criterion, case.pack.rules, case.evidence)
    level = min(criterion.level(choice.score), limit, key=lambda level: exact(level.score))
    return _judgement(criterion, level, choice, [], "")


_NO_QUOTE, _NOT_THERE, _NO_CODE = (
    "no quote with a path, a line number and a text was given",
    "no quote was found where it was said to be",
    "no quoted line is code that runs",
)
_LOWERED = {
    _NO_QUOTE: "the judge quoted no line for it.",
    _NOT_THERE: "what the judge quoted is not in the files.",
    _NO_CODE: "the judge quoted only comments or text, and this is about what the code does.",
}


def _unsupported(case: Case, criterion: Criterion, choice: Choice, found: list[Found]) -> str:
    if exact(choice.score) <= exact(criterion.min_score):
        return ""
    if not choice.quotes:
        return _NO_QUOTE
    if not found:
        return _NOT_THERE
    if is_behavioural(case, criterion) and not any(place.is_code for place in found):
        return _NO_CODE
    return ""


def _below(criterion: Criterion, level: Level) -> Level:
    return max(
        (lower for lower in criterion.levels if exact(lower.score) < exact(level.score)),
        key=lambda lower: exact(lower.score),
        default=level,
    )


def _judgement(criterion: Criterion, level: Level, choice: Choice, found: list[Found], bounded: str) -> Judgement:
    following = criterion.next_level(level.score)
    return Judgement(
        criterion_id=criterion.id,
        score=level.score,
        comment=choice.comment,
        findings=tuple(Finding(message=place.text, path=place.path, line=place.line) for place in dict.fromkeys(found)),
        next_level=following.asked if following else "",
        uncertain=choice.uncertain,
        bounded=bounded,
    )
