"""What can be said of an expression before anything is computed."""

import math

from .compute import BUILT_INS
from .errors import EvaluationError
from .tree import Call, Name, Number, leaves


def check(tree, scope):
    """Raise an EvaluationError at the first name or number, from the left, that can't be used."""
    for leaf in leaves(tree):
        match leaf:
            case Number(number, position) if math.isinf(number):
                raise EvaluationError("too large", position)
            case Name(name, position) if name not in scope.variables:
                raise EvaluationError(f"no variable {name}", position)
            case Call(name, position, arguments) if name not in scope.functions:
                check_built_in(name, position, len(arguments))


def check_built_in(name, position, count):
    """Raise an EvaluationError unless the name is known and takes so many arguments."""
    if name not in BUILT_INS:
        raise EvaluationError(f"no function {name}", position)
    _, least, most = BUILT_INS[name]
    if not least <= count <= most:
        raise EvaluationError(f"{name} does not take {count} arguments", position)
