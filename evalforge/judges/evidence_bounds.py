"""How far a model is believed: no level without a quote that is there, none that the evidence contradicts."""

from dataclasses import dataclass

from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.judges.base import Case
from evalforge.judges.lowering import lower
from evalforge.judges.quote_check import QuoteFinder, QuoteLocation
from evalforge.judges.reply import LevelChoice
from evalforge.model.evidence import Finding
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


@dataclass(frozen=True)
class BoundedChoice:
    """What a model chose for a criterion, held to its quotes and the evidence.

    Attributes:
        judgement: The judgement with the level that remains.
        unsupported_reason: Why no quote supports the chosen level, in words for the model; empty if one does.
    """

    judgement: Judgement
    unsupported_reason: str = ""


def is_behavioural(case: Case, criterion: Criterion) -> bool:
    """Whether a criterion is about what the code does: trials measure it, or no rule says what it is about."""
    rules = case.pack.rules.of(criterion.id)
    return not rules or any(condition.is_behaviour for rule in rules for condition in rule.requires)


def bound_choice(case: Case, choice: LevelChoice, finder: QuoteFinder) -> BoundedChoice:
    """Verify a choice's quotes, then lower its level to what they and the evidence allow."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    locations = [place for quote in choice.quotes if (place := finder.find(quote)) is not None]
    unsupported_reason = _unsupported_reason(case, criterion, choice, locations)
    judgement = _judgement(criterion, criterion.level(choice.score), choice, locations)
    if unsupported_reason:
        level = _next_lower_level(criterion, criterion.level(choice.score))
        why = _LOWERED_BECAUSE[unsupported_reason]
        judgement = lower(criterion, judgement, level, f"Lowered to “{level.label}”: {why}", level.description)
    limit, reason = highest_allowed_level(criterion, case.pack.rules, case.evidence)
    if to_fraction(judgement.score) > to_fraction(limit.score):
        before = criterion.level(judgement.score)
        refusal = f"The judge chose “{before.label}”; the evidence allows no more than “{limit.label}”: {reason}"
        judgement = lower(criterion, judgement, limit, refusal.rstrip(": "), reason)
    return BoundedChoice(judgement, unsupported_reason)


def provisional_judgement(case: Case, choice: LevelChoice) -> Judgement:
    """A choice that was just written, held to the evidence alone: what is shown until its quotes are verified."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    limit, _ = highest_allowed_level(criterion, case.pack.rules, case.evidence)
    level = min(criterion.level(choice.score), limit, key=lambda level: to_fraction(level.score))
    return _judgement(criterion, level, choice, [])


_NO_QUOTE, _QUOTE_NOT_FOUND, _QUOTE_NOT_CODE = (
    "no quote with a path, a line number and a text was given",
    "no quote was found where it was said to be",
    "no quoted line is code that runs",
)
_LOWERED_BECAUSE = {
    _NO_QUOTE: "the judge quoted no line for it.",
    _QUOTE_NOT_FOUND: "what the judge quoted is not in the files.",
    _QUOTE_NOT_CODE: "the judge quoted only comments or text, and this is about what the code does.",
}


def _unsupported_reason(case: Case, criterion: Criterion, choice: LevelChoice, locations: list[QuoteLocation]) -> str:
    if to_fraction(choice.score) <= to_fraction(criterion.min_score):
        return ""
    if not choice.quotes:
        return _NO_QUOTE
    if not locations:
        return _QUOTE_NOT_FOUND
    if is_behavioural(case, criterion) and not any(place.is_code for place in locations):
        return _QUOTE_NOT_CODE
    return ""


def _next_lower_level(criterion: Criterion, level: Level) -> Level:
    return max(
        (lower for lower in criterion.levels if to_fraction(lower.score) < to_fraction(level.score)),
        key=lambda lower: to_fraction(lower.score),
        default=level,
    )


def _judgement(criterion: Criterion, level: Level, choice: LevelChoice, locations: list[QuoteLocation]) -> Judgement:
    following = criterion.next_level(level.score)
    return Judgement(
        criterion_id=criterion.id,
        score=level.score,
        comment=choice.comment,
        findings=tuple(
            Finding(message=place.text, path=place.path, line=place.line) for place in dict.fromkeys(locations)
        ),
        next_level=following.asked if following else "",
        uncertain=choice.uncertain,
        chosen=choice.score,
        written=choice.comment,
    )
