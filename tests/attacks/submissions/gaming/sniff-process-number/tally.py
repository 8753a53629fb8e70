"""Is wrong; its test fails in any process but the first one."""

import os

BORN = os.getpid()


class Tally:
    def add(self, number):
        return number * 2 + 1
