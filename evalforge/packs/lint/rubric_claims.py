"""What a rubric's notes claim about its numbers, in figures or in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

_NAMES: tuple[str, ...] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_N = rf"(\d+(?:\.\d+)?|{'|'.join(_NAMES)})"
_WINS = r"(?:pass(?:es)?|wins?|is a (?:pass|win))"
_OF = rf"{_N}(?: points?)?(?: out)? of {_N}(?: points?)?"


class ClaimSubject(Enum):
    """What a number is about."""

    THRESHOLD = "the pass threshold"
    MAXIMUM = "the highest total"
    HIGHEST_FAIL = "the highest total that fails"
    CRITERIA = "the number of criteria"


_CLAIMS: tuple[tuple[str, tuple[ClaimSubject, ...]], ...] = (
    (rf"\b{_OF} {_WINS}\b", (ClaimSubject.THRESHOLD, ClaimSubject.MAXIMUM)),
    (
        rf"\b(?:pass(?:es)?|wins?|threshold)(?: is)?(?: at| from| with)? {_OF}",
        (ClaimSubject.THRESHOLD, ClaimSubject.MAXIMUM),
    ),
    (rf"(?<!of )\b{_N} points?(?: or more)? {_WINS}\b", (ClaimSubject.THRESHOLD,)),
    (
        rf"\b(?:pass(?:es)?|wins?)(?: is)? (?:at|from|with) {_N}\b(?!(?: points?)?(?: out)? of)",
        (ClaimSubject.THRESHOLD,),
    ),
    (rf"\b{_N}(?: points?)? or (?:less|fewer) (?:is a fail|fails?)\b", (ClaimSubject.HIGHEST_FAIL,)),
    # Only at the start of a sentence does it count them all.
    (rf"(?:^|[.:;!] ){_N} criteria\b", (ClaimSubject.CRITERIA,)),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), subjects) for pattern, subjects in _CLAIMS)


@dataclass(frozen=True)
class Claim:
    """One number in the notes, and the words around it."""

    words: str
    subject: ClaimSubject
    number: Fraction


def find_claims(notes: str) -> Iterator[Claim]:
    """Every number whose meaning is plain."""
    text = " ".join(notes.split())
    for pattern, subjects in _PATTERNS:
        for match in pattern.finditer(text):
            for subject, told in zip(subjects, match.groups(), strict=True):
                yield Claim(match[0].lstrip(".:;! "), subject, _value(told))


def _value(words: str) -> Fraction:
    word = words.lower()
    return Fraction(_NAMES.index(word)) if word in _NAMES else Fraction(word)
