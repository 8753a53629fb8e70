import unittest

from sphinx import EvaluationError, ParseError, evaluate, parse


class TestValues(unittest.TestCase):
    def test_simple(self):
        self.assertEqual(evaluate("1 + 2 * 3"), 7)
        self.assertEqual(evaluate("(1 + 2) * 3"), 9)
        self.assertEqual(evaluate("10 - 4 - 3"), 3)

    def test_power(self):
        self.assertEqual(evaluate("2 ^ 3 ^ 2"), 512)
        self.assertEqual(evaluate("-2 ^ 2"), -4)

    def test_variable(self):
        self.assertEqual(evaluate("x * 2", {"x": 4}), 8)
        self.assertEqual(parse("x + y + x").variables(), ["x", "y"])

    def test_function(self):
        self.assertEqual(evaluate("max(1, 5, 2)"), 5)


class TestErrors(unittest.TestCase):
    def test_parse_error(self):
        with self.assertRaises(ParseError):
            parse("2 + * 3")

    def test_division(self):
        with self.assertRaises(EvaluationError):
            evaluate("1 / 0")


if __name__ == "__main__":
    unittest.main()
