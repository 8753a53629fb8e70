"""
sphinx - a library for arithmetic expressions
=============================================

This module implements a small calculator language. It is made of three layers:

1. The *lexer* (:func:`tokenize`), which turns a text into a list of tokens. A token is
   a tuple of its kind, its text and the index at which it begins.
2. The *parser* (:class:`Parser`), a classic recursive descent parser with one method
   for each level of precedence. It builds a tree out of tuples.
3. The *evaluator* (:class:`Expression`), which walks along the tree and computes.

Usage
-----

    >>> evaluate("1 + 2 * x", {"x": 4})
    9.0
"""

import math
import re


class ExpressionError(ValueError):
    """
    Base class of all errors of this module.

    Parameters
    ----------
    message : str
        What went wrong, for humans.
    position : int
        The index of the character in the text where the trouble is.
    """

    def __init__(self, message, position):
        super().__init__("%s (at character %d)" % (message, position))
        self.position = position


class ParseError(ExpressionError):
    """Raised by :func:`parse` if the text is no valid expression."""


class EvaluationError(ExpressionError):
    """Raised by :meth:`Expression.evaluate` if there is no value."""


TOKEN = re.compile(r"(?P<number>\d+(\.\d+)?([eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/%^(),])|(?P<blank>\s+)")


def tokenize(text):
    """
    Cut a text into tokens.

    Parameters
    ----------
    text : str
        The text to be cut.

    Returns
    -------
    list of tuple
        Tuples (kind, text, position). The last one is always of the kind "end".

    Raises
    ------
    ParseError
        If there is a character that begins no token.
    """
    tokens = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ParseError("unexpected character %r" % text[position], position)
        if match.lastgroup != "blank":
            tokens.append((match.lastgroup, match.group(), position))
        position = match.end()
    tokens.append(("end", "", len(text)))
    return tokens


class Parser:
    """
    A recursive descent parser.

    Each of the methods sum, product, sign, power and atom reads one level of precedence
    and returns a node, that is a tuple whose first element says what kind it is.
    """

    def __init__(self, text):
        """Cut the text and begin at its first token."""
        self.tokens = tokenize(text)
        self.index = 0

    def current(self):
        """Return the token that is next, without taking it."""
        return self.tokens[self.index]

    def advance(self):
        """Take the next token and return it."""
        token = self.tokens[self.index]
        self.index += 1
        return token

    def fail(self):
        """Raise a ParseError for the next token."""
        kind, text, position = self.current()
        if kind == "end":
            raise ParseError("unexpected end", position)
        raise ParseError("unexpected %r" % text, position)

    def parse(self):
        """
        Parse the whole text.

        Returns
        -------
        tuple
            The root of the tree.
        """
        try:
            node = self.sum()
            if self.current()[0] != "end":
                self.fail()
            return node
        except ParseError:
            raise
        except Exception as error:
            raise ParseError("the text can't be parsed: %s" % error, self.current()[2])

    def sum(self):
        """Read terms that are added or subtracted, from left to right."""
        node = self.product()
        while self.current()[1] in ("+", "-"):
            _, sign, position = self.advance()
            node = ("binary", sign, position, node, self.product())
        return node

    def product(self):
        """Read factors that are multiplied or divided, from left to right."""
        node = self.sign()
        while self.current()[1] in ("*", "/", "%"):
            _, sign, position = self.advance()
            node = ("binary", sign, position, node, self.sign())
        return node

    def sign(self):
        """Read a sign and what it belongs to, or a power."""
        if self.current()[1] in ("+", "-"):
            _, sign, position = self.advance()
            return ("unary", sign, position, self.sign())
        return self.power()

    def power(self):
        """Read a power, from right to left."""
        base = self.atom()
        if self.current()[1] == "^":
            _, sign, position = self.advance()
            return ("binary", sign, position, base, self.sign())
        return base

    def atom(self):
        """Read a number, a name, a call or something in parentheses."""
        kind, text, position = self.current()
        if kind == "number":
            self.advance()
            return ("number", float(text), position)
        if kind == "name":
            self.advance()
            if self.current()[1] == "(":
                return ("call", text, position, self.arguments())
            return ("name", text, position)
        if text == "(":
            self.advance()
            node = self.sum()
            self.expect(")")
            return node
        self.fail()

    def arguments(self):
        """Read the arguments of a call, with both parentheses."""
        self.expect("(")
        nodes = []
        if self.current()[1] != ")":
            nodes.append(self.sum())
            while self.current()[1] == ",":
                self.advance()
                nodes.append(self.sum())
        self.expect(")")
        return nodes

    def expect(self, sign):
        """Take the next token if it is that sign, or fail."""
        if self.current()[1] != sign:
            self.fail()
        self.advance()


