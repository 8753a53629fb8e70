"""The nodes of an expression."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A literal."""

    number: float
    position: int


@dataclass(frozen=True)
class Name:
    """A variable."""

    name: str
    position: int


@dataclass(frozen=True)
class Call:
    """A function and its arguments."""

    name: str
    position: int
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Signed:
    """A sign and its operand."""

    sign: str
    operand: Node


@dataclass(frozen=True)
class Row:
    """Operators of equal strength, from left to right: (sign, position, right operand)."""

    first: Node
    rest: tuple[tuple[str, int, Node], ...]


Node = Number | Name | Call | Signed | Row


def leaves(node):
    """All numbers, names and calls of a tree, from left to right; a call comes before its arguments."""
    match node:
        case Number() | Name():
            yield node
        case Call(arguments=arguments):
            yield node
            for argument in arguments:
                yield from leaves(argument)
        case Signed(operand=operand):
            yield from leaves(operand)
        case Row(first, rest):
            yield from leaves(first)
            for _, _, operand in rest:
                yield from leaves(operand)
