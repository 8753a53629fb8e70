"""A small assembler for system call filters (classic BPF, see ``man 2 seccomp``).

A verdict is a list of instructions that ends in an answer. Verdicts nest by length, so jumps only ever go forward:
``only(0, (5,), REFUSE)`` reads "load argument 0; if it is 5, skip the refusal; refuse; allow".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

INSTRUCTION_BYTES = 8
_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _ANSWER = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET, _ARGUMENT_BYTES = 0, 4, 16, 8
_KILL_PROCESS, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_MAX_JUMP = 255

# A placeholder for the sandboxed process's own id until the filter is installed; no filter constant has this value.
OWN_PID = 0xEF5E1F01
OWN_PID_BYTES = struct.pack("=I", OWN_PID)


class Instruction(NamedTuple):
    """A BPF instruction: its code, how far to jump if true and if false, and its constant."""

    code: int
    jump_if_true: int
    jump_if_false: int
    constant: int


Verdict = list[Instruction]
_Span = tuple[int, Verdict]
"""The first system call number of a span, and the verdict on all calls in the span."""


ALLOW: Verdict = [Instruction(_ANSWER, 0, 0, _ALLOW)]
KILL: Verdict = [Instruction(_ANSWER, 0, 0, _KILL_PROCESS)]


def answer(errno: int) -> Verdict:
    """Refuse the call and return this error number instead, or 0 to report success."""
    return [Instruction(_ANSWER, 0, 0, _ERRNO | errno)]


def load(argument: int) -> Instruction:
    """Load the low half of an argument. The kernel takes all arguments examined here as 32-bit numbers."""
    return Instruction(_LOAD, 0, 0, _ARGUMENTS_OFFSET + _ARGUMENT_BYTES * argument)


def mask(bits: int) -> Instruction:
    """Keep only these bits of the loaded value."""
    return Instruction(_AND, 0, 0, bits)


def when_equal(values: Sequence[int], verdict: Verdict, otherwise: Verdict) -> Verdict:
    """Apply one verdict if the loaded value equals any of the values, and another if not."""
    last = len(values) - 1
    tests = [Instruction(_EQUAL, last - index + len(otherwise), 0, value) for index, value in enumerate(values)]
    return [*tests, *otherwise, *verdict]


def when_any(bits: int, verdict: Verdict, otherwise: Verdict) -> Verdict:
    """Apply one verdict if the loaded value has any of the bits, and another if it has none."""
    return [Instruction(_ANY_BIT, len(otherwise), 0, bits), *otherwise, *verdict]


def only(argument: int, values: Sequence[int], otherwise: Verdict) -> Verdict:
    """Allow only these values of an argument."""
    return [load(argument), *when_equal(values, ALLOW, otherwise)]


def unless(argument: int, values: Sequence[int], verdict: Verdict) -> Verdict:
    """Allow all values of an argument but these."""
    return [load(argument), *when_equal(values, verdict, ALLOW)]


def assemble_filter(machine: str, verdicts: Mapping[int, Verdict], first_unknown: int, unknown: Verdict) -> bytes:
    """Assemble a whole filter: kill calls of another architecture, decide by number, and allow calls without a verdict.

    Args:
        machine: As ``uname -m`` names it.
        verdicts: The verdicts by system call number.
        first_unknown: The number from which on the verdict is ``unknown``.
        unknown: The verdict on unknown calls.
    """
    spans: list[_Span] = [(0, ALLOW)]
    for number in sorted(verdicts):
        if spans[-1][0] == number:
            spans.pop()
        spans += [(number, verdicts[number]), (number + 1, ALLOW)]
    spans = [*(span for span in spans if span[0] < first_unknown), (first_unknown, unknown)]
    starts = [spans[0], *(span for previous, span in zip(spans, spans[1:]) if span[1] != previous[1])]
    instructions = [
        Instruction(_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        Instruction(_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        *KILL,
        Instruction(_LOAD, 0, 0, _NUMBER_OFFSET),
        *_search(starts),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def _search(spans: list[_Span]) -> Verdict:
    """Binary search for the span of a number: a few steps per call, instead of one for each forbidden call."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    lower, upper = _search(spans[:middle]), _search(spans[middle:])
    border = spans[middle][0]
    if len(lower) <= _MAX_JUMP:
        return [Instruction(_AT_LEAST, len(lower), 0, border), *lower, *upper]
    return [Instruction(_AT_LEAST, 0, 1, border), Instruction(_JUMP, 0, 0, len(lower)), *lower, *upper]
