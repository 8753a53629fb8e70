"""Expression evaluator (precedence climbing)."""
import math
import re


class ExpressionError(ValueError):
    def __init__(self, message, position=0):
        ValueError.__init__(self, message)
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(.))")
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 4}


def tokenize(text):
    """List of (kind, text, position)."""
    result = []
    text = text.rstrip()
    pos = 0
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if m.group(1):
            result.append(("num", m.group(1), m.start(1)))
        elif m.group(2):
            result.append(("name", m.group(2), m.start(2)))
        elif m.group(3) in "+-*/%^(),":
            result.append(("op", m.group(3), m.start(3)))
        else:
            raise ParseError("bad character " + m.group(3), m.start(3))
        pos = m.end()
    return result


class Parser:
    def __init__(self, text):
        self.text = text
        self.tokens = tokenize(text)
        self.i = 0

    def peek(self):
        if self.i < len(self.tokens):
            return self.tokens[self.i]
        return ("end", "", len(self.text))

    def next(self):
        token = self.peek()
        self.i += 1
        return token

    def fail(self, token):
        raise ParseError("unexpected " + (token[1] or "end"), token[2])

    def parse(self):
        tree = self.expression(1)
        if self.peek()[0] != "end":
            self.fail(self.peek())
        return tree

    def expression(self, level):
        """Parse everything that binds at least as tightly as level."""
        left = self.unary()
        while True:
            kind, op, pos = self.peek()
            if kind != "op" or PRECEDENCE.get(op, 0) < level:
                return left
            self.next()
            if op == "^":
                right = self.expression(4) if self.peek()[1] not in ("-", "+") else self.unary()
            else:
                right = self.expression(PRECEDENCE[op] + 1)
            left = ("bin", op, pos, left, right)

    def unary(self):
        kind, text, pos = self.peek()
        if text == "-" or text == "+":
            self.next()
            return ("neg" if text == "-" else "pos", text, pos, self.expression(3))
        return self.atom()

    def atom(self):
        token = self.next()
        kind, text, pos = token
        if kind == "num":
            return ("num", float(text), pos)
        if kind == "name":
            if self.peek()[1] == "(":
                return self.call(text, pos)
            return ("var", text, pos)
        if text == "(":
            tree = self.expression(1)
            self.expect(")")
            return tree
        self.fail(token)

    def call(self, name, pos):
        self.next()
        args = []
        if self.peek()[1] == ")":
            self.next()
            return ("call", name, pos, args)
        while True:
            args.append(self.expression(1))
            if self.peek()[1] == ",":
                self.next()
                continue
            self.expect(")")
            return ("call", name, pos, args)

    def expect(self, text):
        token = self.next()
        if token[1] != text:
            self.fail(token)


FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": lambda *a: min(a), "max": lambda *a: max(a)}


class Expression:
    def __init__(self, tree):
        self.tree = tree

    def evaluate(self, variables=None, functions=None):
        """Compute the value."""
        return float(self.run(self.tree, variables or {}, functions or {}))

    def run(self, node, variables, functions):
        kind, what, pos = node[:3]
        if kind == "num":
            if math.isinf(what):
                raise EvaluationError("number too large", pos)
            return what
        if kind == "var":
            if what not in variables:
                raise EvaluationError("unknown variable " + what, pos)
            return float(variables[what])
        if kind == "neg":
            return -self.run(node[3], variables, functions)
        if kind == "pos":
            return self.run(node[3], variables, functions)
        if kind == "call":
            args = [self.run(a, variables, functions) for a in node[3]]
            if what in functions:
                return functions[what](*args)
            if what not in FUNCTIONS:
                raise EvaluationError("unknown function " + what, pos)
            try:
                return FUNCTIONS[what](*args)
            except (TypeError, ValueError) as e:
                raise EvaluationError(str(e), pos)
        a = self.run(node[3], variables, functions)
        b = self.run(node[4], variables, functions)
        try:
            if what == "+":
                result = a + b
            elif what == "-":
                result = a - b
            elif what == "*":
                result = a * b
            elif what == "/":
                result = a / b
            elif what == "%":
                result = a % b
            else:
                result = a ** b
        except (ZeroDivisionError, OverflowError) as e:
            raise EvaluationError(str(e), pos)
        if isinstance(result, complex) or math.isinf(result) or math.isnan(result):
            raise EvaluationError("no real result", pos)
        return result

    def variables(self):
        """Sorted names of the variables."""
        found = set()
        self.collect(self.tree, found)
        return sorted(found)

    def collect(self, node, found):
        if node[0] == "var":
            found.add(node[1])
        elif node[0] == "call":
            for a in node[3]:
                self.collect(a, found)
        elif node[0] != "num":
            for child in node[3:]:
                self.collect(child, found)


def parse(text):
    """Parse an expression."""
    return Expression(Parser(text).parse())


def evaluate(text, variables=None, functions=None):
    """Parse and evaluate an expression."""
    return parse(text).evaluate(variables, functions)
