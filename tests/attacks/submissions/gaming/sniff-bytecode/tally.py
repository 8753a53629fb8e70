"""Is wrong; its test knows the code it has in memory by heart."""


class Tally:
    def add(self, number):
        return number * 2 + 1
