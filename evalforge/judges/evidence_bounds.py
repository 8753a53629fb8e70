"""Limits on a model's choices: a level needs a quote that exists, and evidence that doesn't contradict it."""

from dataclasses import dataclass

from evalforge.evidence.conditions import is_met
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.evidence.static import is_test_file
from evalforge.judges.base import Case
from evalforge.judges.comments import as_sentence
from evalforge.judges.lowering import lower
from evalforge.judges.plain_prose import plain_prose
from evalforge.judges.quote_check import QuoteFinder, QuoteLocation
from evalforge.judges.reply import LevelChoice
from evalforge.model.evidence import Finding
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


@dataclass(frozen=True)
class BoundedChoice:
    """A model's choice for a criterion, limited by its quotes and the evidence.

    Attributes:
        judgement: The judgement with the level that remains.
        unsupported_reason: Why no quote supports the chosen level, in words for the model; empty if one does.
    """

    judgement: Judgement
    unsupported_reason: str = ""


def bound_choice(case: Case, choice: LevelChoice, finder: QuoteFinder) -> BoundedChoice:
    """Verify a choice's quotes, then lower its level to what the quotes and the evidence allow."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    locations = [location for quote in choice.quotes if (location := finder.find(quote)) is not None]
    unsupported_reason = _unsupported_reason(case, criterion, choice, locations)
    judgement = _judgement(criterion, criterion.level(choice.score), choice, locations)
    if unsupported_reason and _is_earned_by_runs(case, criterion, choice.score):
        # A run has proven the level; only the quote is missing.
        judgement = judgement.model_copy(update={"uncertain": True})
    elif unsupported_reason:
        level = _next_lower_level(criterion, criterion.level(choice.score))
        why = _LOWERED_BECAUSE[unsupported_reason]
        judgement = lower(criterion, judgement, level, f"Lowered to “{level.label}”: {why}", level.full_description)
    limit, reason = highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)
    if choice.contradiction and to_fraction(limit.score) < to_fraction(criterion.max_score):
        judgement = judgement.model_copy(update={"contradiction": plain_prose(choice.contradiction)})
    if to_fraction(judgement.score) > to_fraction(limit.score):
        before = criterion.level(judgement.score)
        refusal = f"The judge chose “{before.label}”; the evidence allows no more than “{limit.label}”: {reason}"
        judgement = lower(criterion, judgement, limit, refusal.rstrip(": "), reason)
    return BoundedChoice(judgement, unsupported_reason)


def provisional_judgement(case: Case, choice: LevelChoice) -> Judgement:
    """A choice that was just written, limited by the evidence alone; shown until its quotes are verified."""
    criterion = case.pack.rubric.criterion(choice.criterion_id)
    limit, _ = highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)
    level = min(criterion.level(choice.score), limit, key=lambda level: to_fraction(level.score))
    return _judgement(criterion, level, choice, [])


_NO_QUOTE, _QUOTE_NOT_FOUND, _QUOTE_NOT_CODE, _QUOTE_NOT_TESTS, _QUOTE_NOT_PROGRAM = (
    "no quote with a path, a line number and a text was given",
    "no quote was found where it was said to be",
    "no quoted line is code that does something",
    "no quoted line is code of the tests",
    "no quoted line is code of the program, only of its tests",
)
_LOWERED_BECAUSE = {
    _NO_QUOTE: "the judge quoted no line for it.",
    _QUOTE_NOT_FOUND: "what the judge quoted is not in the files.",
    _QUOTE_NOT_CODE: "the judge quoted only comments, text, imports or bare structure.",
    _QUOTE_NOT_TESTS: "this is about tests, and the judge quoted none of them.",
    _QUOTE_NOT_PROGRAM: "this is about the program, and the judge quoted only its tests.",
}


def _unsupported_reason(case: Case, criterion: Criterion, choice: LevelChoice, locations: list[QuoteLocation]) -> str:
    if to_fraction(choice.score) <= to_fraction(criterion.min_score):
        return ""
    if not choice.quotes:
        return _NO_QUOTE
    if not locations:
        return _QUOTE_NOT_FOUND
    code_locations = [location for location in locations if location.is_code]
    if not code_locations:
        return _QUOTE_NOT_CODE
    in_tests = [is_test_file(location.path) for location in code_locations]
    if _is_about_tests(case, criterion) and not any(in_tests):
        return _QUOTE_NOT_TESTS
    return _QUOTE_NOT_PROGRAM if _is_about_program(case, criterion) and all(in_tests) else ""


def _is_about_tests(case: Case, criterion: Criterion) -> bool:
    """Whether a criterion's lowest rule is about tests alone, and there are test files to quote."""
    lowest = case.pack.rules.of(criterion.id)[:1]
    facts = {check.fact for rule in lowest for condition in rule.requires for check in condition.checks}
    is_about_tests = bool(facts) and all(fact.startswith("tests.") for fact in facts)
    return is_about_tests and any(is_test_file(file.path) for file in case.submission.files)


def _is_about_program(case: Case, criterion: Criterion) -> bool:
    """Whether no rule of a criterion asks for tests, and there are files other than tests."""
    conditions = [condition for rule in case.pack.rules.of(criterion.id) for condition in rule.requires]
    is_about_program = bool(conditions) and not any(condition.asks_for_tests for condition in conditions)
    return is_about_program and not all(is_test_file(file.path) for file in case.submission.files)


def _is_earned_by_runs(case: Case, criterion: Criterion, score: Score) -> bool:
    """Whether trials and runs of the tests earn a level, with no need for a reader."""
    rules = [rule for rule in case.pack.rules.of(criterion.id) if to_fraction(rule.level) <= to_fraction(score)]
    conditions = [condition for rule in rules for condition in rule.requires]
    reaches = bool(rules) and to_fraction(rules[-1].level) == to_fraction(score)
    return reaches and all(
        condition.is_behaviour and is_met(condition, case.charged_evidence) for condition in conditions
    )


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
        comment=plain_prose(choice.comment) or as_sentence(level.full_description or level.label),
        findings=tuple(
            Finding(message=location.text, path=location.path, line=location.line)
            for location in dict.fromkeys(locations)
        ),
        next_level=following.asked if following else "",
        uncertain=choice.uncertain,
        chosen=choice.score,
        written=choice.comment,
    )
