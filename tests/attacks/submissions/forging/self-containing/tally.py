"""Answers with lists and dictionaries that contain themselves, and with nests that are very deep."""

loop = []
loop.append(loop)
ring = {}
ring["ring"] = ring
nest = []
for _ in range(100_000):
    nest = [nest]


class Tally:
    def __init__(self, limit=None):
        self.total = loop

    def add(self, number):
        return ring

    def entries(self):
        return nest

    def summary(self):
        return {"count": loop, "total": nest}
