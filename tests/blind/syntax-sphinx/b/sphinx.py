"""The sphinx: arithmetic expressions, by recursive descent.

    sum     := product (('+' | '-') product)*
    product := sign (('*' | '/' | '%') sign)*
    sign    := ('-' | '+') sign | power
    power   := atom ('^' exponent)*            folded from the right
    exponent := ('-' | '+') exponent | atom
    atom    := number | name | name '(' [sum (',' sum)*] ')' | '(' sum ')'
"""

import math
import operator
import re

MAX_DEPTH = 70

SUM = {"+": operator.add, "-": operator.sub}
PRODUCT = {"*": operator.mul, "/": operator.truediv, "%": operator.mod}
SIGN = {"+": operator.pos, "-": operator.neg}
POWER = {"^": operator.pow}


class ExpressionError(ValueError):
    """An expression without a value; `position` is the index of the trouble."""

    def __init__(self, message, position):
        super().__init__("%s (at character %d)" % (message, position))
        self.position = position


class ParseError(ExpressionError):
    """The text is no expression."""


class EvaluationError(ExpressionError):
    """The expression has no value."""


class Tokens:
    """The tokens of a text, read one by one."""

    PATTERN = re.compile(
        r"[ \t\r\n]*(?:(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
        r"|(?P<name>[a-zA-Z_][a-zA-Z0-9_]*)|(?P<sign>[-+*/%^(),])|(?P<end>\Z)|(?P<stray>.))"
    )

    def __init__(self, text):
        self._text = text
        self._read(0)

    def _read(self, start):
        match = self.PATTERN.match(self._text, start)
        self.kind = match.lastgroup
        self.text = match.group(self.kind)
        self.position = match.start(self.kind)

    def take(self):
        """Go on to the next token; the text and the position of the old one."""
        taken = self.text, self.position
        self._read(self.position + len(self.text))
        return taken

    def refuse(self):
        """Raise a ParseError at the current token."""
        raise ParseError("unexpected %s" % (self.text or "end"), self.position)

    def expect(self, text):
        """Take a token that has to be there."""
        if self.text != text:
            self.refuse()
        return self.take()


class Number:
    """A literal."""

    def __init__(self, text, position):
        self._number = float(text)
        self._position = position

    def value(self, variables, functions):
        """The number itself."""
        if math.isinf(self._number):
            raise EvaluationError("too large for a float", self._position)
        return self._number


class Variable:
    """A name without parentheses."""

    def __init__(self, name, position):
        self._name = name
        self._position = position

    def value(self, variables, functions):
        """What it stands for."""
        if self._name not in variables:
            raise EvaluationError("unknown variable %s" % self._name, self._position)
        return float(variables[self._name])


class Signed:
    """A sign and its operand."""

    def __init__(self, function, operand):
        self._function = function
        self._operand = operand

    def value(self, variables, functions):
        """The operand, negated or not."""
        return self._function(self._operand.value(variables, functions))


class Operation:
    """Operands with binary operators between them, which are computed from the left."""

    def __init__(self, first, rest):
        self._first = first
        self._rest = rest

    def value(self, variables, functions):
        """The result of the last operator."""
        result = self._first.value(variables, functions)
        for function, position, operand in self._rest:
            result = compute(function, position, result, operand.value(variables, functions))
        return result


class Call:
    """A name with arguments."""

    def __init__(self, name, position, arguments):
        self._name = name
        self._position = position
        self._arguments = arguments

    def value(self, variables, functions):
        """What the function returns."""
        values = [argument.value(variables, functions) for argument in self._arguments]
        if self._name in functions:
            return float(functions[self._name](*values))
        if self._name not in BUILT_IN:
            raise EvaluationError("unknown function %s" % self._name, self._position)
        try:
            return float(BUILT_IN[self._name](*values))
        except (TypeError, ValueError) as error:
            raise EvaluationError("%s: %s" % (self._name, error), self._position) from error


def compute(function, position, left, right):
    """One operator; whatever is no finite real number is an EvaluationError."""
    try:
        result = function(left, right)
    except ArithmeticError as error:
        raise EvaluationError(str(error), position) from error
    if isinstance(result, complex) or not math.isfinite(result):
        raise EvaluationError("no finite real number", position)
    return result


def least(first, *rest):
    """min, also of one number."""
    return min((first,) + rest)


def greatest(first, *rest):
    """max, also of one number."""
    return max((first,) + rest)


BUILT_IN = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": least, "max": greatest}


class Parser:
    """One method for each row of the grammar."""

    def __init__(self, text):
        self._tokens = Tokens(text)
        self._depth = 0
        self.names = set()

    def parse(self):
        """The tree of the whole text."""
        tree = self._sum()
        self._tokens.expect("")
        return tree

    def _nested(self, row):
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ParseError("nested too deep", self._tokens.position)
        tree = row()
        self._depth -= 1
        return tree

    def _from_left(self, operators, row):
        first, rest = row(), []
        while self._tokens.text in operators:
            sign, position = self._tokens.take()
            rest.append((operators[sign], position, row()))
        return Operation(first, rest) if rest else first

    def _sum(self):
        return self._from_left(SUM, self._product)

    def _product(self):
        return self._from_left(PRODUCT, self._sign)

    def _signed(self, row, otherwise):
        if self._tokens.text in SIGN:
            sign, _ = self._tokens.take()
            return Signed(SIGN[sign], self._nested(row))
        return otherwise()

    def _sign(self):
        return self._signed(self._sign, self._power)

    def _exponent(self):
        return self._signed(self._exponent, self._atom)

    def _power(self):
        operands, signs = [self._atom()], []
        while self._tokens.text in POWER:
            signs.append(self._tokens.take())
            operands.append(self._nested(self._exponent))
            if len(signs) > MAX_DEPTH:
                self._tokens.refuse()
        tree = operands.pop()
        while signs:
            sign, position = signs.pop()
            tree = Operation(operands.pop(), [(POWER[sign], position, tree)])
        return tree

    def _atom(self):
        if self._tokens.kind == "number":
            return Number(*self._tokens.take())
        if self._tokens.kind == "name":
            return self._named(*self._tokens.take())
        self._tokens.expect("(")
        tree = self._nested(self._sum)
        self._tokens.expect(")")
        return tree

    def _named(self, name, position):
        if self._tokens.text != "(":
            self.names.add(name)
            return Variable(name, position)
        return Call(name, position, self._arguments())

    def _arguments(self):
        self._tokens.expect("(")
        arguments = []
        if self._tokens.text != ")":
            arguments.append(self._nested(self._sum))
            while self._tokens.text == ",":
                self._tokens.take()
                arguments.append(self._nested(self._sum))
        self._tokens.expect(")")
        return arguments


class Expression:
    """What parse returns."""

    def __init__(self, tree, names):
        self._tree = tree
        self._names = names

    def variables(self):
        """The names of all variables, sorted."""
        return sorted(self._names)

    def evaluate(self, variables=None, functions=None):
        """The value, a float."""
        return self._tree.value(variables or {}, functions or {})


def parse(text):
    """The expression in a text."""
    parser = Parser(text)
    return Expression(parser.parse(), parser.names)


def evaluate(text, variables=None, functions=None):
    """The value of a text."""
    return parse(text).evaluate(variables, functions)
