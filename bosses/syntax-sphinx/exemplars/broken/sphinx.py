"""An expression parser by recursive descent. Tokens are still to be given positions."""

import math
from dataclasses import dataclass


class ExpressionError(ValueError):
    """An expression without a value."""


class ParseError(ExpressionError):
    """It can't be read."""


class EvaluationError(ExpressionError):
    """It can't be computed."""


@dataclass(frozen=True)
class Token:
    """A piece of text."""

    kind: str
    text: str
    position: int = field(default=0)


class Parser:
    """Reads tokens."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    def peek(self):
        return self.tokens[self.index]

    def take(self):
        self.index += 1
        return self.tokens[self.index - 1]

    def total(self):
        value = self.product()
        while self.peek().text in "+-":
            sign = self.take().text
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self):
        value = self.atom()
        while self.peek().text in "*/":
            sign = self.take().text
            other = self.atom()
            value = value * other if sign == "*" else value / other
        return value

    def atom(self):
        token = self.take()
        if token.text == "(":
            value = self.total()
            self.take()
            return value
        return float(token.text)


def cut(text):
    return [Token("word", word) for word in text.split()] + [Token("end", "")]


def evaluate(text, variables=None, functions=None):
    return Parser(cut(text)).total()
