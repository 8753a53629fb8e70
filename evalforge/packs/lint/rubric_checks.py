"""Checks of the rubric: every verdict is possible, every level decides something, and criteria differ."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.result import Verdict
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import verdict_of
from evalforge.packs.issue import Issue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack

_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_NUMBER = rf"(\d+(?:\.\d+)?|{'|'.join(_NUMBER_WORDS)})"
_POINTS_OF_POINTS = rf"{_NUMBER}(?: points?)?(?: out)? of {_NUMBER}(?: points?)?"
_WINS = r"(?:pass(?:es)?|wins?|is a (?:pass|win))"
_THRESHOLD, _MAXIMUM = "the pass threshold", "the highest total"
_HIGHEST_FAIL, _CRITERIA = "the highest total that fails", "the number of criteria"
_CLAIMS = (
    (rf"\b{_POINTS_OF_POINTS} {_WINS}\b", (_THRESHOLD, _MAXIMUM)),
    (rf"\b(?:pass(?:es)?|wins?|threshold)(?: is)?(?: at| from| with)? {_POINTS_OF_POINTS}", (_THRESHOLD, _MAXIMUM)),
    (rf"(?<!of )\b{_NUMBER} points?(?: or more)? {_WINS}\b", (_THRESHOLD,)),
    (rf"\b(?:pass(?:es)?|wins?)(?: is)? (?:at|from|with) {_NUMBER}\b(?!(?: points?)?(?: out)? of)", (_THRESHOLD,)),
    (rf"\b{_NUMBER}(?: points?)? or (?:less|fewer) (?:is a fail|fails?)\b", (_HIGHEST_FAIL,)),
    # Only at the start of a sentence does it mean the number of all criteria.
    (rf"(?:^|[.:;!] ){_NUMBER} criteria\b", (_CRITERIA,)),
)
"""How notes state numbers whose meaning is plain, and what these are about."""


def rubric_faults(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield what makes a verdict worthless: a threshold that everybody reaches, or a criterion with a single level."""
    rubric = pack.rubric
    if rubric is None:
        return
    if _everyone_passes(rubric.value):
        message = f"everybody passes: the lowest levels already add up to {to_number(_lowest_total(rubric.value))}"
        yield rubric.issue(("overall", "pass_threshold"), message)
    for index, criterion in enumerate(rubric.value.criteria):
        if len(criterion.levels) < 2:
            yield rubric.issue(("criteria", index, "levels"), f"{criterion.id} has only one level")


def check_rubric(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that weights add up to 1, every verdict is possible, the notes are true, and criteria differ."""
    if pack.rubric is not None:
        yield from _weights(pack.rubric)
        yield from _stated_maximum(pack.rubric)
        yield from _missing_verdicts(pack.rubric)
        yield from _wrong_notes(pack.rubric)
        yield from _subjects(pack.rubric)


def _weights(rubric: PackFile[BossRubric]) -> Iterator[Issue]:
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


def _stated_maximum(rubric: PackFile[BossRubric]) -> Iterator[Issue]:
    stated, top = rubric.value.overall.max_score, rubric.value.max_score
    if stated is not None and to_fraction(stated) != to_fraction(top):
        yield rubric.issue(("overall", "max_score"), f"max_score is {stated}; the levels add up to {top}")


def _missing_verdicts(rubric: PackFile[BossRubric]) -> Iterator[Issue]:
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


def _wrong_notes(rubric: PackFile[BossRubric]) -> Iterator[Issue]:
    """Yield the numbers of the notes, which players read, that aren't those of the rubric."""
    value = rubric.value
    threshold = to_fraction(value.overall.pass_threshold)
    true_numbers = {
        _THRESHOLD: threshold,
        _MAXIMUM: to_fraction(value.max_score),
        _HIGHEST_FAIL: max((total for total in totals(value) if total <= threshold / 2), default=Fraction(0)),
        _CRITERIA: Fraction(len(value.criteria)),
    }
    notes = " ".join(value.overall.notes.split())
    for pattern, subjects in _CLAIMS:
        for match in re.finditer(pattern, notes, re.IGNORECASE):
            for subject, word in zip(subjects, match.groups(), strict=True):
                numeral = word.lower()
                number = Fraction(_NUMBER_WORDS.index(numeral) if numeral in _NUMBER_WORDS else numeral)
                if number != true_numbers[subject]:
                    # The line of a claim within a folded text is unknown, so the line of its key has to do.
                    quote, truth = match[0].lstrip(".:;! "), to_number(true_numbers[subject])
                    yield rubric.issue(("overall", "notes"), f"the notes say {quote!r}, but {subject} is {truth:g}")


def _subjects(rubric: PackFile[BossRubric]) -> Iterator[Issue]:
    """Yield criteria that say nothing of what they judge, or are called like another."""
    for index, criterion in enumerate(rubric.value.criteria):
        if not criterion.description.strip():
            yield rubric.issue(("criteria", index), f"{criterion.id} has no description: what does it ask?")
    for (_, first), (index, second) in combinations(enumerate(rubric.value.criteria), 2):
        if first.label.casefold().strip() == second.label.casefold().strip():
            yield rubric.issue(("criteria", index), f"{second.id} and {first.id} have the same label")
