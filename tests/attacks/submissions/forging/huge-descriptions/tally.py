"""Answers with objects whose description never ends, or takes the process along."""

import os


class Long:
    def __repr__(self):
        return "x" * 4_000_000

    __str__ = __repr__


class Deadly:
    def __repr__(self):
        os._exit(0)

    __str__ = __hash__ = __len__ = __repr__


class Tally:
    def __init__(self, limit=None):
        self.total = Deadly()

    def add(self, number):
        return {Long()} if number else Deadly()

    def entries(self):
        return {Long(): Deadly()}
