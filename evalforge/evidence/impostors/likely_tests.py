"""Finding tests that are likely to catch an impostor: those that share words with the description of its fault.

Tests are run one after another until one fails, which is sooner if the test about the fault comes first:
``test_a_second_reversal_is_refused`` for "A transaction can be reversed a second time under another id."
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evalforge.evidence.mutation.mutation_plan import PassingTest
from evalforge.packs.impostors import Impostor

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MIN_WORD_CHARS = 3
_STEM_CHARS = 5  # reversal, reversed, reverse
_CALL_SECONDS = 0.001
_SILENT_WEIGHT = 0.1


class LikelyTests:
    """Orders the tests of a suite by their words.

    Args:
        tests: The tests that may be run.
        texts: The names and literals that each test uses, by the test's name.
    """

    def __init__(self, tests: Iterable[PassingTest], texts: Mapping[str, Iterable[str]]) -> None:
        self._seconds = {test.name: test.seconds for test in tests}
        self._words = {name: _words([name.partition("::")[2], *texts.get(name, ())]) for name in self._seconds}
        counts = Counter(word for text in self._words.values() for word in text)
        self._weights = {word: math.log(len(self._words) / count) for word, count in counts.items()}

    def in_order(self, tests: Sequence[str], impostor: Impostor) -> tuple[str, ...]:
        """The same tests, likely and quick ones first; the others keep their order."""
        impostor_words = _words([impostor.id, impostor.clause, impostor.says, impostor.fault])

        def score(name: str) -> float:
            weight = _SILENT_WEIGHT + sum(self._weights[word] for word in self._words[name] & impostor_words)
            return weight / math.sqrt(self._seconds[name] + _CALL_SECONDS)

        return tuple(sorted(tests, key=score, reverse=True))


def _words(texts: Iterable[str]) -> frozenset[str]:
    """The stems of all words, including those in names such as ``test_no_amount`` or ``LedgerError``."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(word[:_STEM_CHARS] for word in words if len(word) >= _MIN_WORD_CHARS)
