"""A reason as lines of (text, role) for terminals, screens and documents, which choose how a role looks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from evalforge.model.reason import Example, Reason, difference

NAME_WIDTH = len("expected")
"""The width of the names of an example's rows."""
_VISIBLE = {" ": "·", "\t": "→", "\n": "↵"}
_BLANKS = re.compile(r"[ \t\n]{2,}|[\t\n]|^ | $")


class ReasonLine(NamedTuple):
    """One line of a reason.

    Attributes:
        role: ``cause``, ``remark``, ``trial``, ``row``, ``more``, ``holds`` or ``advice``.
        runs: Its text in pieces, each with a flag that marks the differing part.
        name: The name of a row: ``called`` or ``case``, ``expected``, ``got`` or ``ended at``.
    """

    role: str
    runs: tuple[tuple[str, bool], ...]
    name: str = ""

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(text for text, _ in self.runs)


def reason_lines(reason: Reason) -> Iterator[ReasonLine]:
    """Yield the cause, why it matters, remarks, examples, how many more there are, what is right, and what to do."""
    yield _plain("cause", reason.headline)
    if reason.why:
        yield _plain("remark", reason.why)
    # Before the examples: behind them, another cause would read as a part of the last one.
    yield from (_plain("remark", remark) for remark in reason.remarks)
    for example in reason.examples:
        if len(reason.examples) > 1 or example.trial.rstrip(".") not in reason.cause:
            yield _plain("trial", example.trial)
        yield from _rows(example)
    if reason.more_words:
        yield _plain("more", reason.more_words)
    if reason.holds:
        yield _plain("holds", reason.holds)
    if reason.advice:
        yield _plain("advice", reason.advice)


def visible(text: str) -> str:
    """Make blanks countable: those next to another or at an end, tabs and line ends become signs."""
    return _BLANKS.sub(lambda match: "".join(map(_VISIBLE.__getitem__, match[0])), text)


def _plain(role: str, text: str) -> ReasonLine:
    return ReasonLine(role, ((text, False),))


def _rows(example: Example) -> Iterator[ReasonLine]:
    slices: dict[str, slice] = {}
    if example.expected and example.got:
        slices["expected"], slices["got"] = difference(example.expected, example.got)
    for name, text in example.rows:
        yield ReasonLine("row", _runs(text, slices.get(name)), name)


def _runs(text: str, marked: slice | None) -> tuple[tuple[str, bool], ...]:
    """Split a text so that the differing part is its own piece; a text that differs entirely is one plain piece."""
    if marked is None or (marked.start == 0 and marked.stop == len(text)):
        return ((visible(text), False),)
    shown = visible(text)
    pieces = (shown[: marked.start], False), (shown[marked], True), (shown[marked.stop :], False)
    return tuple(piece for piece in pieces if piece[0])
