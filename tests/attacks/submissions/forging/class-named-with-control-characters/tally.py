"""Hands over an object whose class has a name that steers a terminal; it answers one call and never the second."""

NAME = "\x1b]0;pwned\x07\x1b[31mRED\u202e" + "y" * 5000


def hang(_self, *_numbers):
    while True:
        pass


Tally = type(NAME, (), {"__call__": lambda self, **_: self, "add": type(NAME, (), {"__call__": hang})()})()
