"""What ended most failed trials, if it wasn't a wrong answer: an exception, a hang, an exit, or names that are missing.

Until that is fixed, such a trial says nothing about what it is meant to check.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult

_MIN_SHARE = 0.25
"""The least share of all trials that one ending must have; a crash on a few odd inputs is a wrong answer to these."""
_RAISED = re.compile(r"\b(\w+) escaped at |It ended in (\w+) at ")
_MISSING_NAME = re.compile(r"AttributeError: '\w+' object has no attribute '(\w+)'")
_EXIT = re.compile(r"got exit status ([1-9]\d*) and (['\"])(?P<text>.+)\2", re.DOTALL)
_SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
_MAX_NAMES = 4


class _Kind(Enum):
    """How trials end: cause, advice, and why it matters; ``what`` is the place or text, ``count`` how many end so."""

    SYNTAX = ("Python can't read {what}.", "Fix the syntax error at {what}.", "Until then nothing of it runs.")
    UNWRITTEN = (
        "what is at {what} isn't written.",
        "Write what is at {what}: {count} end there in NotImplementedError.",
        "Whoever calls it gets an error instead of an answer.",
    )
    EXCEPTION = (
        "{what}.",
        "Fix the {what} first: {count} end there.",
        "Whoever uses it gets this error instead of an answer.",
    )
    HANG = (
        "{what} never ends, or takes too long.",
        "Fix {what} first: {count} hang there.",
        "Whoever uses it waits for an answer that doesn't come.",
    )
    MISSING = (
        "there is no {what}.",
        "Write {what} first: {count} call that.",
        "A program that calls it stops there.",
    )
    EXIT = (
        "it ends with {what}.",
        "Find out first why it ends with {what}: {count} end so.",
        "Whoever runs it gets this message instead of an answer.",
    )


@dataclass(frozen=True)
class Ending:
    """How failed trials ended.

    Attributes:
        cause: Why these trials say nothing yet, in a sentence.
        advice: What to fix, and how many trials end so, in a sentence.
        why: What it means for somebody who uses the program, in a sentence.
        trials: The titles of the trials.
    """

    cause: str
    advice: str
    why: str
    trials: frozenset[str]


def common_ending(trials: Sequence[TrialResult], explained: frozenset[str]) -> Ending | None:
    """The ending that most failed trials share; None if too few do.

    Args:
        trials: The results of all trials.
        explained: The titles of trials whose fault is known.
    """
    failed = [trial for trial in trials if not trial.passed and trial.group != LOAD_GROUP]
    groups: dict[tuple[_Kind, str], dict[str, str]] = {}
    for trial in failed:
        ending = _ending_of(trial)
        if ending is not None and trial.title not in explained:
            kind, what = ending
            # One stub or missing name after another is the same: the program is being written.
            is_unfinished = kind in (_Kind.UNWRITTEN, _Kind.MISSING)
            groups.setdefault((kind, "" if is_unfinished else what), {})[trial.title] = what
    if not groups:
        return None
    (kind, _), largest = max(groups.items(), key=lambda group: len(group[1]))
    if len(largest) < _MIN_SHARE * sum(trial.group != LOAD_GROUP for trial in trials):
        return None
    cause, advice, why = kind.value
    words = {
        "what": _joined(list(dict.fromkeys(largest.values()))),
        "count": f"{len(largest)} of {len(failed)} failed trials",
    }
    return Ending(f"Not judged yet: {cause.format(**words)}", advice.format(**words), why, frozenset(largest))


def _ending_of(trial: TrialResult) -> tuple[_Kind, str] | None:
    """How a failed trial ended, and the place or text; None if it got a wrong answer."""
    place = f"{trial.path}:{trial.line}" if trial.path and trial.line else ""
    if place and trial.outcome is TrialOutcome.TIMED_OUT:
        return _Kind.HANG, place
    raised = _RAISED.search(trial.message) if place else None
    if raised is not None:
        name = raised[1] or raised[2]
        if name in _SYNTAX_ERRORS:
            return _Kind.SYNTAX, place
        is_stub = name == NotImplementedError.__name__
        return (_Kind.UNWRITTEN, place) if is_stub else (_Kind.EXCEPTION, f"{name} at {place}")
    if (missing := _MISSING_NAME.search(trial.message)) is not None:
        return _Kind.MISSING, f"`{missing[1]}`"
    if (status := _EXIT.search(trial.message)) is not None:
        last_line = status["text"].replace(r"\n", "\n").strip().rsplit("\n", 1)[-1]
        return _Kind.EXIT, f"exit status {status[1]} and “{last_line}”"
    return None


def _joined(names: Sequence[str]) -> str:
    shown = [*names[:_MAX_NAMES], *(["others"] if len(names) > _MAX_NAMES else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
