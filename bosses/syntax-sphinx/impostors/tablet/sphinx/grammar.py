"""From tokens to steps: operators wait on a pile until something weaker comes (a shunting yard).

What may come next depends on the state alone: OPERAND, FIRST (an operand or the end of an empty call), CALLEE (behind a
name) or OPERATOR. One table per state says which rule takes which token. Nothing recurses, so depth costs only memory.
"""

from dataclasses import dataclass, field
from typing import Any

from sphinx import machine
from sphinx.errors import ParseError
from sphinx.scanner import scan

# Strength of an operator, and the weakest that is carried out before it.
STRENGTHS = {"+": (1, 1), "-": (1, 1), "*": (2, 2), "/": (2, 2), "%": (2, 2), "^": (4, 5)}
SIGN = 3
BRACKET = 0


@dataclass
class Waiting:
    """An operator that waits for its right side, or a bracket that waits to be closed."""

    strength: int
    step: Any = None
    callee: Any = None
    count: int = 1


@dataclass
class Yard:
    """What has been read so far."""

    steps: list = field(default_factory=list)
    names: set = field(default_factory=set)
    pile: list = field(default_factory=list)
    name: Any = None

    def settle(self, least):
        """Carry out what waits and is at least this strong."""
        while self.pile and self.pile[-1].strength >= least:
            self.steps.append(self.pile.pop().step)


def refuse(yard, token):
    """Nothing in this state can take the token."""
    raise ParseError(token.position, f"{token.text} can't come here")


def number(yard, token):
    """Take a number."""
    yard.steps.append(machine.number(token))
    return OPERATOR


def name(yard, token):
    """Remember a name until it is clear whether it is called."""
    yard.name = token
    return CALLEE


def sign(yard, token):
    """Let a sign wait."""
    yard.pile.append(Waiting(SIGN, machine.sign(token)))
    return OPERAND


def group(yard, token):
    """Open a group."""
    yard.pile.append(Waiting(BRACKET))
    return OPERAND


def invoke(yard, token):
    """Open the arguments of a call."""
    yard.pile.append(Waiting(BRACKET, callee=yard.name))
    return FIRST


def binary(yard, token):
    """Carry out what binds at least as tightly, then let the operator wait."""
    strength, least = STRENGTHS[token.text]
    yard.settle(least)
    yard.pile.append(Waiting(strength, machine.binary(token)))
    return OPERAND


def comma(yard, token):
    """Go on to the next argument."""
    yard.settle(BRACKET + 1)
    if not yard.pile or yard.pile[-1].callee is None:
        refuse(yard, token)
    yard.pile[-1].count += 1
    return OPERAND


def empty(yard, token):
    """Close a call without arguments."""
    yard.steps.append(machine.call(yard.pile.pop().callee, 0))
    return OPERATOR


def close(yard, token):
    """Close a group or a call."""
    yard.settle(BRACKET + 1)
    if not yard.pile:
        refuse(yard, token)
    bracket = yard.pile.pop()
    if bracket.callee is not None:
        yard.steps.append(machine.call(bracket.callee, bracket.count))
    return OPERATOR


def end(yard, token):
    """Carry out all that waits, unless a bracket is open."""
    yard.settle(BRACKET + 1)
    if yard.pile:
        refuse(yard, token)
    return OPERATOR


OPERAND = {"number": number, "name": name, "(": group, "+": sign, "-": sign}
FIRST = {**OPERAND, ")": empty}
CALLEE = {"(": invoke}
OPERATOR = {**dict.fromkeys(STRENGTHS, binary), ",": comma, ")": close, "end": end}


def read(text):
    """Return the steps of a text and the names of its variables."""
    yard, state = Yard(), OPERAND
    for token in scan(text):
        if state is CALLEE and token.kind != "(":
            yard.names.add(yard.name.text)
            yard.steps.append(machine.variable(yard.name))
            state = OPERATOR
        state = state.get(token.kind, refuse)(yard, token)
    return yard.steps, yard.names
