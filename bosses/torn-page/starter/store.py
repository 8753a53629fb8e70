"""A map of text keys to bytes, in one file that is only written at its end."""


class Store:
    """Everything that was written whole is there after the next opening.

    For now it keeps its entries in memory, and forgets them with the lights.
    """

    def __init__(self, path):
        """Open the store in a file."""
        self._path = path
        self._entries = {}

    def put(self, key, value):
        """Store a value under a key."""
        self._entries[key] = value

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self._entries.get(key, default)

    def close(self):
        """Close the file."""
