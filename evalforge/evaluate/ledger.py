"""The ledger of a run: its money and its message batches, computed from its journal. Sums are in dollars."""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evaluate.journal import (
    BatchAnnounced,
    BatchCollected,
    BatchCreated,
    CallAnswered,
    CallAsked,
    CallFailed,
    CallUnusable,
    JournalRecord,
    read_journal,
)


@dataclass
class Ledger:
    """The money and the message batches of one judge of a run so far.

    Attributes:
        paid_usd: Cost of the calls whose outcome is known.
        open_calls: Calls whose outcome isn't known, and the most each can have cost.
        lost_usd: The most that attempts with unknown outcome can have cost, of calls that were made again.
        open_batches: Message batches whose results are not all in the journal, and their calls.
        announced_batch: The batch that may or may not have been created; None if there is none.
    """

    paid_usd: float = 0.0
    open_calls: dict[str, float] = field(default_factory=dict[str, float])
    lost_usd: float = 0.0
    open_batches: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    announced_batch: BatchAnnounced | None = None

    def apply(self, record: JournalRecord) -> None:
        """Apply one line of the journal."""
        if isinstance(record, CallAsked):
            self.lost_usd += self.open_calls.pop(record.call, 0.0)
            self.open_calls[record.call] = record.reserved
        elif isinstance(record, CallAnswered | CallUnusable | CallFailed):
            self.open_calls.pop(record.call, None)
            self.paid_usd += record.usd
        elif isinstance(record, BatchAnnounced):
            self.announced_batch = record
        elif isinstance(record, BatchCreated):
            self.announced_batch = None
            self.open_batches[record.batch] = record.calls
        elif isinstance(record, BatchCollected):
            self.open_batches.pop(record.batch, None)
            self.announced_batch = self.announced_batch if record.batch else None

    @property
    def calls_at_server(self) -> frozenset[str]:
        """Calls in message batches that have pending results."""
        announced = self.announced_batch.calls if self.announced_batch else ()
        return frozenset(call for calls in (*self.open_batches.values(), announced) for call in calls)

    @property
    def reserved_at_server_usd(self) -> float:
        """The most that calls in message batches can still cost."""
        return sum(self.open_calls.get(call, 0.0) for call in self.calls_at_server)

    @property
    def max_usd(self) -> float:
        """The most the run can have cost."""
        return self.paid_usd + self.lost_usd + sum(self.open_calls.values())


def read_ledgers(path: Path) -> dict[str, Ledger]:
    """The ledger of each judge in a journal."""
    ledgers: dict[str, Ledger] = defaultdict(Ledger)
    for record in read_journal(path):
        ledgers[record.judge].apply(record)
    return ledgers
