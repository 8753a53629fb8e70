"""Checks of the rubric's numbers: weights, threshold, and the numbers in its notes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.result import Verdict
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import verdict_of
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack

# The claims that a rubric's notes make about its numbers, in figures or in words.

_NUMBER_WORDS: tuple[str, ...] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NUMBER = rf"(\d+(?:\.\d+)?|{'|'.join(_NUMBER_WORDS)})"
_WINS = r"(?:pass(?:es)?|wins?|is a (?:pass|win))"
_POINTS_OF_POINTS = rf"{_NUMBER}(?: points?)?(?: out)? of {_NUMBER}(?: points?)?"


class ClaimSubject(Enum):
    """The quantity that a claimed number is about."""

    THRESHOLD = "the pass threshold"
    MAXIMUM = "the highest total"
    HIGHEST_FAIL = "the highest total that fails"
    CRITERIA = "the number of criteria"


_CLAIMS: tuple[tuple[str, tuple[ClaimSubject, ...]], ...] = (
    (rf"\b{_POINTS_OF_POINTS} {_WINS}\b", (ClaimSubject.THRESHOLD, ClaimSubject.MAXIMUM)),
    (
        rf"\b(?:pass(?:es)?|wins?|threshold)(?: is)?(?: at| from| with)? {_POINTS_OF_POINTS}",
        (ClaimSubject.THRESHOLD, ClaimSubject.MAXIMUM),
    ),
    (rf"(?<!of )\b{_NUMBER} points?(?: or more)? {_WINS}\b", (ClaimSubject.THRESHOLD,)),
    (
        rf"\b(?:pass(?:es)?|wins?)(?: is)? (?:at|from|with) {_NUMBER}\b(?!(?: points?)?(?: out)? of)",
        (ClaimSubject.THRESHOLD,),
    ),
    (rf"\b{_NUMBER}(?: points?)? or (?:less|fewer) (?:is a fail|fails?)\b", (ClaimSubject.HIGHEST_FAIL,)),
    # Only at the start of a sentence does it mean the number of all criteria.
    (rf"(?:^|[.:;!] ){_NUMBER} criteria\b", (ClaimSubject.CRITERIA,)),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), subjects) for pattern, subjects in _CLAIMS)


@dataclass(frozen=True)
class RubricClaim:
    """One number in the notes, and the words around it."""

    quote: str
    subject: ClaimSubject
    number: Fraction


def find_claims(notes: str) -> Iterator[RubricClaim]:
    """Find every number in the notes whose meaning is plain."""
    text = " ".join(notes.split())
    for pattern, subjects in _PATTERNS:
        for match in pattern.finditer(text):
            for subject, number_words in zip(subjects, match.groups(), strict=True):
                yield RubricClaim(match[0].lstrip(".:;! "), subject, _value(number_words))


def _value(text: str) -> Fraction:
    word = text.lower()
    return Fraction(_NUMBER_WORDS.index(word)) if word in _NUMBER_WORDS else Fraction(word)


def check_rubric(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that weights add up to 1, every verdict is possible, and the notes have the right numbers."""
    rubric = draft.rubric
    if rubric is None:
        return
    yield from rubric_faults(draft)
    yield from _weights(rubric)
    yield from _stated_maximum(rubric)
    yield from _missing_verdicts(rubric)
    yield from _notes(rubric)


def rubric_faults(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield what makes a verdict worthless: a threshold that everybody reaches, or a criterion with a single level."""
    rubric = draft.rubric
    if rubric is None:
        return
    if _everyone_passes(rubric.value):
        message = f"everybody passes: the lowest levels already add up to {to_number(_lowest_total(rubric.value))}"
        yield rubric.issue(("overall", "pass_threshold"), message)
    for index, criterion in enumerate(rubric.value.criteria):
        if len(criterion.levels) < 2:
            yield rubric.issue(("criteria", index, "levels"), f"{criterion.id} has only one level")


def _weights(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    criteria = rubric.value.criteria
    weights = [criterion.weight for criterion in criteria if criterion.weight is not None]
    if not weights:
        return
    for index, criterion in enumerate(criteria):
        if criterion.weight is None:
            yield rubric.issue(("criteria", index), f"{criterion.id} has no weight, while others have")
        elif criterion.weight == 0:
            yield rubric.issue(("criteria", index, "weight"), f"{criterion.id} weighs nothing")
    total = sum((to_fraction(weight) for weight in weights), Fraction(0))
    if total != 1:
        yield rubric.issue(("criteria", 0, "weight"), f"the weights add up to {to_number(total):g}, not to 1")


def _lowest_total(rubric: BossRubric) -> Fraction:
    return sum((to_fraction(criterion.min_score) for criterion in rubric.criteria), Fraction(0))


def _everyone_passes(rubric: BossRubric) -> bool:
    return to_fraction(rubric.overall.pass_threshold) <= _lowest_total(rubric)


def _stated_maximum(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    stated, top = rubric.value.overall.max_score, rubric.value.max_score
    if stated is not None and to_fraction(stated) != to_fraction(top):
        yield rubric.issue(("overall", "max_score"), f"max_score is {stated}; the levels add up to {top}")


def _missing_verdicts(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    value = rubric.value
    if _everyone_passes(value):
        return
    threshold, top = to_fraction(value.overall.pass_threshold), to_fraction(value.max_score)
    possible_verdicts = {verdict_of(total, top, threshold) for total in totals(value)}
    for verdict in Verdict:
        if verdict not in possible_verdicts:
            message = f"no sum of levels gives the verdict {verdict.value}"
            yield rubric.issue(("overall", "pass_threshold"), message, is_problem=False)


def totals(rubric: BossRubric) -> set[Fraction]:
    """All totals that some choice of levels gives."""
    sums = {Fraction(0)}
    for criterion in rubric.criteria:
        sums = {total + to_fraction(level.score) for total in sums for level in criterion.levels}
    return sums


def _notes(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    value = rubric.value
    threshold = to_fraction(value.overall.pass_threshold)
    true_numbers = {
        ClaimSubject.THRESHOLD: threshold,
        ClaimSubject.MAXIMUM: to_fraction(value.max_score),
        ClaimSubject.HIGHEST_FAIL: max(
            (total for total in totals(value) if total <= threshold / 2), default=Fraction(0)
        ),
        ClaimSubject.CRITERIA: Fraction(len(value.criteria)),
    }
    for claim in find_claims(value.overall.notes):
        if claim.number != true_numbers[claim.subject]:
            # The line of a claim within a folded text is unknown, so the line of its key has to do.
            number = to_number(true_numbers[claim.subject])
            message = f"the notes say {claim.quote!r}, but {claim.subject.value} is {number:g}"
            yield rubric.issue(("overall", "notes"), message)
