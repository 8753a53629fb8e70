"""A small demonstration: python -m coldstore"""

from coldstore import Cache


def main():
    """Show three entries on two places."""
    cache = Cache(2)
    for number, name in enumerate(["ice", "snow", "hail"]):
        cache.put(name, number)
    print(cache.keys(), cache.stats())


if __name__ == "__main__":
    main()
