import unittest

from log_leviathan import Leviathan


class LeviathanTest(unittest.TestCase):
    def setUp(self):
        self.leviathan = Leviathan()

    def test_time(self):
        self.assertTrue(self.leviathan.is_time("2031-04-02T05:00:00.125Z"))
        self.assertFalse(self.leviathan.is_time("yesterday"))

    def test_slowest(self):
        self.leviathan.requests = [{"ms": 3}, {"ms": 9}]
        self.assertEqual(self.leviathan.slowest(1), [{"ms": 9}])
