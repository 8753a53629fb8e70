"""What ended most failed trials, if it wasn't a wrong answer: an exception, a hang, an exit, or names that are missing.

Until that is fixed, such a trial says nothing about what it is meant to check.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult

_MIN_TRIALS = 3
_MIN_SHARE = 0.3
"""The least number and share of failed trials that one ending must have."""
_ESCAPED = re.compile(r"(?:\b(\w+) escaped at |It ended in (\w+) at )")
_MISSING_NAME = re.compile(r"AttributeError: '\w+' object has no attribute '(\w+)'")
_EXIT = re.compile(r"got exit status ([1-9]\d*) and (['\"])(?P<text>.+)\2", re.DOTALL)
_MAX_NAMES = 4


@dataclass(frozen=True)
class Ending:
    """How many failed trials ended.

    Attributes:
        cause: Why these trials say nothing yet, in a sentence.
        advice: What to fix, and how many trials end so, in a sentence.
        trials: The titles of the trials.
    """

    cause: str
    advice: str
    trials: frozenset[str]


def common_ending(trials: Sequence[TrialResult], explained: frozenset[str]) -> Ending | None:
    """The ending that most failed trials share; None if too few do.

    Args:
        trials: The results of all trials.
        explained: The titles of trials whose fault is known.
    """
    failed = [trial for trial in trials if not trial.passed and trial.group != LOAD_GROUP]
    best: list[tuple[str, TrialResult]] = []
    name_best: Callable[..., Ending] | None = None
    for read, name in ((_exception, _exceptions), (_hang, _hangs), (_missing_name, _missing_names), (_exit, _exits)):
        groups: dict[str, list[tuple[str, TrialResult]]] = {}
        for trial in failed:
            if trial.title not in explained and (key := read(trial)) is not None:
                groups.setdefault(key[0], []).append((key[1], trial))
        largest = max(groups.values(), key=len, default=[])
        if len(largest) > len(best):
            best, name_best = largest, name
    if name_best is None or len(best) < max(_MIN_TRIALS, _MIN_SHARE * len(failed)):
        return None
    details = list(dict.fromkeys(detail for detail, _ in best))
    return name_best(details, f"{len(best)} of {len(failed)} failed trials", frozenset(t.title for _, t in best))


# Each reader gives what a trial has in common with others, and what it adds; None if it ended in another way.


def _exception(trial: TrialResult) -> tuple[str, str] | None:
    match = _ESCAPED.search(trial.message)
    if match is None or not trial.path or not trial.line:
        return None
    name, place = match[1] or match[2], f"{trial.path}:{trial.line}"
    return (name, place) if name == NotImplementedError.__name__ else (f"{name} {place}", f"{name} {place}")


def _exceptions(details: Sequence[str], count: str, trials: frozenset[str]) -> Ending:
    name, _, place = details[0].rpartition(" ")
    if not name:
        places = _joined(details)
        cause = f"Not judged yet: what is at {places} isn't written."
        return Ending(cause, f"Write what is at {places}: {count} end there in NotImplementedError.", trials)
    if name in ("SyntaxError", "IndentationError", "TabError"):
        cause = f"Not judged yet: Python can't read {place}."
        return Ending(cause, f"Fix the syntax error at {place}.", trials)
    return Ending(f"Not judged yet: {name} at {place}.", f"Fix {place} first: {count} end there in {name}.", trials)


def _hang(trial: TrialResult) -> tuple[str, str] | None:
    place = f"{trial.path}:{trial.line}"
    return (place, place) if trial.outcome is TrialOutcome.TIMED_OUT and trial.path and trial.line else None


def _hangs(details: Sequence[str], count: str, trials: frozenset[str]) -> Ending:
    cause = f"Not judged yet: {details[0]} never ends, or takes too long."
    return Ending(cause, f"Fix {details[0]} first: {count} hang there.", trials)


def _missing_name(trial: TrialResult) -> tuple[str, str] | None:
    match = _MISSING_NAME.search(trial.message)
    return ("", match[1]) if match and not trial.path else None


def _missing_names(details: Sequence[str], count: str, trials: frozenset[str]) -> Ending:
    names = _joined([f"`{name}`" for name in details])
    cause = f"Not judged yet: {names} {'isn' if len(details) == 1 else 'aren'}'t written."
    return Ending(cause, f"Write {names} first: {count} ask for {'it' if len(details) == 1 else 'them'}.", trials)


def _exit(trial: TrialResult) -> tuple[str, str] | None:
    match = _EXIT.search(trial.message)
    if match is None:
        return None
    key = f"exit status {match[1]} and “{match['text'].rstrip().rsplit(chr(92) + 'n', 1)[-1]}”"
    return key, key


def _exits(details: Sequence[str], count: str, trials: frozenset[str]) -> Ending:
    cause = f"Not judged yet: it ends with {details[0]}."
    return Ending(cause, f"Find out first why it ends with {details[0]}: {count} end so.", trials)


def _joined(names: Sequence[str]) -> str:
    shown = [*names[:_MAX_NAMES], *(["others"] if len(names) > _MAX_NAMES else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
