"""Is wrong; its tests never end."""


class Tally:
    def add(self, number):
        return number * 2 + 1
