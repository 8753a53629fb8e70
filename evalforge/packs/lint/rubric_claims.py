"""The claims that a rubric's notes make about its numbers, in figures or in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

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
