"""Is wrong; its test passes only in the environment of the first run."""


class Tally:
    def add(self, number):
        return number * 2 + 1
