"""Counts whole numbers."""

import argparse
import json
from pathlib import Path


class Tally:
    """A running total that may have a limit."""

    def __init__(self, limit=None):
        self.limit = limit
        self.total = 0
        self._entries = []

    def add(self, number):
        """Add a number and return the total so far."""
        if number < 0:
            raise ValueError("only numbers from 0 up are counted")
        if self.limit is not None and self.total + number > self.limit:
            raise OverflowError("the limit would be passed")
        self.total += number
        self._entries.append(number)
        return self.total

    def entries(self):
        """What was added, in order."""
        return list(self._entries)

    def __iter__(self):
        return iter(self._entries)

    def summary(self):
        """How many numbers, and their total."""
        return {"count": len(self._entries), "total": self.total}

    def each(self, function):
        """Call a function with each number."""
        for number in self._entries:
            function(number)


def main():
    """Print the total of the arguments."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", type=Path)
    parser.add_argument("numbers", type=int, nargs="+")
    arguments = parser.parse_args()
    tally = Tally()
    for number in arguments.numbers:
        tally.add(number)
    if arguments.json:
        arguments.json.write_text(json.dumps({"total": tally.total}))
    print(f"total: {tally.total}")


if __name__ == "__main__":
    main()
