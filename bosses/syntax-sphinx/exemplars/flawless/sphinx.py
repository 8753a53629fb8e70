"""Arithmetic expressions: parse them once, evaluate them often, and know the character where they go wrong.

Text becomes tokens, one at a time; tokens become steps for a small stack machine by precedence climbing; the machine
runs the steps from left to right. Every token and every step carries its position in the text.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

Function = Callable[..., float]


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
    """The expression asks for what does not exist or can't be done."""


class Binary(NamedTuple):
    """An operator between two operands."""

    strength: int
    least_on_right: int
    compute: Function


SIGN_STRENGTH = 3
OPERATORS = {
    "+": Binary(1, 2, operator.add),
    "-": Binary(1, 2, operator.sub),
    "*": Binary(2, 3, operator.mul),
    "/": Binary(2, 3, operator.truediv),
    "%": Binary(2, 3, operator.mod),
    "^": Binary(4, 4, operator.pow),  # as strong on its right as itself: from right to left
}
SIGNS = {"-": operator.neg, "+": operator.pos}
ANY_NUMBER = 10**9
BUILT_IN: dict[str, tuple[Function, int]] = {
    "abs": (abs, 1),
    "sqrt": (math.sqrt, 1),
    "floor": (math.floor, 1),
    "min": (lambda *values: min(values), ANY_NUMBER),
    "max": (lambda *values: max(values), ANY_NUMBER),
}
DEEPEST = 200
"""How many operands may wait for each other: far below what Python's own stack holds."""


class Token(NamedTuple):
    """A piece of text, and where it begins."""

    kind: str
    text: str
    position: int


TOKEN = re.compile(
    r"""(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<sign>[-+*/%^(),])
      | (?P<end>\Z)
      | (?P<stray>.)""",
    re.VERBOSE | re.DOTALL,
)
BLANKS = re.compile(r"[ \t\r\n]*")


def token_at(text: str, position: int) -> Token:
    """The first token at or after a position."""
    start = BLANKS.match(text, position).end()
    found = TOKEN.match(text, start)
    return Token(found.lastgroup or "end", found.group(), start)


class Step(NamedTuple):
    """One step of the machine: push a number or a variable, apply a sign or an operator, call a function."""

    kind: str
    text: str
    position: int
    count: int = 0


class Expression:
    """A parsed expression.

    Args:
        steps: What to do, in order.
    """

    def __init__(self, steps: list[Step]) -> None:
        self._steps = tuple(steps)

    def variables(self) -> list[str]:
        """The names of all variables, sorted."""
        return sorted({step.text for step in self._steps if step.kind == "name"})

    def evaluate(
        self, variables: Mapping[str, float] | None = None, functions: Mapping[str, Function] | None = None
    ) -> float:
        """The value.

        Raises:
            EvaluationError: There is none.
        """
        stack: list[float] = []
        for step in self._steps:
            match step.kind:
                case "number":
                    stack.append(finite(float(step.text), step))
                case "name":
                    stack.append(look_up(step, variables or {}))
                case "prefix":
                    stack.append(SIGNS[step.text](stack.pop()))
                case "operator":
                    right, left = stack.pop(), stack.pop()
                    stack.append(attempt(OPERATORS[step.text].compute, [left, right], step))
                case _:
                    arguments = [stack.pop() for _ in range(step.count)][::-1]
                    stack.append(call(step, arguments, functions or {}))
        return stack.pop()


def look_up(step: Step, variables: Mapping[str, float]) -> float:
    """The value of a variable."""
    if step.text not in variables:
        raise EvaluationError(f"there is no variable {step.text}", step.position)
    return float(variables[step.text])


def call(step: Step, arguments: list[float], functions: Mapping[str, Function]) -> float:
    """Call a function that was handed in, or else one of ours. Exceptions of the former are none of our business."""
    if step.text in functions:
        return functions[step.text](*arguments)
    if step.text not in BUILT_IN:
        raise EvaluationError(f"there is no function {step.text}", step.position)
    function, most = BUILT_IN[step.text]
    if not 1 <= len(arguments) <= most:
        raise EvaluationError(f"{step.text} can't take {len(arguments)} arguments", step.position)
    return attempt(function, arguments, step)


def attempt(compute: Function, operands: list[float], step: Step) -> float:
    """Compute, and turn what can't be computed into an error at the step's position."""
    try:
        result = compute(*operands)
    except (ArithmeticError, ValueError) as error:
        raise EvaluationError(f"{step.text} fails: {error}", step.position) from error
    return finite(result, step)


def finite(result: float | complex, step: Step) -> float:
    """The result, unless it is no number a float can hold."""
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError(f"{step.text} gives no real number", step.position)
    return float(result)


class Parser:
    """Precedence climbing over a text; each operator is emitted after its operands.

    Args:
        text: What to parse.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._depth = 0
        self._token = token_at(text, 0)
        self.steps: list[Step] = []

    def take(self) -> Token:
        """The current token; the next becomes current. Only now is it looked at, so errors come from left to right."""
        token = self._token
        self._token = token_at(self._text, token.position + len(token.text))
        return token

    def whole(self) -> Expression:
        """The whole text as one expression."""
        self.expression(0)
        if self._token.kind != "end":
            raise self.misplaced()
        return Expression(self.steps)

    def expression(self, least: int) -> None:
        """An operand, and all operators behind it that are at least this strong."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ParseError("this is nested too deeply", self._token.position)
        self.operand()
        while (found := OPERATORS.get(self._token.text)) and found.strength >= least:
            token = self.take()
            self.expression(found.least_on_right)
            self.steps.append(Step("operator", token.text, token.position))
        self._depth -= 1

    def operand(self) -> None:
        """A number, a name, a call, something in parentheses, or one of these with a sign."""
        if self._token.kind == "number":
            self.steps.append(Step(*self.take()))
        elif self._token.kind == "name":
            self.name()
        elif self._token.text in SIGNS:
            token = self.take()
            self.expression(SIGN_STRENGTH)
            self.steps.append(Step("prefix", token.text, token.position))
        else:
            self.expect("(")
            self.expression(0)
            self.expect(")")

    def name(self) -> None:
        """A variable, or a call if a parenthesis follows."""
        token = self.take()
        if self._token.text != "(":
            self.steps.append(Step(*token))
            return
        self.take()
        count = 0
        while self._token.text != ")" or count:
            self.expression(0)
            count += 1
            if self._token.text != ",":
                break
            self.take()
        self.expect(")")
        self.steps.append(Step("call", token.text, token.position, count))

    def expect(self, text: str) -> None:
        """Take a token that has to be here."""
        if self._token.text != text:
            raise self.misplaced()
        self.take()

    def misplaced(self) -> ParseError:
        """The error for the current token standing where it stands."""
        what = "the end" if self._token.kind == "end" else repr(self._token.text)
        return ParseError(f"{what} can't stand here", self._token.position)


def parse(text: str) -> Expression:
    """Parse a text.

    Raises:
        ParseError: It is no expression.
    """
    return Parser(text).whole()


def evaluate(
    text: str, variables: Mapping[str, float] | None = None, functions: Mapping[str, Function] | None = None
) -> float:
    """The value of a text.

    Raises:
        ParseError: It is no expression.
        EvaluationError: It has no value.
    """
    return parse(text).evaluate(variables, functions)
