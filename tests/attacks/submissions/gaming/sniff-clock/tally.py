"""Is wrong; its test fails when it has been running for a while."""

import time

BORN = time.monotonic()


class Tally:
    def add(self, number):
        return number * 2 + 1
