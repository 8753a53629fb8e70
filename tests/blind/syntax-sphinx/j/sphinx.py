import math


class ExpressionError(ValueError):
    """Wrong expression."""

    def __init__(self, message, position):
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


class Parser:
    """Reads characters and builds nested lists: [kind, position, ...]."""

    def __init__(self, text):
        self.text = text
        self.i = 0
        self.names = set()

    def skip(self):
        while self.i < len(self.text) and self.text[self.i] in " \t\r\n":
            self.i += 1

    def peek(self):
        self.skip()
        if self.i < len(self.text):
            return self.text[self.i]
        return ""

    def fail(self):
        self.skip()
        raise ParseError("can't read this", self.i)

    def digits(self):
        start = self.i
        while self.i < len(self.text) and self.text[self.i] in "0123456789":
            self.i += 1
        return self.i > start

    def parse(self):
        node = self.sum()
        if self.peek() != "":
            self.fail()
        return node

    def sum(self):
        node = self.product()
        while self.peek() and self.peek() in "+-":
            op, at = self.peek(), self.i
            self.i += 1
            node = [op, at, node, self.product()]
        return node

    def product(self):
        node = self.sign()
        while self.peek() and self.peek() in "*/%":
            op, at = self.peek(), self.i
            self.i += 1
            node = [op, at, node, self.sign()]
        return node

    def sign(self):
        c = self.peek()
        if c == "-":
            at = self.i
            self.i += 1
            return ["neg", at, self.sign()]
        if c == "+":
            self.i += 1
            return self.sign()
        return self.power()

    def power(self):
        node = self.atom()
        if self.peek() == "^":
            at = self.i
            self.i += 1
            node = ["^", at, node, self.sign()]
        return node

    def atom(self):
        c = self.peek()
        start = self.i
        if c == "(":
            self.i += 1
            node = self.sum()
            if self.peek() != ")":
                self.fail()
            self.i += 1
            return node
        if c and c in "0123456789":
            self.digits()
            end = self.i
            if self.text[self.i : self.i + 1] == ".":
                self.i += 1
                if self.digits():
                    end = self.i
                self.i = end
            if self.text[self.i : self.i + 1] in ("e", "E"):
                self.i += 1
                if self.text[self.i : self.i + 1] in ("+", "-"):
                    self.i += 1
                if self.digits():
                    end = self.i
                self.i = end
            return ["number", start, float(self.text[start : self.i])]
        if c == "_" or (c.isascii() and c.isalpha()):
            while self.i < len(self.text) and (
                self.text[self.i] == "_" or (self.text[self.i].isascii() and self.text[self.i].isalnum())
            ):
                self.i += 1
            name = self.text[start : self.i]
            if self.peek() != "(":
                self.names.add(name)
                return ["variable", start, name]
            self.i += 1
            args = []
            if self.peek() == ")":
                self.i += 1
                return ["call", start, name, args]
            args.append(self.sum())
            while self.peek() == ",":
                self.i += 1
                args.append(self.sum())
            if self.peek() != ")":
                self.fail()
            self.i += 1
            return ["call", start, name, args]
        self.fail()


class Expression:
    """A tree that was parsed."""

    def __init__(self, tree, names):
        self.tree = tree
        self.names = names

    def variables(self):
        """Sorted names."""
        return sorted(self.names)

    def evaluate(self, variables=None, functions=None):
        """The value."""
        return self.value(self.tree, variables or {}, functions or {})

    def value(self, node, variables, functions):
        kind, at = node[0], node[1]
        if kind == "number":
            return node[2]
        if kind == "variable":
            if node[2] not in variables:
                raise EvaluationError("unknown variable", at)
            return variables[node[2]]
        if kind == "neg":
            return -self.value(node[2], variables, functions)
        if kind == "call":
            args = [self.value(a, variables, functions) for a in node[3]]
            return self.call(node[2], at, args, functions)
        left = self.value(node[2], variables, functions)
        right = self.value(node[3], variables, functions)
        try:
            if kind == "+":
                result = left + right
            elif kind == "-":
                result = left - right
            elif kind == "*":
                result = left * right
            elif kind == "/":
                result = left / right
            elif kind == "%":
                result = left % right
            else:
                result = left**right
        except ZeroDivisionError:
            raise EvaluationError("division by zero", at)
        if isinstance(result, complex):
            raise EvaluationError("not real", at)
        if result in (math.inf, -math.inf):
            raise EvaluationError("too large", at)
        return float(result)

    def call(self, name, at, args, functions):
        if name in functions:
            return functions[name](*args)
        if name in ("abs", "sqrt", "floor"):
            if len(args) != 1:
                raise EvaluationError("one argument expected", at)
            if name == "abs":
                return abs(args[0])
            if name == "floor":
                return float(math.floor(args[0]))
            if args[0] < 0:
                raise EvaluationError("negative root", at)
            return math.sqrt(args[0])
        if name == "min":
            if not args:
                raise EvaluationError("arguments expected", at)
            return min(args)
        if name == "max":
            if not args:
                raise EvaluationError("arguments expected", at)
            return max(args)
        raise EvaluationError("unknown function", at)


def parse(text):
    """Parse a text."""
    parser = Parser(text)
    tree = parser.parse()
    return Expression(tree, parser.names)


def evaluate(text, variables=None, functions=None):
    """Parse and evaluate a text."""
    return parse(text).evaluate(variables, functions)
