"""From a text to a tree."""

import re

from .errors import ParseError
from .tree import Call, Name, Number, Row, Signed

TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>.|\Z))",
    re.DOTALL,
)
DEPTH = 100


class Parser:
    """Recursive descent; one token is looked ahead."""

    def __init__(self, text):
        self._text = text
        self._depth = 0
        self._advance(0)

    def parse(self):
        """The tree of the whole text."""
        tree = self._sum()
        if self._position < len(self._text):
            self._refuse()
        return tree

    def _advance(self, start):
        match = TOKEN.match(self._text, start)
        self._kind = match.lastgroup
        self._token = match[self._kind]
        self._position = match.start(self._kind)

    def _take(self):
        taken = self._token, self._position
        self._advance(self._position + len(self._token))
        return taken

    def _at(self, signs):
        return self._kind == "sign" and self._token != "" and self._token in signs

    def _expect(self, sign):
        if not self._at(sign):
            self._refuse()
        self._take()

    def _refuse(self):
        raise ParseError(f"unexpected {self._token!r}", self._position)

    def _inside(self, rule):
        if self._depth == DEPTH:
            raise ParseError("nested too deep", self._position)
        self._depth += 1
        tree = rule()
        self._depth -= 1
        return tree

    def _sum(self):
        return self._row("+-", self._product)

    def _product(self):
        return self._row("*/%", self._sign)

    def _row(self, signs, operand):
        first = operand()
        rest = []
        while self._at(signs):
            rest.append((*self._take(), operand()))
        return Row(first, tuple(rest)) if rest else first

    def _sign(self):
        if self._at("+-"):
            sign, _ = self._take()
            return Signed(sign, self._inside(self._sign))
        return self._power()

    def _power(self):
        base = self._atom()
        if self._at("^"):
            return Row(base, ((*self._take(), self._inside(self._sign)),))
        return base

    def _atom(self):
        if self._kind == "number":
            digits, position = self._take()
            return Number(float(digits), position)
        if self._kind == "name":
            name, position = self._take()
            return Call(name, position, self._arguments()) if self._at("(") else Name(name, position)
        self._expect("(")
        tree = self._inside(self._sum)
        self._expect(")")
        return tree

    def _arguments(self):
        self._expect("(")
        arguments = []
        if not self._at(")"):
            arguments.append(self._inside(self._sum))
            while self._at(","):
                self._take()
                arguments.append(self._inside(self._sum))
        self._expect(")")
        return tuple(arguments)
