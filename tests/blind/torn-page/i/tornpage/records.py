"""What a change is, whatever its bytes look like."""

from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """What a record says about its key."""

    ENTRY = 0
    TOMBSTONE = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One change of the store."""

    kind: Kind
    key: str
    value: bytes = b""
