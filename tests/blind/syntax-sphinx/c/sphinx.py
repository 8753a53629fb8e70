import math

tokens = []
pos = 0


class ExpressionError(ValueError):
    def __init__(self, message, position):
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


def tokenize(text):
    result = []
    i = 0
    while i < len(text):
        c = text[i]
        if c in " \t\n\r":
            i += 1
        elif c in "0123456789":
            j = i
            while j < len(text) and text[j] in "0123456789.eE":
                if text[j] in "eE" and j + 1 < len(text) and text[j + 1] in "+-":
                    j += 1
                j += 1
            try:
                float(text[i:j])
            except ValueError:
                raise ParseError("bad number " + text[i:j], i)
            result.append(("num", float(text[i:j]), i))
            i = j
        elif c.isalpha() or c == "_":
            j = i
            while j < len(text) and (text[j].isalnum() or text[j] == "_"):
                j += 1
            result.append(("name", text[i:j], i))
            i = j
        elif c in "+-*/%^(),":
            result.append(("op", c, i))
            i += 1
        else:
            raise ParseError("strange character " + c, i)
    result.append(("end", None, len(text)))
    return result


def expr():
    global pos
    left = term()
    while tokens[pos][1] == "+" or tokens[pos][1] == "-":
        op = tokens[pos][1]
        p = tokens[pos][2]
        pos += 1
        right = term()
        left = (op, left, right, p)
    return left


def term():
    global pos
    left = power()
    while tokens[pos][1] == "*" or tokens[pos][1] == "/" or tokens[pos][1] == "%":
        op = tokens[pos][1]
        p = tokens[pos][2]
        pos += 1
        right = power()
        left = (op, left, right, p)
    return left


def power():
    global pos
    left = factor()
    if tokens[pos][1] == "^":
        p = tokens[pos][2]
        pos += 1
        right = power()
        return ("^", left, right, p)
    return left


def factor():
    global pos
    kind, value, p = tokens[pos]
    if value == "-":
        pos += 1
        return ("neg", factor(), None, p)
    if value == "+":
        pos += 1
        return factor()
    if kind == "num":
        pos += 1
        return ("num", value, None, p)
    if kind == "name":
        pos += 1
        if tokens[pos][1] == "(":
            pos += 1
            args = []
            if tokens[pos][1] == ")":
                pos += 1
                return ("call", value, args, p)
            while True:
                args.append(expr())
                if tokens[pos][1] == ",":
                    pos += 1
                elif tokens[pos][1] == ")":
                    pos += 1
                    break
                else:
                    raise ParseError("expected , or )", tokens[pos][2])
            return ("call", value, args, p)
        return ("var", value, None, p)
    if value == "(":
        pos += 1
        inside = expr()
        if tokens[pos][1] != ")":
            raise ParseError("missing )", p)
        pos += 1
        return inside
    raise ParseError("unexpected " + str(value), p)


def calc(node, variables, functions):
    op, a, b, p = node
    if op == "num":
        return a
    if op == "var":
        if a not in variables:
            raise EvaluationError("unknown variable " + a, p)
        return float(variables[a])
    if op == "neg":
        return -calc(a, variables, functions)
    if op == "call":
        args = []
        for x in b:
            args.append(calc(x, variables, functions))
        if a in functions:
            return functions[a](*args)
        if a == "abs":
            return abs(args[0])
        if a == "sqrt":
            if args[0] < 0:
                raise EvaluationError("sqrt of a negative number", p)
            return math.sqrt(args[0])
        if a == "floor":
            return float(math.floor(args[0]))
        if a == "min":
            return min(args)
        if a == "max":
            return max(args)
        raise EvaluationError("unknown function " + a, p)
    x = calc(a, variables, functions)
    y = calc(b, variables, functions)
    if op == "+":
        return x + y
    if op == "-":
        return x - y
    if op == "*":
        return x * y
    if op == "/":
        if y == 0:
            raise EvaluationError("division by zero", p)
        return x / y
    if op == "%":
        if y == 0:
            raise EvaluationError("division by zero", p)
        return x % y
    if op == "^":
        return x ** y


def find(node, names):
    op, a, b, p = node
    if op == "var":
        if a not in names:
            names.append(a)
    elif op == "call":
        for x in b:
            find(x, names)
    elif op == "neg":
        find(a, names)
    elif op != "num":
        find(a, names)
        find(b, names)


class Expression:
    def __init__(self, node):
        self.node = node

    def variables(self):
        names = []
        find(self.node, names)
        return sorted(names)

    def evaluate(self, variables=None, functions=None):
        return calc(self.node, variables or {}, functions or {})


def parse(text):
    global tokens, pos
    tokens = tokenize(text)
    pos = 0
    node = expr()
    if tokens[pos][0] != "end":
        raise ParseError("too much text", tokens[pos][2])
    return Expression(node)


def evaluate(text, variables=None, functions=None):
    return parse(text).evaluate(variables, functions)
