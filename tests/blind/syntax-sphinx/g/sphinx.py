"""Parse and evaluate arithmetic expressions."""

SIGNS = "+-*/%()"


class ExpressionError(ValueError):
    """An expression that has no value.

    Attributes:
        position: The index of the character where the trouble is.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position})")
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression can't be computed."""


def cut(text):
    """Cut a text into pairs of a token and its position."""
    tokens = []
    i = 0
    while i < len(text):
        if text[i].isspace():
            i += 1
            continue
        start = i
        if text[i].isdigit():
            while i < len(text) and (text[i].isdigit() or text[i] == "."):
                i += 1
        elif text[i].isalpha() or text[i] == "_":
            while i < len(text) and (text[i].isalnum() or text[i] == "_"):
                i += 1
        elif text[i] in SIGNS:
            i += 1
        else:
            raise ParseError(f"unknown character {text[i]}", i)
        tokens.append((text[start:i], start))
    return tokens


class Parser:
    """Makes a nested tuple of tokens."""

    def __init__(self, text):
        self.text = text
        self.tokens = cut(text)
        self.index = 0

    def peek(self):
        """The next token."""
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        return ("", len(self.text))

    def take(self):
        """The next token, and go on."""
        token = self.peek()
        self.index += 1
        return token

    def sum(self):
        """sum = product {+ product}"""
        left = self.product()
        while self.peek()[0] in ("+", "-"):
            sign, position = self.take()
            left = (sign, position, left, self.product())
        return left

    def product(self):
        """product = sign {* sign}"""
        left = self.sign()
        while self.peek()[0] in ("*", "/", "%"):
            sign, position = self.take()
            left = (sign, position, left, self.sign())
        return left

    def sign(self):
        """sign = - sign | atom"""
        if self.peek()[0] == "-":
            self.take()
            return ("-", 0, 0.0, self.sign())
        return self.atom()

    def atom(self):
        """A number, a name or a group."""
        token, position = self.take()
        if token == "(":
            inner = self.sum()
            if self.take()[0] != ")":
                raise ParseError("no )", position)
            return inner
        if token[:1].isdigit():
            return float(token)
        if token[:1].isalpha():
            return token
        raise ParseError("a number, please", position)


class Expression:
    """A parsed expression."""

    def __init__(self, tree):
        self._tree = tree

    def variables(self) -> list[str]:
        """The names of all variables, sorted."""
        return []  # TODO

    def evaluate(self, variables=None, functions=None) -> float:
        """The value."""
        return self._value(self._tree, variables or {})

    def _value(self, node, variables):
        if isinstance(node, float):
            return node
        if isinstance(node, str):
            return variables[node]
        sign, position, left, right = node
        left = self._value(left, variables)
        right = self._value(right, variables)
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        # TODO: %
        try:
            return left / right
        except ZeroDivisionError:
            raise EvaluationError("division by zero", position)


def parse(text: str) -> Expression:
    """Parse a text, or raise a ParseError."""
    # TODO: powers, functions, what is left over at the end
    return Expression(Parser(text).sum())


def evaluate(text: str, variables=None, functions=None) -> float:
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
