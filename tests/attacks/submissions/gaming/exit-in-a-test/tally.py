"""Is wrong; its tests end the process before one can fail."""


class Tally:
    def add(self, number):
        return number * 2 + 1
