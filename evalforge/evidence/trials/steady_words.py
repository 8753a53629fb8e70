"""What a program prints anew each time it runs, found by a second run and left out of what is quoted."""

import re
import time

_OMITTED = "…"
_WORD = re.compile(r"(\s+)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Where Python keeps an object: a second run, forked from the same process, has it in the same place."""
_BRACKETS = "()[]{}<>'\",;."
"""Signs around a word that are kept where the word is left out."""


def steady_words(first: str, second: str, started_at: float, ended_at: float) -> str:
    """A text with ``…`` in place of what differs in that of a second run, and of the time at which it was written.

    A program that writes whole seconds writes the same in a second run at once; and others an hour later.

    Args:
        first: The text of the first run.
        second: That of the second.
        started_at: When the first began, in seconds since the epoch.
        ended_at: When it ended.
    """
    words, other_words = (_WORD.split(_ADDRESS.sub(f" at {_OMITTED}", text)) for text in (first, second))
    if len(words) == len(other_words):
        pairs = zip(words, other_words, strict=True)
        words = [word if word == other else _without_core(word) for word, other in pairs]
    else:
        words = _common_ends(words, other_words)
    clock = _clock_texts(started_at, ended_at)
    return "".join(_without_core(word) if any(text in word for text in clock) else word for word in words)


def _common_ends(words: list[str], other_words: list[str]) -> list[str]:
    """What two lists have in common at their beginnings and ends, with a sign of omission between."""
    shorter = min(len(words), len(other_words))
    start = next((i for i in range(shorter) if words[i] != other_words[i]), shorter)
    remaining = shorter - start
    end = next((i for i in range(remaining) if words[-1 - i] != other_words[-1 - i]), remaining)
    return [*words[:start], _OMITTED, *words[len(words) - end :]]


def _without_core(word: str) -> str:
    core = word.strip(_BRACKETS)
    return word.replace(core, _OMITTED) if core else word


def _clock_texts(started_at: float, ended_at: float) -> frozenset[str]:
    """How programs write the seconds of a span of time, and its day."""
    seconds = range(int(started_at), int(ended_at) + 1)
    times = [convert(second) for second in seconds for convert in (time.gmtime, time.localtime)]
    return frozenset(
        [time.strftime(form, each) for each in times for form in ("%H:%M:%S", "%Y-%m-%d")] + list(map(str, seconds))
    )
