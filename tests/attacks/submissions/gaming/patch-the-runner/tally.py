"""Is wrong; its tests rule the runner they run in."""


class Tally:
    def add(self, number):
        return number * 2 + 1
