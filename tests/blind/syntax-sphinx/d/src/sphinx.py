"""Arithmetic expressions for other programs.

A text goes through three hands. The `Lexer` cuts tokens off its left end, one when one is asked for. The `Parser` is
Dijkstra's shunting yard: a list of steps that are ready, and a stack of operators that still wait for an operand. The
`Expression` runs the steps over a stack of floats. No part is recursive, so neither length nor depth is a danger.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["EvaluationError", "Expression", "ExpressionError", "ParseError", "evaluate", "parse"]


class ExpressionError(ValueError):
    """An expression that has no value.

    Attributes:
        position: The index of the character where the trouble is.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""


# --- operators and functions -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operator:
    """What an operator computes, and how tightly it binds."""

    precedence: int
    function: Callable[..., float]
    operands: int = 2
    right_to_left: bool = False

    def yields_to(self, other: "Operator") -> bool:
        """Whether this one, already read, must be computed before another that comes behind it."""
        if other.right_to_left:
            return self.precedence > other.precedence
        return self.precedence >= other.precedence


@dataclass(frozen=True)
class BuiltIn:
    """A function that is always there, and whether it takes one argument or any number from one up."""

    function: Callable[..., float]
    variadic: bool = False

    def takes(self, count: int) -> bool:
        """Whether a call with so many arguments is possible."""
        return count == 1 or (self.variadic and count > 1)


INFIX = {
    "+": Operator(1, operator.add),
    "-": Operator(1, operator.sub),
    "*": Operator(2, operator.mul),
    "/": Operator(2, operator.truediv),
    "%": Operator(2, operator.mod),
    "^": Operator(4, operator.pow, right_to_left=True),
}
PREFIX = {
    "+": Operator(3, operator.pos, operands=1),
    "-": Operator(3, operator.neg, operands=1),
}
BUILT_INS = {
    "abs": BuiltIn(abs),
    "sqrt": BuiltIn(math.sqrt),
    "floor": BuiltIn(math.floor),
    "min": BuiltIn(lambda *values: min(values), variadic=True),
    "max": BuiltIn(lambda *values: max(values), variadic=True),
}


def compute(function: Callable[..., float], operands: list[float], position: int) -> float:
    """The finite real result of an operator, or an EvaluationError where it stands."""
    try:
        result = function(*operands)
    except (ZeroDivisionError, OverflowError) as error:
        raise EvaluationError(str(error), position) from error
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError("the result is no finite real number", position)
    return result


# --- tokens ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """A token and where it begins. The kinds are number, name, sign, stray and end."""

    kind: str
    text: str
    position: int


