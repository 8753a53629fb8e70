"""Replacement of a trial's words, so that the program can't recognise the trial, but its input keeps its meaning.

A trial is written with readable words (``harbour.log``, ``gate``). They are replaced by random ones before the program
sees them, and restored in all that it writes.
"""

import random
import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from evalforge.sandbox.program import Call
from evalforge.sandbox.report import RunReport

_MAX_DISGUISED_BYTES = 200_000
_TRIES = 100
_MIN_LETTERS = 6
"""The fewest letters of a random word; shorter ones might occur in a program's output by chance."""
_COLLECTIONS: tuple[Callable[[Iterable[Any]], Any], ...] = (list, tuple, set, frozenset)
_ALPHABETS = (string.ascii_lowercase, string.digits)


class Disguise:
    """A reversible replacement of words; only whole words are replaced.

    Args:
        words: The words that the program sees, by the trial's words.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._word_shown_for, self._word_meant_by = dict(words), {disguised: word for word, disguised in words.items()}
        self._word_meant_by_small = {disguised.lower(): word for word, disguised in words.items()}
        self._shown_pattern = _pattern_of(self._word_shown_for)
        # Without ASCII, other signs such as the Kelvin sign would match a letter.
        self._meant_pattern = _pattern_of(self._word_meant_by, re.IGNORECASE | re.ASCII)

    def show(self, text: str) -> str:
        """Replace the trial's words in a text for the program."""
        return self._shown_pattern.sub(lambda match: self._word_shown_for[match.group()], text)

    def reveal(self, text: str) -> str:
        """Restore the trial's words in a text of the program's; words in lower case, upper case or capitals stay so."""
        return self._meant_pattern.sub(lambda match: self._meaning_of(match.group()), text)

    def _meaning_of(self, shown: str) -> str:
        word = self._word_meant_by.get(shown)
        if word is not None:
            return word
        word = self._word_meant_by_small[shown.lower()]
        return next((form(word) for form in (str.lower, str.upper, str.capitalize) if form(shown) == shown), shown)

    def show_value(self, value: Any) -> Any:
        """Replace the trial's words in all texts of plain data."""
        return _exchange_in_value(self.show, value)

    def reveal_value(self, value: Any) -> Any:
        """Restore the trial's words in all texts of plain data."""
        return _exchange_in_value(self.reveal, value)

    def show_call(self, call: Call) -> Call:
        """Replace the trial's words in arguments, files and standard input.

        Contents of more than 200 kB are unchanged.
        """
        return replace(
            call,
            args=tuple(map(self.show, call.args)),
            stdin=_exchange_bytes(self.show, call.stdin),
            files={self.show(name): _exchange_bytes(self.show, content) for name, content in call.files.items()},
        )

    def reveal_report(self, report: RunReport) -> RunReport:
        """Restore the trial's words in the report of a run."""
        return replace(
            report,
            stdout=self.reveal(report.stdout),
            stderr=self.reveal(report.stderr),
            files={self.reveal(name): _exchange_bytes(self.reveal, content) for name, content in report.files.items()},
        )


def random_words(rng: random.Random, words: Iterable[str], *, in_order: bool = False) -> dict[str, str]:
    """Make a random word of the same form for each word: letter for letter, digit for digit, with the same signs.

    Args:
        rng: The source of random numbers.
        words: Words of letters, digits and signs, such as ``harbour.log`` or ``pump.3``, in lower case or with an
            initial capital. Letters after the last dot stay. ``Gate`` becomes the replacement of ``gate``, capitalised.
        in_order: Whether the random words sort in the same order as the originals, which may then have letters only.
            They keep their first letters, so that they also sort the same among other words.
    """
    words = list(words)
    small = sorted({word.lower() for word in words})
    used_words = set(small)
    random_texts: list[str] = []
    for word in small:
        random_texts.append(
            next(new for _ in range(_TRIES) if (new := _like(rng, word, keeps_first=in_order)) not in used_words)
        )
        used_words.add(random_texts[-1])
    by_word = dict(zip(small, sorted(random_texts) if in_order else random_texts, strict=True))
    return {word: by_word[word] if word.islower() else by_word[word.lower()].capitalize() for word in words}


def _pattern_of(words: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    # Signs delimit whole words: `archive` in `archive/harbour.log`, `report.json` in `(report.json)`.
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9])", flags)


def _like(rng: random.Random, word: str, *, keeps_first: bool) -> str:
    stem, dot, ending = word.rpartition(".")
    suffix = dot + ending if stem and ending.isalpha() else ""
    varied = word.removesuffix(suffix)
    characters = [rng.choice(alphabet) if (alphabet := _alphabet_of(char)) else char for char in varied]
    more = rng.choices(string.ascii_lowercase, k=max(0, _MIN_LETTERS - len(varied)))
    first = list(varied[:1]) if keeps_first else characters[:1]
    return "".join([*first, *more, *characters[1:]]) + suffix


def _alphabet_of(char: str) -> str:
    return next((alphabet for alphabet in _ALPHABETS if char in alphabet), "")


def _exchange_in_value(exchange: Callable[[str], str], value: Any) -> Any:
    kind = cast("object", type(value))  # instances of subclasses and proxies are unchanged
    if kind is str:
        return exchange(value)
    if kind is dict:
        pairs = ((_exchange_in_value(exchange, key), item) for key, item in value.items())
        return {key: _exchange_in_value(exchange, item) for key, item in pairs}
    for collection in _COLLECTIONS:
        if kind is collection:
            return collection(_exchange_in_value(exchange, item) for item in value)
    return value


def _exchange_bytes(exchange: Callable[[str], str], content: bytes) -> bytes:
    return exchange(content.decode("latin-1")).encode("latin-1") if len(content) <= _MAX_DISGUISED_BYTES else content
