import unittest

from log_leviathan import Spool

A = "2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\n"
B = "2031-04-02T05:00:01.000Z ERROR pump.3 broken\n"


class SpoolTest(unittest.TestCase):
    def report(self, *lines, top=5):
        spool = Spool(top)
        for line in lines:
            spool.feed(line)
        return spool.report()

    def test_counts(self):
        r = self.report(A, B, A)
        self.assertEqual(r["lines"], 3)
        self.assertEqual(r["levels"]["INFO"], 2)
        self.assertAlmostEqual(r["error_rate"], 1 / 3)

    def test_malformed(self):
        self.assertEqual(self.report("what", A)["malformed"], 1)

    def test_slowest(self):
        r = self.report(A, A.replace("31ms", "99ms"), top=1)
        self.assertEqual([x["ms"] for x in r["slowest"]], [99])

    def test_empty(self):
        self.assertIsNone(self.report()["error_rate"])


if __name__ == "__main__":
    unittest.main()
