"""The shunting yard: a text goes in on the left, a program comes out on the right.

There is no recursion anywhere, so nothing is too deep.
"""

import re

from .errors import ParseError
from .machine import Expression
from .operators import BINARY, SIGNS

BLANKS = re.compile(r"[ \t\r\n]*")
TOKEN = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[-+*/%^(),])")


def tokens(text):
    """(kind, text, position) of one token after another, and ("end", "", len(text)) at last."""
    position = BLANKS.match(text).end()
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ParseError(f"{text[position]!r} means nothing here", position)
        yield match.lastgroup, match.group(), position
        position = BLANKS.match(text, match.end()).end()
    yield "end", "", len(text)


class Yard:
    """The siding: operators and open parentheses that wait for what follows them."""

    def __init__(self):
        self.steps = []
        self.waiting = []  # (Operator, position) or Group
        self.pending = None  # a name of which nobody knows yet whether it will be called

    def operand(self, kind, text, position):
        """Take a token where a value should begin; whether one has just ended."""
        if kind == "number":
            self.steps.append(("number", float(text), position))
            return True
        if kind == "name":
            self.pending = (text, position)
            return True
        if text in SIGNS:
            self.waiting.append((SIGNS[text], position))
            return False
        if text == "(":
            self.waiting.append(Group())
            return False
        if text == ")" and self.waiting and self.closes_empty_call():
            self.close()
            return True
        raise ParseError("a value is missing", position)

    def follow(self, kind, text, position):
        """Take a token after a value; whether there is still a value behind us."""
        if self.pending and text == "(":
            self.waiting.append(Group(*self.pending))
            self.pending = None
            return False
        self.settle()
        if text in BINARY:
            self.unload(BINARY[text])
            self.waiting.append((BINARY[text], position))
            return False
        self.unload()
        group = self.waiting[-1] if self.waiting else None
        if text == ")" and group:
            group.arguments += 1
            self.close()
            return True
        if text == "," and group and group.name:
            group.arguments += 1
            return False
        if kind == "end" and not group:
            return True
        raise ParseError(f"{text or 'the end'} can't stand here", position)

    def settle(self):
        """A name that was not called is a variable."""
        if self.pending:
            self.steps.append(("variable", *self.pending))
            self.pending = None

    def unload(self, coming=None):
        """Let go of all operators that bind their left side before the coming one does."""
        while self.waiting and not isinstance(self.waiting[-1], Group):
            operator, position = self.waiting[-1]
            if coming and (operator.binds < coming.binds or (operator.binds == coming.binds and coming.from_right)):
                break
            self.steps.append(("apply", operator, position))
            self.waiting.pop()

    def closes_empty_call(self):
        group = self.waiting[-1]
        return isinstance(group, Group) and group.name and group.arguments == 0

    def close(self):
        group = self.waiting.pop()
        if group.name:
            self.steps.append(("call", (group.name, group.arguments), group.position))


class Group:
    """An open parenthesis: of a call, if it has a name."""

    def __init__(self, name=None, position=None):
        self.name = name
        self.position = position
        self.arguments = 0


def parse(text):
    """The expression that a text holds."""
    yard = Yard()
    after_value = False
    for kind, part, position in tokens(text):
        after_value = (yard.follow if after_value else yard.operand)(kind, part, position)
    return Expression(yard.steps)
