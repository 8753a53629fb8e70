"""Arithmetic expressions."""
import math
import re


class ExpressionError(ValueError):
    def __init__(self, message, position):
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
NAME = re.compile(r"[a-zA-Z_][a-zA-Z_0-9]*")


def cut(text):
    """Cut text into (kind, text, position)."""
    out = []
    i = 0
    while i < len(text):
        c = text[i]
        if c in " \t\n\r":
            i += 1
            continue
        m = NUMBER.match(text, i)
        if m:
            out.append(("num", m.group(), i))
            i = m.end()
            continue
        m = NAME.match(text, i)
        if m:
            out.append(("name", m.group(), i))
            i = m.end()
            continue
        if c in "+-*/%^(),":
            out.append((c, c, i))
            i += 1
            continue
        raise ParseError(f"what is {c!r}?", i)
    out.append(("end", "the end", len(text)))
    return out


class Reader:
    def __init__(self, text):
        self.toks = cut(text)
        self.n = 0

    def kind(self):
        return self.toks[self.n][0]

    def next(self):
        self.n += 1
        return self.toks[self.n - 1]

    def need(self, kind):
        tok = self.toks[self.n]
        if tok[0] != kind:
            raise ParseError(f"unexpected {tok[1]}", tok[2])
        return self.next()

    def whole(self):
        tree = self.expr()
        self.need("end")
        return tree

    def expr(self):
        left = self.term()
        while self.kind() == "+" or self.kind() == "-":
            op = self.next()
            left = ["op", op[0], op[2], left, self.term()]
        return left

    def term(self):
        left = self.signed()
        while self.kind() == "*" or self.kind() == "/" or self.kind() == "%":
            op = self.next()
            left = ["op", op[0], op[2], left, self.signed()]
        return left

    def signed(self):
        if self.kind() == "-":
            self.next()
            return ["neg", self.signed()]
        if self.kind() == "+":
            self.next()
            return self.signed()
        return self.power()

    def power(self):
        left = self.atom()
        if self.kind() == "^":
            op = self.next()
            return ["op", "^", op[2], left, self.signed()]
        return left

    def atom(self):
        if self.kind() == "num":
            tok = self.next()
            return ["num", float(tok[1]), tok[2]]
        if self.kind() == "name":
            tok = self.next()
            if self.kind() != "(":
                return ["var", tok[1], tok[2]]
            self.next()
            args = []
            if self.kind() != ")":
                args.append(self.expr())
                while self.kind() == ",":
                    self.next()
                    args.append(self.expr())
            self.need(")")
            return ["call", tok[1], tok[2], args]
        self.need("(")
        tree = self.expr()
        self.need(")")
        return tree


FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": min, "max": max}


def call(tree, args, functions):
    name, position = tree[1], tree[2]
    if name in functions:
        return float(functions[name](*args))
    if name not in FUNCTIONS:
        raise EvaluationError(f"no function {name}", position)
    if name in ("min", "max"):
        if len(args) == 0:
            raise EvaluationError(f"{name} needs arguments", position)
        return FUNCTIONS[name](args)
    if len(args) != 1:
        raise EvaluationError(f"{name} takes one argument", position)
    if name == "sqrt" and args[0] < 0:
        raise EvaluationError("root of a negative number", position)
    return float(FUNCTIONS[name](args[0]))


def compute(tree, variables, functions):
    if tree[0] == "num":
        if tree[1] == math.inf:
            raise EvaluationError("number too large", tree[2])
        return tree[1]
    if tree[0] == "var":
        if tree[1] not in variables:
            raise EvaluationError(f"no variable {tree[1]}", tree[2])
        return float(variables[tree[1]])
    if tree[0] == "neg":
        return -compute(tree[1], variables, functions)
    if tree[0] == "call":
        return call(tree, [compute(arg, variables, functions) for arg in tree[3]], functions)
    _, op, position, left, right = tree
    a = compute(left, variables, functions)
    b = compute(right, variables, functions)
    try:
        if op == "+":
            return a + b
        if op == "-":
            return a - b
        if op == "*":
            return a * b
        if op == "/":
            return a / b
        if op == "%":
            return a % b
        return a ** b
    except ZeroDivisionError:
        raise EvaluationError("division by zero", position) from None


class Expression:
    def __init__(self, tree):
        self.tree = tree

    def variables(self):
        names = set()

        def walk(tree):
            if tree[0] == "var":
                names.add(tree[1])
            elif tree[0] == "neg":
                walk(tree[1])
            elif tree[0] == "op":
                walk(tree[3])
                walk(tree[4])
            elif tree[0] == "call":
                for arg in tree[3]:
                    walk(arg)

        walk(self.tree)
        return sorted(names)

    def evaluate(self, variables=None, functions=None):
        return compute(self.tree, variables or {}, functions or {})


def parse(text):
    return Expression(Reader(text).whole())


def evaluate(text, variables=None, functions=None):
    return parse(text).evaluate(variables, functions)
