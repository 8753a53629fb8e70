"""The reason for a level as data: its cause, runs that show it, and what to do."""

import re
from typing import Self

from evalforge.model.base import Frozen

_EXPECTATION = re.compile(r"(?:(?P<case>.+?)[:,] )?[Ee]xpected (?P<expected>.+)", re.DOTALL)
"""The usual form of a trial's message, ``f(0): expected 2; got 3.`` or ``expected 2 for f(0); got 3``."""
_ORIGIN = re.compile(r"(?P<got>.+), from (?P<call>.+)", re.DOTALL)
"""An exception as reported: ``KeyError escaped at store.py:4, from my_store.put('a')``."""
_CALLED_AFTER = re.compile(
    r" (?:for|from) (?=(?:\d+ times )?[\w.]*\w\(|\S+\.py\b)|,? (?=after .*\(|with \w+=)", re.DOTALL
)
"""Where a call or its circumstances follow what was expected; *one for each key* names no call."""
_CIRCUMSTANCES = ("after ", "with ")
_CALL = re.compile(r"\w\(|--|\.py\b")
"""Matches a call or a command, but not a description such as *an empty file*."""
_GOT = "; got "


class Example(Frozen):
    """One run of a trial that shows a fault.

    Attributes:
        trial: What the trial checks, in one sentence.
        called: What was run or called, or a description of the case; empty if the trial doesn't say.
        expected: What the contract asks for; empty if the trial doesn't say.
        got: What it got instead.
        path: The player's file where it ended; empty if in none.
        line: The line there.
    """

    trial: str
    called: str = ""
    expected: str = ""
    got: str = ""
    path: str = ""
    line: int | None = None

    @classmethod
    def of_message(cls, message: str, trial: str, path: str = "", line: int | None = None) -> Self:
        """Read an example from a trial's message; one of another form is taken whole as ``got``.

        Args:
            message: What was expected and what it got.
            trial: What the trial checks.
            path: The player's file where it ended; empty if in none.
            line: The line there.
        """
        call, expected, got = _parts(message.strip())
        return cls(trial=trial, called=call, expected=expected, got=got, path=path, line=line)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The parts to show as name and text, in order; empty ones are left out."""
        rows = (
            ("called" if _is_call(self.called) else "case", self.called),
            ("expected", self.expected),
            ("got", self.got),
            ("ended at", self.place),
        )
        return tuple((name, text) for name, text in rows if text)

    @property
    def place(self) -> str:
        """The place as ``path:line``, as far as it is known; empty if ``got`` already names it."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return "" if place in self.got else place


class Mistake(Frozen):
    """What is wrong with a submission, if its trials fail as those of a known wrong program do.

    Attributes:
        ids: The wrong programs of the pack of which its trials say the same; several if no trial distinguishes them.
        owner: The criterion that is charged for it.
        clause: The heading of the contract's section that it breaks.
        fault: What is wrong, in one sentence; empty if only the section is known.
        says: The contract's own words; empty if only the section is known.
        riddle: A hint in other words; empty if only the section is known.
        why: What it means for somebody who runs the program, in a sentence; empty if the pack doesn't say.
        advice: What to do about it, as one of its trials says; empty if none does.
        trials: The titles of the trials that it makes fail.
    """

    ids: tuple[str, ...]
    owner: str
    clause: str
    fault: str = ""
    says: str = ""
    riddle: str = ""
    why: str = ""
    advice: str = ""
    trials: tuple[str, ...]

    @property
    def words(self) -> str:
        """The fault, and the contract's words with their place, a sentence each."""
        return f"{self.fault} {self.citation}"

    @property
    def citation(self) -> str:
        """The contract's words with their place, as a sentence."""
        return f"The contract ({self.clause}): “{self.says.rstrip('.')}”."

    @property
    def title(self) -> str:
        """The fault, with the section of the contract that it breaks."""
        return f"{self.fault.rstrip('.')} ({self.clause})"

    @property
    def hint_key(self) -> str:
        """The name under which the history counts how much of it a player has asked for."""
        return f"known mistake {self.ids[0]}"

    def words_elsewhere(self, label: str) -> str:
        """The fault alone, with the label of the criterion where the contract is quoted."""
        return f"{self.fault.rstrip('.')} (see {label})."


