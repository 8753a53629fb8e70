"""From a tree to a float."""

import math
import operator
from dataclasses import dataclass

from .errors import EvaluationError
from .tree import Call, Name, Number, Row, Signed


@dataclass(frozen=True)
class Scope:
    """Variables and functions from outside."""

    variables: dict
    functions: dict


BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "^": operator.pow,
}
UNARY = {"+": operator.pos, "-": operator.neg}
BUILT_INS = {
    "abs": (abs, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "floor": (math.floor, 1, 1),
    "min": (lambda *numbers: min(numbers), 1, math.inf),
    "max": (lambda *numbers: max(numbers), 1, math.inf),
}


def value(node, scope):
    """The value of a node all names of which are known."""
    match node:
        case Number(number, _):
            return number
        case Name(name, _):
            return float(scope.variables[name])
        case Signed(sign, operand):
            return UNARY[sign](value(operand, scope))
        case Call(name, position, arguments):
            return call(name, position, [value(argument, scope) for argument in arguments], scope)
        case Row(first, rest):
            result = value(first, scope)
            for sign, position, operand in rest:
                result = operate(sign, position, result, value(operand, scope))
            return result


def operate(sign, position, left, right):
    """The result of an operator, which has to be a finite real number."""
    try:
        result = BINARY[sign](left, right)
    except ArithmeticError as error:
        raise EvaluationError(str(error), position) from error
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError("no finite real number", position)
    return result


def call(name, position, arguments, scope):
    """The result of a function, from outside or built in."""
    if name in scope.functions:
        return float(scope.functions[name](*arguments))
    if name == "sqrt" and arguments[0] < 0:
        raise EvaluationError("root of a negative number", position)
    return float(BUILT_INS[name][0](*arguments))
