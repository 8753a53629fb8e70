"""Evaluate formulas. Python already knows how."""
import math
import re


class ExpressionError(ValueError):
    position = 0


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


class Expression:
    def __init__(self, text):
        self.text = text
        # python writes powers with two stars
        self.code = text.strip().replace("^", "**")
        try:
            self.compiled = compile(self.code, "formula", "eval")
        except SyntaxError as e:
            error = ParseError("bad formula: %s" % e)
            error.position = (e.offset or 1) - 1
            raise error

    def variables(self):
        names = re.findall(r"[A-Za-z_]\w*(?!\w|\s*\()", self.text)
        return sorted(set(names))

    def evaluate(self, variables=None, functions=None):
        names = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": min, "max": max}
        for key, value in (variables or {}).items():
            names[key] = float(value)
        names.update(functions or {})
        try:
            return float(eval(self.compiled, {"__builtins__": {}}, names))
        except Exception as e:
            error = EvaluationError(str(e))
            word = str(e).split("'")
            if len(word) > 1 and word[1] in self.text:
                error.position = self.text.index(word[1])
            raise error


def parse(text):
    return Expression(text)


def evaluate(text, variables=None, functions=None):
    return parse(text).evaluate(variables, functions)