class Reason(Frozen):
    """Why a criterion has its level and not the next one.

    Attributes:
        cause: What is wrong, or at the highest level what is right, in one or two sentences.
        why: What that means for somebody who runs or mends the program, in a sentence; empty if the pack doesn't say.
        remarks: What else must be said, a sentence each.
        mistakes: The known mistakes that were found, the one that explains most first.
        failed: How many trials of its group fail.
        total: How many trials the group has.
        explained: How many of the failed ones it explains.
        unreached: How many passed without reaching the code.
        examples: Some failed trials, one of each cause first.
        holds: What is right already; empty at the lowest level.
        advice: What to do; empty if nothing is left to do.
    """

    cause: str
    why: str = ""
    remarks: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    failed: int = 0
    total: int = 0
    explained: int = 0
    unreached: int = 0
    examples: tuple[Example, ...] = ()
    holds: str = ""
    advice: str = ""

    @property
    def headline(self) -> str:
        """The cause and the number of failed trials."""
        return " ".join(filter(None, (self.cause, self.count_words)))

    @property
    def count_words(self) -> str:
        """How many trials fail, and how many reach no code, in a sentence; empty if none does."""
        failed = failed_words(self.failed, self.total, self.explained) if self.failed else ""
        unreached = f"{self.unreached} of {self.total} reach no code" if self.unreached else ""
        summary = "; ".join(filter(None, (failed, unreached)))
        return f"{summary}." if summary else ""

    @property
    def more_words(self) -> str:
        """How many more trials failed than are shown as examples, such as ``and 3 more``; empty if none."""
        more = (self.explained or self.failed) - len(self.examples)
        return f"and {more} more" if self.examples and more > 0 else ""


def failed_words(failed: int, total: int, explained: int = 0) -> str:
    """The number of failed trials in words, such as ``3 of 5 trials fail, 2 of them by this``.

    Args:
        failed: The number of failed trials.
        total: The number of all trials.
        explained: How many of the failed ones are explained; 0 if that isn't to be said.
    """
    part = f", {explained} of them by this" if 0 < explained < failed else ""
    if failed == total:
        return {1: "The only trial fails", 2: "Both trials fail"}.get(total, f"All {total} trials fail") + part
    return f"{failed} of {total} trials {'fails' if failed == 1 else 'fail'}{part}"


def _is_call(text: str) -> bool:
    return bool(_CALL.search(text)) and not text.startswith(_CIRCUMSTANCES)


def difference(expected: str, got: str) -> tuple[slice, slice]:
    """The slices in which two texts differ, after their common beginning and before their common end.

    Texts with little in common differ as a whole.
    """
    shorter = min(len(expected), len(got))
    start = next((i for i in range(shorter) if expected[i] != got[i]), shorter)
    end = next((i for i in range(shorter - start) if expected[-1 - i] != got[-1 - i]), shorter - start)
    if 2 * (start + end) < shorter:
        return slice(0, len(expected)), slice(0, len(got))
    return slice(start, len(expected) - end), slice(start, len(got) - end)


def _split_off_call(text: str) -> tuple[str, str]:
    """What was expected, and the call or the circumstances behind it; none within brackets is split off."""
    for match in _CALLED_AFTER.finditer(text):
        head = text[: match.start()]
        if all(head.count(opening) == head.count(closing) for opening, closing in ("()", "[]", "{}")):
            return head, text[match.end() :]
    return text, ""


def _parts(message: str) -> tuple[str, str, str]:
    """Split a trial's message into what was called, what was expected, and what it got."""
    expectation = _EXPECTATION.fullmatch(message)
    if expectation is None:
        origin = _ORIGIN.fullmatch(message)
        return (origin["call"].rstrip("."), "", origin["got"]) if origin else ("", "", message)
    expected, separator, got = expectation["expected"].rpartition(_GOT)
    if not separator:
        expected, separator, got = expectation["expected"].rpartition("; ")
    if not separator:
        return expectation["case"] or "", expectation["expected"].rstrip("."), ""
    call = expectation["case"] or ""
    if not call:
        expected, call = _split_off_call(expected)
    return call, expected, got.rstrip(".").removeprefix("it ")
