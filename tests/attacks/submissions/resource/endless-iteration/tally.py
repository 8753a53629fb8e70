"""Every single step is quick, but there is no last one."""


class Tally:
    def __init__(self, limit=None):
        self.total = 0

    def add(self, number):
        return self

    def __iter__(self):
        while True:
            yield 0
