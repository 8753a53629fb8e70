"""
The Syntax Sphinx
=================

This module contains a robust and secure evaluator for arithmetic expressions. It supports addition, subtraction,
multiplication, division, modulo, powers, signs, parentheses, variables and function calls.

The text is first validated by a strict whitelist of tokens (see `tokenize`), so nothing dangerous can get through.
After that each token is translated (see `translate`) and the result is handed to Python's own, battle-tested machinery
in an empty namespace.
"""

import math
import re


class ExpressionError(ValueError):
    """
    The base class of all errors of this module.

    Attributes
    ----------
    position : int
        The index of the character at which the trouble is, counted from zero.
    """

    def __init__(self, message, position):
        """
        Create the error.

        Parameters
        ----------
        message : str
            What happened.
        position : int
            Where it happened.
        """
        super().__init__(message)
        self.position = position


class ParseError(ExpressionError):
    """
    Raised if the text can't be parsed.

    See Also
    --------
    EvaluationError : Raised if the text can be parsed, but has no value.
    """


class EvaluationError(ExpressionError):
    """
    Raised if an expression can't be evaluated.

    See Also
    --------
    ParseError : Raised if the text can't even be parsed.
    """


TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/%^(),]))")


def tokenize(text):
    """
    Cut a text into tokens.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    list
        Triples of kind ("number", "name" or "sign"), text, and position.

    Raises
    ------
    ParseError
        If there is a character which is not allowed.
    """
    tokens = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = TOKEN.match(text, position)
        if not match:
            while text[position].isspace():
                position += 1
            raise ParseError("illegal character", position)
        kind = ("number", "name", "sign")[match.lastindex - 1]
        tokens.append((kind, match.group(match.lastindex), match.start(match.lastindex)))
        position = match.end()
    return tokens


def check(tokens, text):
    """
    Check that operands and operators alternate, so that Python's syntax can't be misused.

    Parameters
    ----------
    tokens : list
        The tokens, see `tokenize`.
    text : str
        The text they come from.

    Raises
    ------
    ParseError
        At the first token which can't stand where it stands.
    """
    operand_expected = True
    open_parentheses = 0
    for index, (kind, token, position) in enumerate(tokens):
        if kind in ("number", "name"):
            if not operand_expected:
                raise ParseError("operator expected", position)
            operand_expected = False
        elif token == "(":
            if not operand_expected and tokens[index - 1][0] != "name":
                raise ParseError("operator expected", position)
            open_parentheses += 1
            operand_expected = True
        elif token == ")":
            open_parentheses -= 1
            empty_call = index > 1 and tokens[index - 1][1] == "(" and tokens[index - 2][0] == "name"
            if open_parentheses < 0 or (operand_expected and not empty_call):
                raise ParseError("unexpected )", position)
            operand_expected = False
        elif token in "+-":
            operand_expected = True
        else:
            if operand_expected:
                raise ParseError("operand expected", position)
            operand_expected = True
    if operand_expected or open_parentheses:
        raise ParseError("unexpected end", len(text))


def translate(tokens):
    """
    Translate tokens to Python.

    Numbers become floats, variables become look-ups in the dict `v`, functions look-ups in the dict `f`, and `^` becomes
    `**`, which has the very same precedence and associativity.

    Parameters
    ----------
    tokens : list
        The tokens, see `tokenize`.

    Returns
    -------
    str
        An expression in Python.
    """
    parts = []
    for index, (kind, token, _) in enumerate(tokens):
        if kind == "number":
            parts.append(f"n({token!r})")
        elif kind == "name":
            is_call = index + 1 < len(tokens) and tokens[index + 1][1] == "("
            parts.append(f"{'f' if is_call else 'v'}[{token!r}]")
        elif token == "^":
            parts.append("**")
        else:
            parts.append(token)
    return " ".join(parts)


def _minimum(*numbers):
    """
    The least of some numbers.
    """
    return min(numbers)


def _maximum(*numbers):
    """
    The greatest of some numbers.
    """
    return max(numbers)


DEFAULT_FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "floor": math.floor, "min": _minimum, "max": _maximum}


class Expression:
    """
    A parsed expression, ready to be evaluated as often as one likes.
    """

    def __init__(self, text):
        """
        Parse a text.

        Parameters
        ----------
        text : str
            The text.

        Raises
        ------
        ParseError
            If the text is no expression.
        """
        self.tokens = tokenize(text)
        check(self.tokens, text)
        try:
            self.code = compile(translate(self.tokens), "<sphinx>", "eval")
        except Exception as error:
            raise ParseError(str(error), 0)

    def variables(self):
        """
        The names of all variables.

        Returns
        -------
        list
            The names, sorted, each once.
        """
        names = set()
        for index, (kind, token, _) in enumerate(self.tokens):
            if kind == "name" and (index + 1 == len(self.tokens) or self.tokens[index + 1][1] != "("):
                names.add(token)
        return sorted(names)

    def evaluate(self, variables=None, functions=None):
        """
        Evaluate the expression.

        Parameters
        ----------
        variables : dict, optional
            The values of the variables.
        functions : dict, optional
            Functions beside, or instead of, the default ones.

        Returns
        -------
        float
            The value.

        Raises
        ------
        EvaluationError
            If something goes wrong, whatever it is.
        """
        names = {
            "__builtins__": {},
            "n": float,
            "v": dict(variables or {}),
            "f": {**DEFAULT_FUNCTIONS, **(functions or {})},
        }
        try:
            result = float(eval(self.code, names))
            if math.isnan(result) or math.isinf(result):
                raise ValueError("not a finite number")
            return result
        except KeyError as error:
            name = error.args[0]
            for _, token, position in self.tokens:
                if token == name:
                    raise EvaluationError(f"unknown name {name}", position)
        except Exception as error:
            for _, token, position in self.tokens:
                if token in ("/", "%", "^"):
                    raise EvaluationError(str(error), position)
            raise EvaluationError(str(error), 0)


def parse(text):
    """
    Parse a text.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    Expression
        The parsed expression.
    """
    return Expression(text)


def evaluate(text, variables=None, functions=None):
    """
    Parse and evaluate a text.

    Parameters
    ----------
    text : str
        The text.
    variables : dict, optional
        The values of the variables.
    functions : dict, optional
        Functions.

    Returns
    -------
    float
        The value.
    """
    return parse(text).evaluate(variables, functions)
