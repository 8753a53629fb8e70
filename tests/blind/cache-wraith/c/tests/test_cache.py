import time

from cache import Cache


def test_cache():
    c = Cache(2)
    c.put("a", 1)
    c.put("b", 2)
    print("should be 1:", c.get("a"))
    c.put("c", 3)
    print("should be None:", c.get("b"))
    print("should be ['a', 'c']:", c.keys())
    print(c.stats())


def test_ttl():
    c = Cache(2, ttl=0.2)
    c.put("a", 1)
    print("should be True:", "a" in c)
    time.sleep(0.3)
    print("should be False:", "a" in c)
    print(len(c))


if __name__ == "__main__":
    test_cache()
    test_ttl()
