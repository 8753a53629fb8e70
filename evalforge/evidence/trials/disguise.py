"""Other words in the place of a trial's own: what the program reads can't be recognised, what it means is the same.

A trial is written with words that people can follow (``harbour.log``, ``gate``). Before the program sees them they
become random ones, and in all that it writes they become the trial's own again.
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
"""So long is a random word at least, or it may turn up in what a program says."""
_COLLECTIONS: tuple[Callable[[Iterable[Any]], Any], ...] = (list, tuple, set, frozenset)
_ALPHABETS = (string.ascii_lowercase, string.digits)


class Disguise:
    """A reversible exchange of words; each is exchanged only where it stands as a whole word.

    Args:
        words: For each of the trial's words, the one that the program sees.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._word_shown_for, self._word_meant_by = dict(words), {disguised: word for word, disguised in words.items()}
        self._word_meant_by_small = {disguised.lower(): word for word, disguised in words.items()}
        self._shown_pattern = _pattern_of(self._word_shown_for)
        # Beyond ASCII, signs that are no form of a letter would match it.
        self._meant_pattern = _pattern_of(self._word_meant_by, re.IGNORECASE | re.ASCII)

    def show(self, text: str) -> str:
        """What the program sees of a text of the trial's."""
        return self._shown_pattern.sub(lambda match: self._word_shown_for[match.group()], text)

    def reveal(self, text: str) -> str:
        """What the trial sees of a text of the program's; a word in other letters, capitals or small, keeps those."""
        return self._meant_pattern.sub(lambda match: self._meaning_of(match.group()), text)

    def _meaning_of(self, shown: str) -> str:
        word = self._word_meant_by.get(shown)
        if word is not None:
            return word
        word = self._word_meant_by_small[shown.lower()]
        return next((form(word) for form in (str.lower, str.upper, str.capitalize) if form(shown) == shown), shown)

    def show_value(self, value: Any) -> Any:
        """What the program sees of plain data: the words in all its texts are exchanged."""
        return _exchange_in_value(self.show, value)

    def reveal_value(self, value: Any) -> Any:
        """What the trial sees of plain data."""
        return _exchange_in_value(self.reveal, value)

    def show_call(self, call: Call) -> Call:
        """What the program is given: other words in arguments, files and standard input.

        Contents of more than 200 kB stay as they are.
        """
        return replace(
            call,
            args=tuple(map(self.show, call.args)),
            stdin=_exchange_bytes(self.show, call.stdin),
            files={self.show(name): _exchange_bytes(self.show, content) for name, content in call.files.items()},
        )

    def reveal_report(self, report: RunReport) -> RunReport:
        """What the trial sees of a run."""
        return replace(
            report,
            stdout=self.reveal(report.stdout),
            stderr=self.reveal(report.stderr),
            files={self.reveal(name): _exchange_bytes(self.reveal, content) for name, content in report.files.items()},
        )


def random_words(rng: random.Random, words: Iterable[str], *, in_order: bool = False) -> dict[str, str]:
    """For each word a random one of the same form: letter for letter, digit for digit, signs and endings as they are.

    Args:
        rng: Where from.
        words: Words of letters, digits and signs, such as ``harbour.log`` or ``pump.3``, in small letters or with
            a capital; what follows the last dot stays if it is letters. ``Gate`` becomes the new ``gate`` with one.
        in_order: Whether the random words are in the same order as the others when they are sorted; then words have
            letters alone. They keep their first letters, so that they stand where they stood among other words, too.
    """
    words = list(words)
    small = sorted({word.lower() for word in words})
    used_words = set(small)
    drawn: list[str] = []
    for word in small:
        drawn.append(
            next(new for _ in range(_TRIES) if (new := _like(rng, word, keeps_first=in_order)) not in used_words)
        )
        used_words.add(drawn[-1])
    by_word = dict(zip(small, sorted(drawn) if in_order else drawn, strict=True))
    return {word: by_word[word] if word.islower() else by_word[word.lower()].capitalize() for word in words}


def _pattern_of(words: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    # Between signs a word is a whole one as well: `archive` in `archive/harbour.log`, `told.json` in `(told.json)`.
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9])", flags)


def _like(rng: random.Random, word: str, *, keeps_first: bool) -> str:
    stem, dot, ending = word.rpartition(".")
    suffix = dot + ending if stem and ending.isalpha() else ""
    varied = word.removesuffix(suffix)
    drawn = [rng.choice(alphabet) if (alphabet := _alphabet_of(char)) else char for char in varied]
    more = rng.choices(string.ascii_lowercase, k=max(0, _MIN_LETTERS - len(varied)))
    first = list(varied[:1]) if keeps_first else drawn[:1]
    return "".join([*first, *more, *drawn[1:]]) + suffix


def _alphabet_of(char: str) -> str:
    return next((alphabet for alphabet in _ALPHABETS if char in alphabet), "")


def _exchange_in_value(exchange: Callable[[str], str], value: Any) -> Any:
    kind = cast("object", type(value))  # an instance of a subclass, or a proxy, stays what it is
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
