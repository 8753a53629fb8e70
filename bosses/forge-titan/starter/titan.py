"""The order book of the forge: jobs over a journal."""

import json
import sys


class TitanError(Exception):
    """The base of all refusals."""


class Titan:
    """Jobs in the order they were added.

    For now it keeps them in memory, and forgets them at night.
    """

    def __init__(self, path):
        """Open the journal at a path."""
        self._path = path
        self._jobs = []

    def add(self, batch, key=None):
        """Add the jobs of a batch, and say how many."""
        self._jobs.extend(batch)
        return len(batch)

    def take(self, now, lease=60):
        """Begin the first job that is ready."""
        return None

    def close(self):
        """Close the journal."""


def main(arguments):
    """Run one command and return the exit status."""
    command, journal, *rest = arguments
    book = Titan(journal)
    if command == "add":
        with open(rest[0], encoding="utf-8") as file:
            print(json.dumps({"added": book.add(json.load(file))}))
        return 0
    print(f"not yet: {command}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
