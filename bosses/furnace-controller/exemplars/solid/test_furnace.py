import unittest

from thermostat import average, choose_action


class TestThermostat(unittest.TestCase):
    def test_average(self):
        self.assertEqual(average([1, 2, 6]), 3)

    def test_heat(self):
        self.assertEqual(choose_action([10, 12], 20, 1), "HEAT")

    def test_cool(self):
        self.assertEqual(choose_action([30, 31], 20, 1), "COOL")

    def test_stable(self):
        self.assertEqual(choose_action([20, 20.5], 20, 1), "STABLE")

    def test_edge(self):
        self.assertEqual(choose_action([19], 20, 1), "STABLE")


if __name__ == "__main__":
    unittest.main()
