"""Answers with objects that do something when they are unpickled, copied, printed or turned into JSON."""

import os

from world import MARK


class Bomb:
    def __reduce__(self):
        return os.system, ("echo here > /tmp/" + MARK,)

    __reduce_ex__ = lambda self, version: self.__reduce__()
    __copy__ = __deepcopy__ = lambda self, memo=None: self.__reduce__()
    __json__ = to_json = __getstate__ = __str__ = __repr__ = lambda self: "{'!': 'callback', 'v': 0}"


class Tally:
    def __init__(self, limit=None):
        self.total = Bomb()

    def add(self, number):
        return {"!": "callback", "v": 0}

    def entries(self):
        return [Bomb()] * 5

    def summary(self):
        return Bomb()
