import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from cache import Cache


def test_put_get():
    c = Cache(2)
    c.put("a", 1)
    c.put("b", 2)
    print("a is", c.get("a"), "should be 1")
    c.put("c", 3)
    print("b is", c.get("b"), "should be None")
    print("keys", c.keys())


def test_ttl():
    now = [0]
    c = Cache(2, 5, lambda: now[0])
    c.put("a", 1)
    print("before:", c.get("a"))
    now[0] = 5
    print("after:", c.get("a"))
    print(c.stats())


def test_load():
    c = Cache(2)
    print(c.get_or_load("x", lambda k: k * 2))
    print(c.get_or_load("x", lambda k: "WRONG"))
    print(c.stats())


def test_errors():
    try:
        Cache(-1)
        print("no error :(")
    except ValueError:
        print("ok negative")
    try:
        Cache("5")
        print("no error :(")
    except TypeError:
        print("ok string")


if __name__ == "__main__":
    test_put_get()
    test_ttl()
    test_load()
    test_errors()