class Lexer:
    """Cuts tokens off the left end of a text."""

    _BLANKS = re.compile(r"[ \t\r\n]*")
    _TOKEN = re.compile(
        r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
        r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
        r"|(?P<sign>[-+*/%^(),])"
        r"|(?P<stray>(?s:.))"
        r"|(?P<end>\Z)"
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = self._cut(0)

    def peek(self) -> Token:
        """The next token, which stays."""
        return self._next

    def take(self) -> Token:
        """The next token, which is gone then."""
        token = self._next
        self._next = self._cut(token.position + len(token.text))
        return token

    def take_if(self, *signs: str) -> Token | None:
        """The next token if it is one of some signs."""
        return self.take() if self._next.kind == "sign" and self._next.text in signs else None

    def _cut(self, start: int) -> Token:
        start = self._BLANKS.match(self._text, start).end()
        match = self._TOKEN.match(self._text, start)
        return Token(match.lastgroup, match.group(), start)


# --- steps -------------------------------------------------------------------------------------------------------------


@dataclass
class Machine:
    """What steps work on: names that are known, and values that are not used up yet."""

    variables: Mapping[str, float]
    functions: Mapping[str, Callable[..., float]]
    stack: list[float] = field(default_factory=list)

    def pop(self, count: int) -> list[float]:
        """The last values, in the order in which they came."""
        start = len(self.stack) - count
        values = self.stack[start:]
        del self.stack[start:]
        return values


@dataclass(frozen=True)
class Number:
    """Push a number."""

    text: str
    position: int

    def run(self, machine: Machine) -> None:
        """Do it."""
        machine.stack.append(compute(float, [self.text], self.position))


@dataclass(frozen=True)
class Variable:
    """Push what a name stands for."""

    name: str
    position: int

    def run(self, machine: Machine) -> None:
        """Do it, or raise an EvaluationError if the name is unknown."""
        if self.name not in machine.variables:
            raise EvaluationError(f"there is no variable {self.name}", self.position)
        machine.stack.append(compute(float, [machine.variables[self.name]], self.position))


@dataclass(frozen=True)
class Apply:
    """Compute an operator."""

    operator: Operator
    position: int

    def run(self, machine: Machine) -> None:
        """Do it, or raise an EvaluationError if the result is no finite real number."""
        operands = machine.pop(self.operator.operands)
        machine.stack.append(compute(self.operator.function, operands, self.position))


@dataclass(frozen=True)
class Call:
    """Call a function."""

    name: str
    count: int
    position: int

    def run(self, machine: Machine) -> None:
        """Do it; what a function that was handed in raises is none of our business."""
        arguments = machine.pop(self.count)
        function = machine.functions.get(self.name) or self._built_in(arguments)
        machine.stack.append(float(function(*arguments)))

    def _built_in(self, arguments: list[float]) -> Callable[..., float]:
        built_in = BUILT_INS.get(self.name)
        if built_in is None:
            raise EvaluationError(f"there is no function {self.name}", self.position)
        if not built_in.takes(len(arguments)):
            raise EvaluationError(f"{self.name} does not take {len(arguments)} arguments", self.position)
        if self.name == "sqrt" and arguments[0] < 0:
            raise EvaluationError("a negative number has no root", self.position)
        return built_in.function


# --- the yard ----------------------------------------------------------------------------------------------------------


@dataclass
class Group:
    """An open parenthesis: of a call, or, without a name, of a group."""

    name: Token | None = None
    count: int = 1


class Parser:
    """The shunting yard. It stands either before an operand or behind one."""

    def __init__(self, text: str) -> None:
        self._lexer = Lexer(text)
        self._steps: list = []
        self._waiting: list[Group | Apply] = []

    def run(self) -> list:
        """The steps of the whole text, or a ParseError."""
        ended = False
        while not ended:
            while not self._operand():
                pass
            ended = self._behind_operand()
        return self._steps

    def _operand(self) -> bool:
        """Read what stands before an operand, or one; whether it was one."""
        token = self._lexer.peek()
        if token.kind == "number":
            self._steps.append(Number(token.text, token.position))
        elif token.kind == "name":
            return self._name()
        elif token.text in PREFIX:
            self._waiting.append(Apply(PREFIX[token.text], token.position))
        elif token.text == "(":
            self._waiting.append(Group())
        else:
            raise self._refusal()
        self._lexer.take()
        return token.kind == "number"

    def _name(self) -> bool:
        """Read a variable, or a call as far as its first argument; whether it was an operand."""
        name = self._lexer.take()
        if not self._lexer.take_if("("):
            self._steps.append(Variable(name.text, name.position))
            return True
        if self._lexer.take_if(")"):
            self._steps.append(Call(name.text, 0, name.position))
            return True
        self._waiting.append(Group(name))
        return False

    def _behind_operand(self) -> bool:
        """Read closing parentheses and the operator or comma behind them; whether the text ends there."""
        while self._lexer.peek().text == ")":
            self._close()
        token = self._lexer.peek()
        if token.kind == "end":
            if self._innermost():
                raise self._refusal()
            return True
        if token.text in INFIX:
            self._infix(Apply(INFIX[token.text], token.position))
        elif token.text == "," and (group := self._innermost()) and group.name:
            group.count += 1
        else:
            raise self._refusal()
        self._lexer.take()
        return False

    def _infix(self, step: Apply) -> None:
        while self._waiting and isinstance(top := self._waiting[-1], Apply) and top.operator.yields_to(step.operator):
            self._steps.append(self._waiting.pop())
        self._waiting.append(step)

    def _innermost(self) -> Group | None:
        """Finish what waits since the innermost open parenthesis, and tell which that is."""
        while self._waiting and isinstance(self._waiting[-1], Apply):
            self._steps.append(self._waiting.pop())
        return self._waiting[-1] if self._waiting else None

    def _close(self) -> None:
        group = self._innermost()
        if group is None:
            raise self._refusal()
        self._waiting.pop()
        self._lexer.take()
        if group.name:
            self._steps.append(Call(group.name.text, group.count, group.name.position))

    def _refusal(self) -> ParseError:
        token = self._lexer.peek()
        what = "the end" if token.kind == "end" else repr(token.text)
        return ParseError(f"{what} can't stand here", token.position)


# --- what others use ---------------------------------------------------------------------------------------------------


class Expression:
    """A parsed expression."""

    def __init__(self, steps: list) -> None:
        self._steps = steps

    def variables(self) -> list[str]:
        """The names of all variables, sorted, each once."""
        return sorted({step.name for step in self._steps if isinstance(step, Variable)})

    def evaluate(self, variables=None, functions=None) -> float:
        """The value, or an EvaluationError at the first trouble from the left."""
        machine = Machine(variables or {}, functions or {})
        for step in self._steps:
            step.run(machine)
        (value,) = machine.stack
        return value


def parse(text: str) -> Expression:
    """Parse a text, or raise a ParseError at the first thing that can't stand where it stands."""
    return Expression(Parser(text).run())


def evaluate(text: str, variables=None, functions=None) -> float:
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
