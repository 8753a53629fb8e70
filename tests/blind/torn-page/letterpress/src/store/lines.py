r"""The format: one line for each change.

    LETTERPRESS 1\n
    8 hex digits of crc32, blank, "+" or "-", key in base64, blank, value in base64, \n

Base64 has neither blanks nor line ends, so a line end always ends a record; and a line counts only if writing the same
record again would give exactly the same bytes.
"""

import binascii
from base64 import b64decode, b64encode
from zlib import crc32

HEADER = b"LETTERPRESS 1\n"


def written(key, value):
    """The line for a change; a value of None takes the key away."""
    sign = b"-" if value is None else b"+"
    body = sign + b64encode(key.encode("utf-8")) + b" " + b64encode(value or b"")
    return b"%08x %s\n" % (crc32(body), body)


def understood(line):
    """The key and value of a line, or None if it is not exactly what `written` would write."""
    body = line[9:-1]
    try:
        key, value = (b64decode(part, validate=True) for part in body[1:].split(b" "))
        change = (key.decode("utf-8"), None if body[:1] == b"-" else value)
    except (ValueError, binascii.Error):
        return None
    return change if written(*change) == line else None


def sound(file):
    """(key, value, size of the line) for all lines up to the first that can't be believed."""
    for line in file:
        change = understood(line)
        if change is None:
            return
        yield *change, len(line)
