import unittest

from furnace.controller import Controller, Decision


class ControllerTest(unittest.TestCase):
    def test_band_includes_its_edges(self):
        controller = Controller(target=20, tolerance=2)
        cases = [
            (17.9, Decision.HEAT),
            (18, Decision.STABLE),
            (20, Decision.STABLE),
            (22, Decision.STABLE),
            (22.1, Decision.COOL),
        ]
        for average, decision in cases:
            with self.subTest(average=average):
                self.assertIs(controller.decide([average]), decision)

    def test_all_readings_count(self):
        self.assertIs(Controller(25, 0).decide([10, 20, 30, 40]), Decision.STABLE)
        self.assertIs(Controller(25, 0).decide([10, 20, 30, 41]), Decision.COOL)
        self.assertIs(Controller(25, 0).decide([9, 20, 30, 40]), Decision.HEAT)

    def test_below_zero(self):
        controller = Controller(-20, 2.5)
        self.assertIs(controller.decide([-22.6]), Decision.HEAT)
        self.assertIs(controller.decide([-22.5]), Decision.STABLE)
        self.assertIs(controller.decide([-17.4]), Decision.COOL)

    def test_tolerance_is_one_degree_by_default(self):
        self.assertEqual((Controller(50).lower, Controller(50).upper), (49, 51))

    def test_exit_statuses(self):
        self.assertEqual([d.value for d in (Decision.STABLE, Decision.HEAT, Decision.COOL)], [0, 10, 11])


if __name__ == "__main__":
    unittest.main()
