"""The reason for a level as data: its cause, examples of runs that show it, and what to do."""

import re
from typing import Self

from evalforge.model.base import Frozen

_EXPECTATION = re.compile(r"(?:(?P<case>.+?)[:,] )?[Ee]xpected (?P<expected>.+)", re.DOTALL)
"""As trials say it: ``dummy.py --blows 0: expected exit status 2; got 0.`` or ``expected 2 for f(1); got 3``."""
_ORIGIN = re.compile(r"(?P<got>.+), from (?P<call>.+)", re.DOTALL)
"""As an exception is reported: ``KeyError escaped at store.py:4, from my_store.put('a')``."""
_CALLED_AFTER = re.compile(
    r" (?:for|from) (?=(?:\d+ times )?[\w.]*\w\(|\S+\.py\b)|,? (?=after .*\(|with \w+=)", re.DOTALL
)
"""Where a call follows what was expected of it, or its circumstances; *one for each key* names no call."""
_CIRCUMSTANCES = ("after ", "with ")
_CALL = re.compile(r"\w\(|--|\.py\b")
"""What a command or a call has and a description, such as *an empty file*, has not."""
_GOT = "; got "


class Example(Frozen):
    """One run of a trial that shows a fault.

    Attributes:
        trial: What the trial asks, in one sentence.
        called: What was run or called, or a description of the case; empty if the trial doesn't say.
        expected: What the contract asks for; empty if the trial doesn't say.
        got: What came.
        path: The player's file that it ended in; empty if it ended in none.
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
        """The example that a trial's message tells; all of it is what came, if it has no such form.

        Args:
            message: What was expected and what came.
            trial: What the trial asks.
            path: The player's file that it ended in; empty if it ended in none.
            line: The line there.
        """
        called, expected, got = _parts(message.strip())
        return cls(trial=trial, called=called, expected=expected, got=got, path=path, line=line)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """What there is to show, each with its name, in order."""
        rows = (
            ("called" if _is_call(self.called) else "case", self.called),
            ("expected", self.expected),
            ("got", self.got),
            ("ended at", self.place),
        )
        return tuple((name, text) for name, text in rows if text)

    @property
    def place(self) -> str:
        """``path:line`` as far as known; empty if what came says it already."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return "" if place in self.got else place


class Reason(Frozen):
    """Why a criterion has its level and not the next one.

    Attributes:
        cause: What is wrong, or at the highest level what is right, in one sentence or two.
        remarks: What else must be said, a sentence each.
        failed: How many trials fail by it.
        total: How many trials there are of that kind.
        unreached: How many passed without reaching anything.
        examples: Some that fail, of different causes first.
        holds: What is right already, where something else is not; empty at the lowest level.
        advice: What to do; empty where nothing is left to do.
    """

    cause: str
    remarks: tuple[str, ...] = ()
    failed: int = 0
    total: int = 0
    unreached: int = 0
    examples: tuple[Example, ...] = ()
    holds: str = ""
    advice: str = ""

    @property
    def headline(self) -> str:
        """The cause, and how many trials fail."""
        return " ".join(filter(None, (self.cause, self.count_words)))

    @property
    def count_words(self) -> str:
        """How many trials fail, and how many reach nothing, in a sentence; empty where all pass."""
        failed = failed_words(self.failed, self.total) if self.failed else ""
        unreached = f"{self.unreached} of {self.total} reach no code" if self.unreached else ""
        words = "; ".join(filter(None, (failed, unreached)))
        return f"{words}." if words else ""

    @property
    def more_words(self) -> str:
        """How many failed trials have no example here; empty where all have one."""
        more = self.failed - len(self.examples)
        return f"and {more} more" if self.examples and more > 0 else ""


def failed_words(failed: int, total: int) -> str:
    """How many of some trials fail."""
    if failed == total:
        return {1: "The only trial fails", 2: "Both trials fail"}.get(total, f"All {total} trials fail")
    return f"{failed} of {total} trials {'fails' if failed == 1 else 'fail'}"


def _is_call(text: str) -> bool:
    return bool(_CALL.search(text)) and not text.startswith(_CIRCUMSTANCES)


def difference(expected: str, got: str) -> tuple[slice, slice]:
    """Where two texts differ: what is left of each without a common beginning and end.

    Texts that have little in common differ as a whole.
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
    """What was called, what was expected, and what came."""
    expectation = _EXPECTATION.fullmatch(message)
    if expectation is None:
        origin = _ORIGIN.fullmatch(message)
        return (origin["call"].rstrip("."), "", origin["got"]) if origin else ("", "", message)
    expected, separator, got = expectation["expected"].rpartition(_GOT)
    if not separator:
        expected, separator, got = expectation["expected"].rpartition("; ")
    if not separator:
        return expectation["case"] or "", expectation["expected"].rstrip("."), ""
    called = expectation["case"] or ""
    if not called:
        expected, called = _split_off_call(expected)
    return called, expected, got.rstrip(".").removeprefix("it ").removeprefix("got: ")
