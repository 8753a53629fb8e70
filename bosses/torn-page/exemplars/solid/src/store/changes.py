"""Changes as payloads: a letter, the length of the key, the key, and for a put the value."""

_KEY_SIZE = 4


def put(key, value):
    """The payload of a put."""
    return b"+" + _sized(key) + value


def delete(key):
    """The payload of a delete."""
    return b"-" + _sized(key)


def apply(payload, entries):
    """Do to a dict what a payload says."""
    begin = 1 + _KEY_SIZE
    end = begin + int.from_bytes(payload[1:begin], "big")
    key = payload[begin:end].decode()
    if payload[:1] == b"+":
        entries[key] = payload[end:]
    else:
        entries.pop(key, None)


def _sized(key):
    encoded = key.encode()
    return len(encoded).to_bytes(_KEY_SIZE, "big") + encoded