class Expression:
    """
    A parsed expression, which can be evaluated as often as one likes.

    Parameters
    ----------
    root : tuple
        The root of the tree that the parser made.
    """

    BUILTIN = {
        "abs": lambda x: abs(x),
        "sqrt": lambda x: math.sqrt(x),
        "floor": lambda x: float(math.floor(x)),
        "min": lambda *xs: min(xs),
        "max": lambda *xs: max(xs),
    }

    def __init__(self, root):
        """Keep the root of the tree."""
        self.root = root

    def variables(self):
        """
        Find all variables.

        Returns
        -------
        list of str
            The names of all variables in the expression, sorted, each once.
        """
        found = set()
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node[0] == "name":
                found.add(node[1])
            elif node[0] == "binary":
                stack.extend(node[3:])
            elif node[0] == "unary":
                stack.append(node[3])
            elif node[0] == "call":
                stack.extend(node[3])
        return sorted(found)

    def evaluate(self, variables=None, functions=None):
        """
        Compute the value.

        Parameters
        ----------
        variables : dict, optional
            From names to numbers.
        functions : dict, optional
            From names to callables. They come before the functions that are always there.

        Returns
        -------
        float
            The value of the expression.

        Raises
        ------
        EvaluationError
            If the value can't be computed.
        """
        functions = {**self.BUILTIN, **(functions or {})}
        try:
            return float(self.compute(self.root, variables or {}, functions))
        except EvaluationError:
            raise
        except Exception as error:
            raise EvaluationError("can't be evaluated: %s" % error, 0)

    def compute(self, node, variables, functions):
        """
        Compute the value of one node.

        Any exception that happens on the way is turned into an EvaluationError with the
        position of the node.
        """
        kind = node[0]
        if kind == "number":
            return node[1]
        if kind == "name":
            try:
                return float(variables[node[1]])
            except Exception:
                raise EvaluationError("no variable %r" % node[1], node[2])
        if kind == "unary":
            value = self.compute(node[3], variables, functions)
            return -value if node[1] == "-" else value
        if kind == "call":
            values = [self.compute(each, variables, functions) for each in node[3]]
            try:
                return float(functions[node[1]](*values))
            except Exception as error:
                raise EvaluationError("call of %r failed: %s" % (node[1], error), node[2])
        left = self.compute(node[3], variables, functions)
        right = self.compute(node[4], variables, functions)
        try:
            value = self.operate(node[1], left, right)
            if math.isinf(value) or math.isnan(value):
                raise ValueError("no finite number")
            return value
        except Exception as error:
            raise EvaluationError("%r failed: %s" % (node[1], error), node[2])

    def operate(self, sign, left, right):
        """Apply one of the operators + - * / % ^ to two floats."""
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        if sign == "/":
            return left / right
        if sign == "%":
            return left % right
        if sign == "^":
            return left ** right


def parse(text):
    """
    Parse a text.

    Parameters
    ----------
    text : str
        An arithmetic expression.

    Returns
    -------
    Expression
        The parsed expression.

    Raises
    ------
    ParseError
        If the text is no valid expression.
    """
    return Expression(Parser(text).parse())


def evaluate(text, variables=None, functions=None):
    """
    Parse and evaluate a text in one go. See :func:`parse` and :meth:`Expression.evaluate`.

    Returns
    -------
    float
        The value of the expression.
    """
    return parse(text).evaluate(variables, functions)
