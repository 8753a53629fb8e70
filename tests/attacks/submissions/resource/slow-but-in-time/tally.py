"""Takes more than half of the time limit for each call, and each trial makes many calls."""

import time


class Tally:
    def __init__(self, limit=None):
        self.total = 0

    def add(self, number):
        time.sleep(0.3)
        return 0

    def entries(self):
        time.sleep(0.3)

    def __iter__(self):
        while True:
            time.sleep(0.3)
            yield 0
