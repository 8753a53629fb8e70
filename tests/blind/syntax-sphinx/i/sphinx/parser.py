"""The parser: from tokens to a tree, one method for each row of the grammar."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sphinx.errors import ParseError
from sphinx.nodes import Call, Chain, Link, Node, Number, Sign, Variable
from sphinx.operators import OPERATORS, SIGNS, Row
from sphinx.tokens import Kind, Token

MAX_DEPTH = 100


class Parser:
    """Recursive descent over a sequence of tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._index = 0
        self._depth = 0

    def parse(self) -> Node:
        """The tree of all tokens."""
        node = self._sum()
        if self._peek().kind is not Kind.END:
            raise self._unexpected()
        return node

    def _peek(self) -> Token:
        return self._tokens[self._index]

    def _take(self) -> Token:
        token = self._peek()
        self._index += 1
        return token

    def _expect(self, symbol: str) -> None:
        if not self._peek().is_symbol(symbol):
            raise self._unexpected()
        self._take()

    def _unexpected(self) -> ParseError:
        token = self._peek()
        return ParseError(f"unexpected {token.text or 'end'}", token.position)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ParseError("nested too deep", self._peek().position)
        yield
        self._depth -= 1

    def _chain(self, row: Row, operand: Callable[[], Node]) -> Node:
        first, links = operand(), []
        symbols = [symbol for symbol, each in OPERATORS.items() if each.row is row]
        while self._peek().is_symbol(*symbols):
            token = self._take()
            links.append(Link(OPERATORS[token.text], token.position, operand()))
        return Chain(first, links) if links else first

    def _sum(self) -> Node:
        return self._chain(Row.SUM, self._product)

    def _product(self) -> Node:
        return self._chain(Row.PRODUCT, self._sign)

    def _sign(self) -> Node:
        if not self._peek().is_symbol(*SIGNS):
            return self._power()
        function = SIGNS[self._take().text]
        with self._deeper():
            return Sign(function, self._sign())

    def _power(self) -> Node:
        base = self._atom()
        if not self._peek().is_symbol("^"):
            return base
        token = self._take()
        with self._deeper():
            return Chain(base, [Link(OPERATORS["^"], token.position, self._sign())])

    def _atom(self) -> Node:
        token = self._peek()
        if token.kind is Kind.NUMBER:
            self._take()
            return Number(float(token.text), token.position)
        if token.kind is Kind.NAME:
            self._take()
            if self._peek().is_symbol("("):
                return Call(token.text, token.position, self._arguments())
            return Variable(token.text, token.position)
        self._expect("(")
        with self._deeper():
            node = self._sum()
        self._expect(")")
        return node

    def _arguments(self) -> Sequence[Node]:
        self._expect("(")
        arguments: list[Node] = []
        with self._deeper():
            if not self._peek().is_symbol(")"):
                arguments.append(self._sum())
                while self._peek().is_symbol(","):
                    self._take()
                    arguments.append(self._sum())
        self._expect(")")
        return arguments
