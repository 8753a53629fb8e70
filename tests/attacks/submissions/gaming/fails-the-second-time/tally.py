"""Is wrong; its test passes the first time and fails ever after."""


class Tally:
    def add(self, number):
        return number * 2 + 1
