"""Transient parts of a program's output, found by a second run and left out of quotes."""

import re
import time

_OMITTED = "…"
_WORD = re.compile(r"(\s+)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""The address of an object, which is the same in a second run forked from the same process."""
_BRACKETS = "()[]{}<>'\",;."
"""Characters around a word that are kept when the word is left out."""


def steady_words(first: str, second: str, started_at: float, ended_at: float) -> str:
    """A text with ``…`` in place of parts that differ in a second run, and of the time at which it was written.

    An immediate second run prints the same whole seconds, but a run an hour later doesn't.

    Args:
        first: The text of the first run.
        second: The text of the second run.
        started_at: When the first run began, in seconds since the epoch.
        ended_at: When it ended, in seconds since the epoch.
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
    """The common beginning and end of two lists, with an ellipsis in between."""
    shorter = min(len(words), len(other_words))
    start = next((i for i in range(shorter) if words[i] != other_words[i]), shorter)
    remaining = shorter - start
    end = next((i for i in range(remaining) if words[-1 - i] != other_words[-1 - i]), remaining)
    return [*words[:start], _OMITTED, *words[len(words) - end :]]


def _without_core(word: str) -> str:
    core = word.strip(_BRACKETS)
    return word.replace(core, _OMITTED) if core else word


def _clock_texts(started_at: float, ended_at: float) -> frozenset[str]:
    """The seconds and the day of a span of time, in the formats that programs use."""
    seconds = range(int(started_at), int(ended_at) + 1)
    times = [convert(second) for second in seconds for convert in (time.gmtime, time.localtime)]
    return frozenset(
        [time.strftime(form, time_tuple) for time_tuple in times for form in ("%H:%M:%S", "%Y-%m-%d")]
        + list(map(str, seconds))
    )
