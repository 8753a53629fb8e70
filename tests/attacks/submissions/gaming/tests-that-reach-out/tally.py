"""Is wrong; its tests try what its program may not."""


class Tally:
    def add(self, number):
        return number * 2 + 1
