"""Is wrong; its test passes only if it is started as the first run is."""


class Tally:
    def add(self, number):
        return number * 2 + 1
