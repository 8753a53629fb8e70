import unittest

import sphinx


class ValueTest(unittest.TestCase):
    def check(self, cases, variables=None, functions=None):
        for text, value in cases.items():
            with self.subTest(text):
                self.assertEqual(value, sphinx.evaluate(text, variables, functions))

    def test_sums_and_products(self):
        self.check({"2 + 3 * 4": 14, "10 - 4 - 3": 3, "12 / 3 * 2": 8, "(2 + 3) * 4": 20, "7 % 4 % 2": 1, "2-1": 1})

    def test_signs(self):
        self.check({"--2": 2, "2 * -3": -6, "-7 % 3": 2, "+-+2": -2, "1 - -1": 2})

    def test_powers(self):
        self.check({"2 ^ 3 ^ 2": 512, "-2 ^ 2": -4, "2 ^ -1": 0.5, "2 * 3 ^ 2": 18, "2 ^ --1": 2, "(-2) ^ 2": 4})

    def test_numbers(self):
        self.check({"007": 7, "2.5": 2.5, "1e3": 1000, "1.5E-3": 0.0015, " 1\t+\n1 ": 2})

    def test_names(self):
        self.check({"x * X": 6, "abs(-1) + abs": 12, "_a1": 5}, {"x": 2, "X": 3, "abs": 11, "_a1": 5})

    def test_functions(self):
        self.check({"sqrt(16)": 4, "floor(2.5)": 2, "min(2, 1)": 1, "max(2)": 2, "max(1, min(2, 3))": 2})
        self.check({"f(1, 2) + g()": 33, "abs(1)": 7}, None, {"f": lambda a, b: 3.0, "g": lambda: 30.0, "abs": lambda x: 7.0})

    def test_variables(self):
        self.assertEqual(["B", "a", "b"], sphinx.parse("b + a * b + f(B)").variables())

    def test_again(self):
        expression = sphinx.parse("2 * x")
        self.assertEqual([2, 4], [expression.evaluate({"x": 1}), expression.evaluate({"x": 2})])

    def test_long(self):
        self.assertEqual(5000, sphinx.evaluate("+".join("1" * 5000)))


class ErrorTest(unittest.TestCase):
    def check(self, error, cases):
        for text, position in cases.items():
            with self.subTest(text), self.assertRaises(error) as caught:
                sphinx.evaluate(text)
            self.assertEqual(position, caught.exception.position, text)

    def test_parse_errors(self):
        cases = {"2 + * 3": 4, "2 3 $": 2, "(1 + 2": 6, "f(1,)": 4, "1)": 1, "2 + ": 4, "1.2.3": 3, "2x": 1, "": 0, ".5": 0}
        self.check(sphinx.ParseError, cases)
        self.check(sphinx.ParseError, {"1e": 1, "5.": 1, "()": 1, "(1, 2)": 2, "2(3)": 1, "f(,)": 2, "1 ** 2": 3})

    def test_evaluation_errors(self):
        self.check(sphinx.EvaluationError, {"1 / 0": 2, "1 % 0": 2, "0 ^ -1": 2, "(-8) ^ 0.5": 5, "1e300 * 1e300": 6})
        self.check(sphinx.EvaluationError, {"1 + 1e999": 4, "x": 0, "1 + f(x)": 6, "f(1)": 0, "1 + sqrt(-1)": 4, "min()": 0})

    def test_the_first_trouble(self):
        self.check(sphinx.EvaluationError, {"1 / 0 + x": 2, "x + 1 / 0": 0, "f(1 / 0)": 4, "x ^ y": 0})

    def test_deep(self):
        for before, after in [("(", ")"), ("-", ""), ("2 ^ ", ""), ("f(", ")")]:
            with self.subTest(before), self.assertRaises(sphinx.ExpressionError):
                sphinx.evaluate(before * 10000 + "1" + after * 10000)

    def test_functions_may_raise(self):
        def trouble():
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            sphinx.evaluate("trouble()", {}, {"trouble": trouble})


if __name__ == "__main__":
    unittest.main()
