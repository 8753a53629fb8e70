"""What a log says about money and message batches, without its replies."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.batch.evaluate.journal import (
    Announced,
    Answered,
    Asked,
    Created,
    Failed,
    Record,
    Unusable,
    read_journal,
)


@dataclass
class Ledger:
    """A running account of one log.

    Attributes:
        paid: What calls cost whose end is known.
        open: Calls whose end isn't known, and the most each can have cost.
        lost: What is held to have been paid for calls that were made again without knowing how the first one ended.
        batches: Message batches whose results are not all in the log, and their calls.
        announced: The calls of a batch nobody knows to exist, and the newest batch before it.
    """

    paid: float = 0.0
    open: dict[str, float] = field(default_factory=dict[str, float])
    lost: float = 0.0
    batches: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    announced: Announced | None = None

    def take(self, record: Record) -> None:
        """Enter one line of the log."""
        if isinstance(record, Asked):
            self.lost += self.open.pop(record.call, 0.0)
            self.open[record.call] = record.reserved
        elif isinstance(record, Answered | Unusable | Failed):
            self.open.pop(record.call, None)
            self.paid += record.usd
        elif isinstance(record, Announced):
            self.announced = record
        elif isinstance(record, Created):
            self.announced = None
            self.batches[record.batch] = record.calls
        elif record.batch:
            self.batches.pop(record.batch, None)
        else:
            self.announced = None

    @property
    def at_the_server(self) -> frozenset[str]:
        """Calls in message batches whose results are still to come."""
        announced = self.announced.calls if self.announced else ()
        return frozenset(call for calls in (*self.batches.values(), announced) for call in calls)

    @property
    def held(self) -> float:
        """The most that calls at the server can cost."""
        return sum(self.open.get(call, 0.0) for call in self.at_the_server)

    @property
    def most(self) -> float:
        """What the run can have cost at most."""
        return self.paid + self.lost + sum(self.open.values())


def ledger_of(records: Iterable[Record]) -> Ledger:
    """The account of a whole log."""
    ledger = Ledger()
    for record in records:
        ledger.take(record)
    return ledger


def spent_in(path: Path) -> float:
    """What the run of a log can have cost at most."""
    return ledger_of(read_journal(path)).most
