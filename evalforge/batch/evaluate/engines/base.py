"""What every engine is given, and how it reads failures."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from evalforge.batch.evaluate.desk import Desk
from evalforge.batch.evaluate.till import Till
from evalforge.judges.failure import Failure
from evalforge.judges.options import ModelOptions
from evalforge.judges.sdk import Client

_NO_ROOM = frozenset({429, 503, 529})
_HOPELESS = frozenset({401, 402, 403, 404, 501})
_TOO_MUCH = 413
_REFUSED = frozenset({400, 422})
_GAVE_UP, _ITS_OWN = 408, 500


@dataclass(frozen=True)
class Shop:
    """Where an engine works: jobs, money, the connection, and who hears words about how it goes."""

    desk: Desk
    till: Till
    client: Client
    options: ModelOptions
    word: Callable[[str], None]


class Engine(Protocol):
    """Has all jobs of a desk done, until none is left or the desk is stopped."""

    @property
    def discount(self) -> float:
        """What is paid of the price."""
        ...

    async def run(self, shop: Shop) -> None:
        """Do it."""
        ...


class Trouble(Enum):
    """What a failed call calls for."""

    NO_ROOM = "wait for room"
    HOPELESS = "stop"
    AGAIN = "ask again"
    SMALLER = "ask for less"
    REFUSED = "leave it out"


def is_unknown(failure: Failure) -> bool:
    """Whether nobody knows what the server made of a request: it broke off, or a gateway lost patience with it."""
    if failure.status is None:
        return not failure.unreached
    return failure.status == _GAVE_UP or failure.status >= _ITS_OWN


def trouble(failure: Failure) -> Trouble:
    """What a failure calls for."""
    if failure.status in _NO_ROOM:
        return Trouble.NO_ROOM
    if failure.status in _HOPELESS or (failure.unreached and not failure.retry):
        return Trouble.HOPELESS
    if failure.by_model or failure.status == _TOO_MUCH:
        return Trouble.SMALLER
    if failure.status in _REFUSED:
        # What the server refuses for another reason than its length won't be taken in halves either.
        return Trouble.REFUSED if failure.format_refused else Trouble.SMALLER
    return Trouble.AGAIN
