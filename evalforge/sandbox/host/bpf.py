"""A small assembler for system call filters (classic BPF as ``man 2 seccomp`` has it).

A verdict is a list of steps that ends in an answer. Verdicts nest by length, so jumps only ever go forward.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

WIDTH = 8
_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _ANSWER = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_KILL_PROCESS, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_FARTHEST = 255

# Stands for the caged process's own id until the filter is installed; no constant in a filter has this value.
SELF = 0xEF5E1F01
SELF_BYTES = struct.pack("=I", SELF)


class Step(NamedTuple):
    """One instruction: what to do, how far to jump if true and if false, and its constant."""

    code: int
    then: int
    otherwise: int
    constant: int


ALLOW = [Step(_ANSWER, 0, 0, _ALLOW)]
KILL = [Step(_ANSWER, 0, 0, _KILL_PROCESS)]


def answer(errno: int) -> list[Step]:
    """Don't make the call; return this error, or success for 0."""
    return [Step(_ANSWER, 0, 0, _ERRNO | errno)]


def load(argument: int) -> Step:
    """Look at the low half of an argument. The kernel takes all that are examined here as 32-bit numbers."""
    return Step(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument)


def mask(bits: int) -> Step:
    """Keep only these bits of what was loaded."""
    return Step(_AND, 0, 0, bits)


def when_equal(values: Sequence[int], then: list[Step], otherwise: list[Step]) -> list[Step]:
    """One verdict if what was loaded is any of the values, another if not."""
    last = len(values) - 1
    tests = [Step(_EQUAL, last - index + len(otherwise), 0, value) for index, value in enumerate(values)]
    return [*tests, *otherwise, *then]


def when_any(bits: int, then: list[Step], otherwise: list[Step]) -> list[Step]:
    """One verdict if what was loaded has any of the bits, another if none."""
    return [Step(_ANY_BIT, len(otherwise), 0, bits), *otherwise, *then]


def only(argument: int, values: Sequence[int], otherwise: list[Step]) -> list[Step]:
    """Allow these values of an argument."""
    return [load(argument), *when_equal(values, ALLOW, otherwise)]


def unless(argument: int, values: Sequence[int], then: list[Step]) -> list[Step]:
    """Allow all but these values of an argument."""
    return [load(argument), *when_equal(values, then, ALLOW)]


def program(machine: str, verdicts: Mapping[int, list[Step]], first_unknown: int, unknown: list[Step]) -> bytes:
    """A whole filter: kill calls of a foreign machine, then decide by number; what has no verdict is allowed.

    Args:
        machine: As ``uname -m`` names it.
        verdicts: By system call number.
        first_unknown: From this number on, the answer is ``unknown``.
        unknown: A verdict.
    """
    spans = [(0, ALLOW)]
    for number in sorted(verdicts):
        if spans[-1][0] == number:
            spans.pop()
        spans += [(number, verdicts[number]), (number + 1, ALLOW)]
    spans = [*(span for span in spans if span[0] < first_unknown), (first_unknown, unknown)]
    merged = [span for before, span in zip([(0, None), *spans], spans) if span[1] != before[1]]
    steps = [
        Step(_LOAD, 0, 0, _ARCHITECTURE_AT),
        Step(_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        *KILL,
        Step(_LOAD, 0, 0, _NUMBER_AT),
        *_search(merged),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _search(spans: list[tuple[int, list[Step]]]) -> list[Step]:
    """Find the span of a number by halving: a few steps for each call instead of one for each forbidden one."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    below, above = _search(spans[:middle]), _search(spans[middle:])
    border = spans[middle][0]
    if len(below) <= _FARTHEST:
        return [Step(_AT_LEAST, len(below), 0, border), *below, *above]
    return [Step(_AT_LEAST, 0, 1, border), Step(_JUMP, 0, 0, len(below)), *below, *above]
