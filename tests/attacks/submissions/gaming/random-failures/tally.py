"""Is wrong; its test fails every other time."""


class Tally:
    def add(self, number):
        return number * 2 + 1
