"""Arithmetic expressions: cut into tokens, compiled to postfix, run on a stack.

    sum      = product { ("+" | "-") product }
    product  = sign { ("*" | "/" | "%") sign }
    sign     = ("+" | "-") sign | power
    power    = atom [ "^" sign ]
    atom     = number | name | name "(" [ sum { "," sum } ] ")" | "(" sum ")"

The rows of operators are in INFIX and PREFIX. Because an expression is a flat list of
steps, evaluating it needs no recursion; the parser counts how deep it is.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

MAX_DEPTH = 64


class ExpressionError(ValueError):
    """An expression without a value; position is the index of the trouble in its text."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""


@dataclass(frozen=True)
class Infix:
    """An operator between two operands: what it does and how tightly it binds."""

    power: int
    apply: Callable[[float, float], float]
    right_power: int


SUM, PRODUCT, SIGN, POWER = 10, 20, 30, 40

INFIX = {
    "+": Infix(SUM, operator.add, SUM + 1),
    "-": Infix(SUM, operator.sub, SUM + 1),
    "*": Infix(PRODUCT, operator.mul, PRODUCT + 1),
    "/": Infix(PRODUCT, operator.truediv, PRODUCT + 1),
    "%": Infix(PRODUCT, operator.mod, PRODUCT + 1),
    "^": Infix(POWER, operator.pow, SIGN),
}
PREFIX = {"+": operator.pos, "-": operator.neg}


@dataclass(frozen=True)
class Builtin:
    """A function that is always there, and how many arguments it takes."""

    apply: Callable[..., float]
    fewest: int = 1
    most: float = 1

    def __call__(self, *arguments: float) -> float:
        if not self.fewest <= len(arguments) <= self.most:
            raise ValueError(f"it can't take {len(arguments)} arguments")
        return self.apply(*arguments)


BUILTINS = {
    "abs": Builtin(abs),
    "sqrt": Builtin(math.sqrt),
    "floor": Builtin(math.floor),
    "min": Builtin(lambda *values: min(values), most=math.inf),
    "max": Builtin(lambda *values: max(values), most=math.inf),
}


@dataclass(frozen=True)
class Token:
    """A number, a name, a sign, or the end; a character that is none of them is "odd"."""

    kind: str
    text: str
    position: int


_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>[-+*/%^(),])"
    r"|(?P<end>\Z)"
    r"|(?P<odd>.))",
    re.DOTALL,
)


def token_at(text: str, start: int) -> Token:
    """The first token at or behind an index, blanks skipped."""
    match = _TOKEN.match(text, start)
    kind = match.lastgroup
    return Token(kind, match[kind], match.start(kind))


class Machine:
    """The stack of one evaluation, and the names it may use."""

    def __init__(self, variables: Mapping[str, float], functions: Mapping[str, Callable[..., float]]) -> None:
        self._variables = variables
        self._functions = functions
        self.stack: list[float] = []

    def number(self, token: Token) -> None:
        """Push a number."""
        value = float(token.text)
        if math.isinf(value):
            raise EvaluationError(f"{token.text} is too large", token.position)
        self.stack.append(value)

    def variable(self, token: Token) -> None:
        """Push the value of a variable."""
        if token.text not in self._variables:
            raise EvaluationError(f"there is no variable {token.text}", token.position)
        self.stack.append(float(self._variables[token.text]))

    def prefix(self, token: Token) -> None:
        """Apply a sign to the value on top."""
        self.stack.append(PREFIX[token.text](self.stack.pop()))

    def infix(self, token: Token) -> None:
        """Apply an operator to the two values on top."""
        right, left = self.stack.pop(), self.stack.pop()
        try:
            value = INFIX[token.text].apply(left, right)
        except ArithmeticError as error:
            raise EvaluationError(str(error), token.position) from None
        if isinstance(value, complex) or not math.isfinite(value):
            raise EvaluationError(f"{left} {token.text} {right} is no number", token.position)
        self.stack.append(value)

    def call(self, token: Token, count: int) -> None:
        """Call a function with the uppermost values."""
        first = len(self.stack) - count
        arguments = self.stack[first:]
        del self.stack[first:]
        self.stack.append(float(self._apply(token, arguments)))

    def _apply(self, token: Token, arguments: list[float]) -> float:
        if token.text in self._functions:
            return self._functions[token.text](*arguments)
        if token.text not in BUILTINS:
            raise EvaluationError(f"there is no function {token.text}", token.position)
        try:
            return BUILTINS[token.text](*arguments)
        except ValueError as error:
            raise EvaluationError(f"{token.text}: {error}", token.position) from None


