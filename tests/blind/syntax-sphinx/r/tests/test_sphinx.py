"""
Tests of the sphinx module.

Each area of the contract has a class of its own.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest

import sphinx


class TestNumbers:
    """Numbers in all their forms."""

    @pytest.mark.parametrize("text", ["7", "007", "2.5", "1e3", "1.5E-3", "0"])
    def test_number_is_a_float(self, text):
        """The value of a number is a float."""
        assert isinstance(sphinx.evaluate(text), float)

    @pytest.mark.parametrize("text", [".5", "5.", "1.2.3", "2x"])
    def test_not_a_number(self, text):
        """What is no number is refused."""
        with pytest.raises(ValueError):
            sphinx.evaluate(text)


class TestOperators:
    """All the operators."""

    @pytest.mark.parametrize("sign", ["+", "-", "*", "/", "%", "^"])
    def test_operator_gives_a_float(self, sign):
        """Each operator can be used."""
        assert isinstance(sphinx.evaluate("6 %s 4" % sign), float)

    def test_addition(self):
        """Two and two."""
        assert sphinx.evaluate("2 + 2") == 4

    def test_precedence(self):
        """Products come before sums."""
        assert sphinx.evaluate("2 + 3 * x", {"x": 4}) == 14

    @pytest.mark.parametrize("text", ["-1", "--1", "+1", "2 * -3", "-2 ^ 2", "2 ^ -1"])
    def test_signs(self, text):
        """Signs are accepted everywhere."""
        assert sphinx.evaluate(text) is not None


class TestFunctions:
    """The functions that are always there, and others."""

    @pytest.mark.parametrize("text", ["abs(-1)", "sqrt(4)", "floor(2.5)", "min(1, 2)", "max(1, 2)"])
    def test_builtin(self, text):
        """Each builtin function returns a positive number."""
        assert sphinx.evaluate(text) > 0

    def test_custom(self):
        """A function can be handed in."""
        assert sphinx.evaluate("twice(4)", functions={"twice": lambda x: 2 * x}) == 8


class TestVariables:
    """The list of variables."""

    def test_variables(self):
        """A list is returned."""
        assert isinstance(sphinx.parse("a + b").variables(), list)

    def test_number_of_variables(self):
        """Each one is in it."""
        assert len(sphinx.parse("a + b * c").variables()) == 3


class TestErrors:
    """Errors of both kinds."""

    @pytest.mark.parametrize("text", ["", "2 +", "(1", "1)", "2 3", "f(1,)", "$", "2 + * 3"])
    def test_parse_error(self, text):
        """Bad texts raise a ParseError with a position."""
        with pytest.raises(sphinx.ParseError) as caught:
            sphinx.parse(text)
        assert caught.value.position >= 0

    @pytest.mark.parametrize("text", ["x", "1 / 0", "1 % 0", "0 ^ -1", "sqrt(-1)", "nope(1)"])
    def test_evaluation_error(self, text):
        """What can't be computed raises an EvaluationError with a position."""
        with pytest.raises(sphinx.EvaluationError) as caught:
            sphinx.evaluate(text)
        assert isinstance(caught.value.position, int)

    def test_hierarchy(self):
        """All errors are ValueErrors."""
        assert issubclass(sphinx.ExpressionError, ValueError)
