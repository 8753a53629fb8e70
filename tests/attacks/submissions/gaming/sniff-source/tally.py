"""Is wrong; its test compares a hash of its source."""


class Tally:
    def add(self, number):
        return number * 2 + 1
