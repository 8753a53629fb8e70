"""Climbing from token to token, and the nodes that are left behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from arithmetic import FUNCTIONS, INFIX, PREFIX, PREFIX_POWER, Function, Impossible, compute
from errors import EvaluationError, ParseError
from tokens import Token, token_from

DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Node:
    """A token with its operands. ``called`` tells a call from a variable."""

    token: Token
    position: int
    operands: tuple[Node, ...] = ()
    called: bool = False

    def names(self) -> Iterator[str]:
        """The names of all variables below."""
        if self.token.kind == "name" and not self.called:
            yield self.token.text
        for operand in self.operands:
            yield from operand.names()

    def value(self, variables: Mapping[str, float], functions: Mapping[str, Function]) -> float:
        """The value of the node.

        Raises:
            EvaluationError: There is none.
        """
        values = [operand.value(variables, functions) for operand in self.operands]
        if self.called and self.token.text in functions:
            return functions[self.token.text](*values)
        try:
            return compute(self.meaning(variables), *values)
        except Impossible as error:
            raise EvaluationError(f"{self.token.text}: {error}", self.position) from error

    def meaning(self, variables: Mapping[str, float]) -> Function:
        """What to do with the operands' values."""
        text = self.token.text
        if self.token.kind == "number":
            return lambda: float(text)
        if self.token.kind == "sign":
            return INFIX[text][1] if len(self.operands) > 1 else PREFIX[text]
        if not self.called and text in variables:
            return lambda: float(variables[text])
        if self.called and text in FUNCTIONS:
            return FUNCTIONS[text]
        raise EvaluationError(f"there is no {text}", self.position)


@dataclass(slots=True)
class Climber:
    """A Pratt parser over one text."""

    text: str
    depth: int = 0
    token: Token = field(init=False)

    def __post_init__(self) -> None:
        self.token = token_from(self.text, 0)

    def take(self) -> Token:
        """The current token; the next one becomes current."""
        token = self.token
        self.token = token_from(self.text, token.position + len(token.text))
        return token

    def whole(self) -> Node:
        """The whole text as one node."""
        node = self.climb(0)
        self.expect("")
        return node

    def expect(self, text: str) -> None:
        """Take a token that has to stand here; the empty text is the end."""
        if self.token.text != text:
            raise ParseError(f"{self.token.text or 'the end'} can't stand here", self.token.position)
        self.take()

    def climb(self, least: int) -> Node:
        """An operand and all operators behind it that bind at least this tightly."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ParseError("too deep", self.token.position)
        node = self.operand()
        while INFIX.get(self.token.text, (-1, None))[0] >= least:
            token = self.take()
            power, _ = INFIX[token.text]
            node = Node(token, node.position, (node, self.climb(power)))
        self.depth -= 1
        return node

    def operand(self) -> Node:
        """A number, a name, a call, parentheses, or a sign with its operand."""
        if self.token.kind == "number":
            token = self.take()
            return Node(token, token.position)
        if self.token.kind == "name":
            return self.named()
        if self.token.text in PREFIX:
            token = self.take()
            return Node(token, token.position, (self.climb(PREFIX_POWER),))
        self.expect("(")
        node = self.climb(0)
        self.expect(")")
        return node

    def named(self) -> Node:
        """A variable or a call."""
        token = self.take()
        if self.token.text != "(":
            return Node(token, token.position)
        self.take()
        operands: list[Node] = []
        if self.token.text != ")":
            operands.append(self.climb(0))
            while self.token.text == ",":
                self.take()
                operands.append(self.climb(0))
        self.expect(")")
        return Node(token, token.position, tuple(operands), called=True)
