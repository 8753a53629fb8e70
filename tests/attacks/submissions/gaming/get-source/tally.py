"""Is wrong; its test reads the source of the function it calls."""


class Tally:
    def add(self, number):
        return number * 2 + 1
