"""Events, and how they are written down: a checksum, a tab, JSON, a line end."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

Event = dict[str, Any]


def seal(event: Event) -> bytes:
    """An event as a line."""
    body = json.dumps(event, sort_keys=True).encode()
    return b"%08x\t%s\n" % (zlib.crc32(body), body)


def unseal(line: bytes) -> Event | None:
    """The event in a line, or None if the seal is broken."""
    body = line[9:-1]
    if not body or line != b"%08x\t%s\n" % (zlib.crc32(body), body):
        return None
    return json.loads(body)


def unbroken(lines: Iterable[bytes]) -> Iterator[Event]:
    """All events that can be saved: a broken seal costs one event and no more."""
    for line in lines:
        event = unseal(line)
        if event is not None:
            yield event
