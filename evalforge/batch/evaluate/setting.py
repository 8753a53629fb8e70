"""How a run is done: where, how many at once, for how much. None of it changes what is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.batch.evaluate.desk import Desk
from evalforge.batch.evaluate.engines.message_batches import Pace
from evalforge.batch.evaluate.engines.messages import CONCURRENCY
from evalforge.judges.call import Patience
from evalforge.judges.options import ModelOptions

ENGINES = ("messages", "message-batches")


def _nothing(_: object) -> None: ...


@dataclass(frozen=True)
class Setting:
    """How a run is done. None of it changes what is asked.

    Attributes:
        options: Where the server is.
        engine: One of ``ENGINES``.
        concurrency: The most calls at once.
        budget: Dollars this command may spend, besides the spec's own cap; None for the cap alone.
        fresh: Whether to begin anew whatever was done before.
        patience: How long a call is waited for; None for what suits the server.
        pace: How often a message batch is looked at.
        folder: Where runs are kept; None for our home.
        word: Hears words on what is going on.
        tell: Hears of every change.
    """

    options: ModelOptions = field(default_factory=ModelOptions)
    engine: str = ENGINES[0]
    concurrency: int = CONCURRENCY
    budget: float | None = None
    fresh: bool = False
    patience: Patience | None = None
    pace: Pace = field(default_factory=Pace)
    folder: Path | None = None
    word: Callable[[str], None] = _nothing
    tell: Callable[[Desk], None] = _nothing
