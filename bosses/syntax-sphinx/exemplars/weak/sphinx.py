# evaluates expressions
import math
import re


class ExpressionError(ValueError):
    position = 0


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": lambda *a: min(a), "max": lambda *a: max(a)}


class Expression:
    def __init__(self, text):
        self.text = text

    def variables(self):
        names = re.findall(r"[A-Za-z_]\w*(?!\w*\s*\()", self.text)
        return sorted(set(names))

    def evaluate(self, variables=None, functions=None):
        scope = {"__builtins__": {}}
        scope.update(FUNCTIONS)
        scope.update(functions or {})
        scope.update({name: float(value) for name, value in (variables or {}).items()})
        try:
            return float(eval(self.text.strip().replace("^", "**"), scope))
        except SyntaxError:
            raise ParseError("bad expression")
        except NameError as e:
            raise EvaluationError(str(e))


def parse(text):
    return Expression(text)


def evaluate(text, variables=None, functions=None):
    return parse(text).evaluate(variables, functions)
