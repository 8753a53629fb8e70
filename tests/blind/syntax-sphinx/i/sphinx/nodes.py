"""The tree of an expression. Left-associative rows are flat chains, so that trees are never deep for being long."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sphinx.errors import EvaluationError
from sphinx.functions import BUILT_INS
from sphinx.operators import Operator


@dataclass(frozen=True, slots=True)
class Scope:
    """What the outside hands in."""

    variables: Mapping[str, float] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., float]] = field(default_factory=dict)


class Node(Protocol):
    """Whatever has a value."""

    def value(self, scope: Scope) -> float:
        """The value in a scope."""

    def names(self) -> Iterator[str]:
        """The names of the variables, in any order."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written."""

    number: float
    position: int

    def value(self, scope: Scope) -> float:
        """The number, if a float can hold it."""
        if math.isinf(self.number):
            raise EvaluationError("the number is too large", self.position)
        return self.number

    def names(self) -> Iterator[str]:
        """None."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that stands for a number."""

    name: str
    position: int

    def value(self, scope: Scope) -> float:
        """What the scope says."""
        if self.name not in scope.variables:
            raise EvaluationError(f"no variable {self.name}", self.position)
        return float(scope.variables[self.name])

    def names(self) -> Iterator[str]:
        """This one."""
        yield self.name


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign before an operand."""

    function: Callable[[float], float]
    operand: Node

    def value(self, scope: Scope) -> float:
        """The operand with its sign."""
        return self.function(self.operand.value(scope))

    def names(self) -> Iterator[str]:
        """Those of the operand."""
        return self.operand.names()


@dataclass(frozen=True, slots=True)
class Link:
    """An operator, where it stands, and its right operand."""

    operator: Operator
    position: int
    operand: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """An operand and what is done to it, from left to right."""

    first: Node
    links: Sequence[Link]

    def value(self, scope: Scope) -> float:
        """The result of the last link."""
        result = self.first.value(scope)
        for link in self.links:
            result = link.operator.apply(result, link.operand.value(scope), link.position)
        return result

    def names(self) -> Iterator[str]:
        """Those of all operands."""
        yield from self.first.names()
        for link in self.links:
            yield from link.operand.names()


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments."""

    name: str
    position: int
    arguments: Sequence[Node]

    def value(self, scope: Scope) -> float:
        """What the function returns."""
        arguments = [argument.value(scope) for argument in self.arguments]
        if self.name in scope.functions:
            return float(scope.functions[self.name](*arguments))
        if self.name not in BUILT_INS:
            raise EvaluationError(f"no function {self.name}", self.position)
        return BUILT_INS[self.name].call(self.name, arguments, self.position)

    def names(self) -> Iterator[str]:
        """Those of all arguments."""
        for argument in self.arguments:
            yield from argument.names()
