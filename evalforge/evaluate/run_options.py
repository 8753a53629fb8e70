"""How a run is done: where, how many calls at once, for how much. None of it changes what is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evaluate.engines.base import Polling
from evalforge.evaluate.engines.live import DEFAULT_CONCURRENCY
from evalforge.evaluate.job_queue import JobQueue
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.retry import RetryPolicy

LIVE_ENGINE, BATCH_ENGINE = ENGINES = ("messages", "message-batches")


def _ignore(_: object) -> None: ...


@dataclass(frozen=True)
class RunOptions:
    """How a run is done.

    Attributes:
        models: Where the server is.
        engine: One of ``ENGINES``.
        concurrency: The most calls at once.
        budget_usd: Dollars this command may spend, within the spec's own cap; None for the cap alone.
        fresh: Whether to start a new run whatever was done before.
        patience: How long a call is waited for; None for what suits the server.
        polling: How often a message batch is asked for.
        folder: Where runs are kept; None for our home.
        show_message: Called with a sentence on what is going on.
        on_change: Called after every change of the queue.
    """

    models: ModelOptions = field(default_factory=ModelOptions)
    engine: str = LIVE_ENGINE
    concurrency: int = DEFAULT_CONCURRENCY
    budget_usd: float | None = None
    fresh: bool = False
    patience: RetryPolicy | None = None
    polling: Polling = field(default_factory=Polling)
    folder: Path | None = None
    show_message: Callable[[str], None] = _ignore
    on_change: Callable[[JobQueue], None] = _ignore
