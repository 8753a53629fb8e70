"""The store: an index from keys to places in the file. Values are read when they are asked for."""

from functools import wraps

from store.leaves import HEADER, KEEP, STRIKE, Place, leaf, leaves
from store.shelf import append, copied, swapped, taken


def while_open(method):
    """Refuse a method of a store that is closed."""

    @wraps(method)
    def checked(self, *args, **named):
        if self._file.closed:
            raise ValueError("this store is closed")
        return method(self, *args, **named)

    return checked


def text(key):
    """Return the key, or raise a TypeError if it is not a str."""
    if isinstance(key, str):
        return key
    raise TypeError(f"keys are str, not {type(key).__name__}")


def octets(value):
    """Return the value, or raise a TypeError if it is not bytes."""
    if isinstance(value, bytes):
        return value
    raise TypeError(f"values are bytes, not {type(value).__name__}")


class Store:
    """Text keys and their bytes in one file that may be torn off anywhere."""

    def __init__(self, path):
        """Open the store in a file, or begin a new one."""
        self._path = path
        self._take_up()

    @while_open
    def put(self, key, value):
        """Write a value under a key; it is in the file when this returns."""
        written = leaf(KEEP, text(key), octets(value))
        self._repair()
        append(self._file, written)
        self._end += len(written)
        self._places[key] = Place(self._end - len(value), len(value))

    @while_open
    def get(self, key, default=None):
        """Return the value of a key, or the default."""
        place = self._places.get(text(key))
        return default if place is None else self._value(place)

    @while_open
    def delete(self, key):
        """Remove a key, and return whether it was there."""
        if text(key) not in self._places:
            return False
        written = leaf(STRIKE, key)
        self._repair()
        append(self._file, written)
        self._end += len(written)
        del self._places[key]
        return True

    @while_open
    def __contains__(self, key):
        """Return whether a key is there."""
        return text(key) in self._places

    @while_open
    def __len__(self):
        """Return the number of keys."""
        return len(self._places)

    @while_open
    def keys(self):
        """Return all keys, sorted."""
        return sorted(self._places)

    @while_open
    def items(self):
        """Return all keys with their values, sorted."""
        return [(key, self._value(self._places[key])) for key in sorted(self._places)]

    @while_open
    def compact(self):
        """Replace the file by a copy of what lives; if the swap fails, go on with the old one."""
        copy = copied(self._path, (leaf(KEEP, key, self._value(place)) for key, place in self._places.items()))
        self._file.close()
        try:
            swapped(copy, self._path)
        finally:
            self._take_up()

    def close(self):
        """End the work with the file."""
        self._file.close()

    def __enter__(self):
        """Return the store itself."""
        return self

    def __exit__(self, *error):
        """Close the store; an exception passes."""
        self.close()

    def _take_up(self):
        """Open the file, and find where every value lies."""
        self._file = taken(self._path)
        self._places = {}
        self._end = self._survey()

    def _repair(self):
        """Cut off what is not believed, so that the next leaf stands behind the last sound one."""
        if self._file.seek(0, 2) > self._end:
            self._file.truncate(self._end)

    def _survey(self):
        """Play all sound leaves into the index, and return where they end."""
        end = len(HEADER)
        for found in leaves(self._file):
            if found.kind == STRIKE:
                self._places.pop(found.key, None)
            else:
                self._places[found.key] = found.place
            end = found.end
        return end

    def _value(self, place):
        """Read a value where it lies."""
        self._file.seek(place.offset)
        return self._file.read(place.length)
