"""Is wrong; its tests take memory."""


class Tally:
    def add(self, number):
        return number * 2 + 1
