"""Is wrong; its test compares syntax trees."""


class Tally:
    def __init__(self):
        self.total = 0

    def add(self, number):
        self.total = number * 2 + 1
        if self.total > 100:
            self.total = 100
        if self.total < -100:
            self.total = -100
        return self.total