Step = tuple[Callable[..., None], tuple]


class Expression:
    """A parsed expression. It does not change."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps

    def variables(self) -> list[str]:
        """The names of all variables, sorted, each once."""
        return sorted({token.text for act, (token, *_) in self._steps if act is Machine.variable})

    def evaluate(
        self,
        variables: Mapping[str, float] | None = None,
        functions: Mapping[str, Callable[..., float]] | None = None,
    ) -> float:
        """The value, or an EvaluationError."""
        machine = Machine(variables or {}, functions or {})
        for act, operands in self._steps:
            act(machine, *operands)
        return machine.stack.pop()


class Parser:
    """Reads a text from left to right and writes down steps for a Machine."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = token_at(text, 0)
        self._steps: list[Step] = []
        self._depth = 0

    def parse(self) -> Expression:
        """The expression that the whole text is, or a ParseError."""
        self._expression(SUM)
        if self._next.kind != "end":
            raise self._unexpected()
        return Expression(self._steps)

    def _take(self) -> Token:
        token = self._next
        self._next = token_at(self._text, token.position + len(token.text))
        return token

    def _expect(self, sign: str) -> None:
        if self._next.text != sign:
            raise self._unexpected()
        self._take()

    def _unexpected(self) -> ParseError:
        what = "the text ends too early" if self._next.kind == "end" else f"{self._next.text!r} can't stand here"
        return ParseError(what, self._next.position)

    def _emit(self, act: Callable[..., None], *operands: object) -> None:
        self._steps.append((act, operands))

    @contextmanager
    def _nested(self):
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ParseError("nested too deep", self._next.position)
        yield
        self._depth -= 1

    def _expression(self, weakest: int) -> None:
        """Read operands and the operators between them that bind at least so tightly."""
        self._operand()
        while (infix := INFIX.get(self._next.text)) and infix.power >= weakest:
            sign = self._take()
            if infix.power == POWER:
                with self._nested():
                    self._expression(infix.right_power)
            else:
                self._expression(infix.right_power)
            self._emit(Machine.infix, sign)

    def _operand(self) -> None:
        if self._next.text in PREFIX:
            sign = self._take()
            with self._nested():
                self._expression(SIGN)
            self._emit(Machine.prefix, sign)
        elif self._next.text == "(":
            self._take()
            with self._nested():
                self._expression(SUM)
            self._expect(")")
        elif self._next.kind == "number":
            self._emit(Machine.number, self._take())
        elif self._next.kind == "name":
            self._named(self._take())
        else:
            raise self._unexpected()

    def _named(self, name: Token) -> None:
        if self._next.text == "(":
            self._emit(Machine.call, name, self._arguments())
        else:
            self._emit(Machine.variable, name)

    def _arguments(self) -> int:
        """Read arguments in parentheses; how many there are."""
        self._expect("(")
        count = 0
        if self._next.text != ")":
            with self._nested():
                self._expression(SUM)
                count = 1
                while self._next.text == ",":
                    self._take()
                    self._expression(SUM)
                    count += 1
        self._expect(")")
        return count


def parse(text: str) -> Expression:
    """Parse a text, or raise a ParseError."""
    return Parser(text).parse()


def evaluate(
    text: str,
    variables: Mapping[str, float] | None = None,
    functions: Mapping[str, Callable[..., float]] | None = None,
) -> float:
    """The value of a text: parse(text).evaluate(variables, functions)."""
    return parse(text).evaluate(variables, functions)
