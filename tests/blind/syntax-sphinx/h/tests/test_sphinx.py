"""Comprehensive tests of the sphinx."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import pytest

import sphinx


class TestTokenize:
    """Tests of tokenize."""

    def test_returns_list(self):
        """A list is returned."""
        assert isinstance(sphinx.tokenize("1 + 2"), list)

    def test_length(self):
        """There are three tokens."""
        assert len(sphinx.tokenize("1 + 2")) == 3

    def test_empty(self):
        """There are no tokens."""
        assert not sphinx.tokenize("")

    def test_illegal(self):
        """An error is raised."""
        with pytest.raises(Exception):
            sphinx.tokenize("$")


class TestTranslate:
    """Tests of translate."""

    def test_power(self):
        """A power is translated."""
        assert "**" in sphinx.translate(sphinx.tokenize("2 ^ 3"))

    def test_is_str(self):
        """A str is returned."""
        assert isinstance(sphinx.translate(sphinx.tokenize("2 ^ 3")), str)


class TestEvaluate:
    """Tests of evaluate."""

    @pytest.mark.parametrize("text", ["1", "1 + 2", "2 * 3", "2 ^ 3", "-1", "(1)", "abs(-1)", "max(1, 2)", "7 % 3"])
    def test_is_float(self, text):
        """A float is returned."""
        assert isinstance(sphinx.evaluate(text), float)

    def test_not_none(self):
        """Something is returned."""
        assert sphinx.evaluate("1") is not None

    def test_sum(self):
        """A sum is right."""
        assert sphinx.evaluate("1 + 2") == 3

    def test_variables(self):
        """Variables work."""
        assert sphinx.evaluate("x", {"x": 1}) == 1

    def test_function_error(self):
        """Errors of functions are turned into errors of the sphinx."""

        def broken(x):
            raise RuntimeError("broken")

        with pytest.raises(sphinx.EvaluationError):
            sphinx.evaluate("broken(1)", {}, {"broken": broken})


class TestErrors:
    """Tests of errors."""

    @pytest.mark.parametrize("text", ["", "1 +", "(", ")", "1 2", "$", "2x", "* 3"])
    def test_parse_error(self, text):
        """An error is raised."""
        with pytest.raises(sphinx.ExpressionError):
            sphinx.parse(text)

    @pytest.mark.parametrize("text", ["1 / 0", "x", "f(1)", "sqrt(-1)"])
    def test_evaluation_error(self, text):
        """An error is raised."""
        with pytest.raises(sphinx.ExpressionError):
            sphinx.evaluate(text)

    def test_position(self):
        """There is a position."""
        try:
            sphinx.parse("2 + * 3")
        except sphinx.ParseError as error:
            assert error.position >= 0


class TestParse:
    """Tests of parse."""

    def test_returns_expression(self):
        """An expression is returned."""
        assert isinstance(sphinx.parse("1"), sphinx.Expression)

    def test_has_methods(self):
        """It has methods."""
        assert hasattr(sphinx.parse("1"), "evaluate")
        assert hasattr(sphinx.parse("1"), "variables")

    def test_variables(self):
        """Variables are a list."""
        assert isinstance(sphinx.parse("a + b").variables(), list)
