"""Arithmetic expressions: cut into tokens, parsed into postfix code, computed on a stack."""

import math
import operator
import re
from typing import Callable, NamedTuple

MAX_DEPTH = 120
"""How deep expressions may be nested; 60 is promised, Python's own stack bears more than this."""


class ExpressionError(ValueError):
    """An expression without a value; position is the index of the character where the trouble is."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""


class Token(NamedTuple):
    """A piece of text: kind is 'number', 'name', 'end', 'stray', or the sign itself."""

    kind: str
    text: str
    position: int


class Binary(NamedTuple):
    """How tightly an operator holds what is on its left and on its right, and what it does."""

    left: int
    right: int
    apply: Callable[[float, float], float]


SIGN = 5  # as tightly as a sign holds its operand
BINARY = {
    "+": Binary(1, 2, operator.add),
    "-": Binary(1, 2, operator.sub),
    "*": Binary(3, 4, operator.mul),
    "/": Binary(3, 4, operator.truediv),
    "%": Binary(3, 4, operator.mod),
    "^": Binary(6, SIGN, operator.pow),
}
PREFIX = {"-": operator.neg, "+": operator.pos}
# name: (function, most arguments); each takes one at least
BUILT_IN = {
    "abs": (abs, 1),
    "sqrt": (math.sqrt, 1),
    "floor": (math.floor, 1),
    "min": (lambda *arguments: min(arguments), math.inf),
    "max": (lambda *arguments: max(arguments), math.inf),
}

_TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[-+*/%^(),])"
)
_BLANKS = re.compile(r"[ \t\r\n]*")


def next_token(text: str, start: int) -> Token:
    """The token at or behind an index. Nothing further right is looked at."""
    start = _BLANKS.match(text, start).end()
    if start == len(text):
        return Token("end", "", start)
    match = _TOKEN.match(text, start)
    if match is None:
        return Token("stray", text[start], start)
    kind = match.group() if match.lastgroup == "sign" else match.lastgroup
    return Token(kind, match.group(), start)


class _Parser:
    """Precedence climbing; writes the steps of the computation into code."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._token = next_token(text, 0)
        self._depth = 0
        self.code: list[tuple] = []

    def run(self) -> list[tuple]:
        """The code of the whole text."""
        self._expression(0)
        self._expect("end")
        return self.code

    def _take(self) -> Token:
        token = self._token
        self._token = next_token(self._text, token.position + len(token.text))
        return token

    def _expect(self, kind: str) -> Token:
        if self._token.kind != kind:
            what = repr(self._token.text) if self._token.text else "the end"
            raise ParseError(f"{what} can't stand here", self._token.position)
        return self._take()

    def _expression(self, power: int) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ParseError("nested too deep", self._token.position)
        self._operand()
        while (binary := BINARY.get(self._token.kind)) and binary.left >= power:
            token = self._take()
            self._expression(binary.right)
            self.code.append(("binary", token.position, binary.apply))
        self._depth -= 1

    def _operand(self) -> None:
        kind, position = self._token.kind, self._token.position
        if kind in PREFIX:
            self._take()
            self._expression(SIGN)
            self.code.append(("prefix", position, PREFIX[kind]))
        elif kind == "(":
            self._take()
            self._expression(0)
            self._expect(")")
        elif kind == "name":
            self._name()
        else:
            self.code.append(("number", position, float(self._expect("number").text)))

    def _name(self) -> None:
        name = self._take()
        if self._token.kind != "(":
            self.code.append(("variable", name.position, name.text))
            return
        self._take()
        count = 0
        if self._token.kind != ")":
            self._expression(0)
            count = 1
            while self._token.kind == ",":
                self._take()
                self._expression(0)
                count += 1
        self._expect(")")
        self.code.append(("call", name.position, (name.text, count)))


def _compute(apply: Callable, position: int, *operands: float) -> float:
    """The only place in which arithmetic is done: a finite float, or an EvaluationError."""
    try:
        result = apply(*operands)
    except ArithmeticError as error:
        raise EvaluationError(str(error), position) from None
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError("no real number", position)
    return result


def _call(name: str, arguments: list[float], functions: dict, position: int) -> float:
    if name in functions:
        return float(functions[name](*arguments))
    if name not in BUILT_IN:
        raise EvaluationError(f"no function {name}", position)
    function, most = BUILT_IN[name]
    if not 1 <= len(arguments) <= most:
        raise EvaluationError(f"{name} takes another number of arguments", position)
    if name == "sqrt" and arguments[0] < 0:
        raise EvaluationError("root of a negative number", position)
    return float(function(*arguments))


class Expression:
    """A parsed expression, which can be computed again and again."""

    def __init__(self, code: list[tuple]) -> None:
        self._code = code

    def variables(self) -> list[str]:
        """The names of all variables, sorted."""
        return sorted({payload for kind, _, payload in self._code if kind == "variable"})

    def evaluate(self, variables=None, functions=None) -> float:
        """The value, or an EvaluationError."""
        variables, functions = variables or {}, functions or {}
        stack: list[float] = []
        for kind, position, payload in self._code:
            match kind:
                case "number":
                    stack.append(_compute(float, position, payload))
                case "variable":
                    if payload not in variables:
                        raise EvaluationError(f"no variable {payload}", position)
                    stack.append(float(variables[payload]))
                case "prefix":
                    stack.append(payload(stack.pop()))
                case "binary":
                    right, left = stack.pop(), stack.pop()
                    stack.append(_compute(payload, position, left, right))
                case "call":
                    name, count = payload
                    cut = len(stack) - count
                    arguments = stack[cut:]
                    stack[cut:] = [_call(name, arguments, functions, position)]
        return stack.pop()


def parse(text: str) -> Expression:
    """The expression in a text, or a ParseError."""
    return Expression(_Parser(text).run())


def evaluate(text: str, variables=None, functions=None) -> float:
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
