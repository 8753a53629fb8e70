import os
import tempfile
import unittest

from titan import CycleError, Titan


class TitanTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.dir.name, "j")

    def tearDown(self):
        self.dir.cleanup()

    def test_add_and_take(self):
        t = Titan(self.path)
        self.assertEqual(t.add([{"id": "a"}, {"id": "b", "after": ["a"]}]), 2)
        self.assertEqual(t.take(1), ("a", 1))
        self.assertIsNone(t.take(1))
        self.assertTrue(t.done("a", 1, 2))
        self.assertEqual(t.take(3), ("b", 1))

    def test_reopen(self):
        Titan(self.path).add([{"id": "a"}])
        self.assertEqual(Titan(self.path).status(0)["counts"]["ready"], 1)

    def test_cycle(self):
        with self.assertRaises(CycleError):
            Titan(self.path).add([{"id": "a", "after": ["a"]}])


if __name__ == "__main__":
    unittest.main()
