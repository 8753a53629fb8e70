"""Expressions with two stacks (shunting-yard)."""

import math
import re


class ExpressionError(ValueError):
    def __init__(self, message, position=0):
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3, "neg": 4, "pos": 4}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(.))", re.DOTALL)


def tokenize(text):
    tokens = []
    text = text.rstrip()
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        number, name, sign = match.groups()
        if number:
            tokens.append(("number", number, match.start(1)))
        elif name:
            tokens.append(("name", name, match.start(2)))
        elif sign in "+-*/%^(),":
            tokens.append(("sign", sign, match.start(3)))
        else:
            raise ParseError("bad character " + sign, match.start(3))
        position = match.end()
    return tokens


class Expression:
    def __init__(self, text):
        self.text = text
        self.rpn = self.convert(tokenize(text))

    def convert(self, tokens):
        output = []
        stack = []
        counts = []
        operand = True  # do we expect an operand?
        for index, (kind, value, position) in enumerate(tokens):
            following = tokens[index + 1][1] if index + 1 < len(tokens) else None
            if kind == "number" or (kind == "name" and following != "("):
                if not operand:
                    raise ParseError("operator expected", position)
                output.append((kind, value, 0))
                operand = False
            elif kind == "name":
                if not operand:
                    raise ParseError("operator expected", position)
                stack.append("call " + value)
            elif value == "(":
                if not operand:
                    raise ParseError("operator expected", position)
                stack.append("(")
                counts.append(0 if following == ")" else 1)
                if following == ")" and len(stack) > 1 and stack[-2].startswith("call"):
                    operand = False
            elif value in (")", ","):
                if operand:
                    raise ParseError("operand expected", position)
                while stack and stack[-1] != "(":
                    output.append(("op", stack.pop(), 0))
                if not stack:
                    raise ParseError("too many parentheses", position)
                called = len(stack) > 1 and stack[-2].startswith("call")
                if value == ",":
                    if not called:
                        raise ParseError("comma outside of a call", position)
                    counts[-1] += 1
                    operand = True
                else:
                    stack.pop()
                    count = counts.pop()
                    if called:
                        output.append(("call", stack.pop()[5:], count))
            elif operand:
                if value not in "+-":
                    raise ParseError("operand expected", position)
                stack.append("neg" if value == "-" else "pos")
            else:
                while stack and stack[-1] in PRECEDENCE and self.goes_first(stack[-1], value):
                    output.append(("op", stack.pop(), 0))
                stack.append(value)
                operand = True
        if operand:
            raise ParseError("operand expected", len(self.text))
        while stack:
            if stack[-1] == "(":
                raise ParseError("parenthesis is not closed", len(self.text))
            output.append(("op", stack.pop(), 0))
        return output

    def goes_first(self, waiting, coming):
        if coming == "^":
            return PRECEDENCE[waiting] > PRECEDENCE[coming]
        return PRECEDENCE[waiting] >= PRECEDENCE[coming]

    def variables(self):
        return sorted({value for kind, value, _ in self.rpn if kind == "name"})

    def evaluate(self, variables=None, functions=None):
        """Compute the value with a stack."""
        variables = variables or {}
        functions = functions or {}
        stack = []
        for kind, value, count in self.rpn:
            if kind == "number":
                stack.append(self.check(float(value)))
            elif kind == "name":
                if value not in variables:
                    raise EvaluationError("unknown variable " + value)
                stack.append(float(variables[value]))
            elif kind == "call":
                arguments = stack[len(stack) - count :]
                del stack[len(stack) - count :]
                stack.append(self.call(value, arguments, functions))
            elif value in ("neg", "pos"):
                number = stack.pop()
                stack.append(-number if value == "neg" else number)
            else:
                right = stack.pop()
                left = stack.pop()
                stack.append(self.operate(value, left, right))
        return stack[0]

    def operate(self, sign, left, right):
        try:
            if sign == "+":
                return self.check(left + right)
            if sign == "-":
                return self.check(left - right)
            if sign == "*":
                return self.check(left * right)
            if sign == "/":
                return self.check(left / right)
            if sign == "%":
                return self.check(left % right)
            return self.check(left**right)
        except ArithmeticError as error:
            raise EvaluationError(str(error)) from error

    def call(self, name, arguments, functions):
        if name in functions:
            return functions[name](*arguments)
        try:
            if name == "abs":
                return abs(*arguments)
            if name == "sqrt":
                return math.sqrt(*arguments)
            if name == "floor":
                return float(math.floor(*arguments))
            if name == "min":
                return min(arguments)
            if name == "max":
                return max(arguments)
        except (TypeError, ValueError) as error:
            raise EvaluationError(str(error)) from error
        raise EvaluationError("unknown function " + name)

    def check(self, number):
        if isinstance(number, complex) or math.isinf(number) or math.isnan(number):
            raise EvaluationError("not a number")
        return number


def parse(text):
    return Expression(text)


def evaluate(text, variables=None, functions=None):
    return parse(text).evaluate(variables, functions)
