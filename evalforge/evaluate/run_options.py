"""How a run is done: the server, concurrency, budget. None of it changes what is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evaluate.engines.batched import POLLING
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
        models: The server's address.
        budget_usd: The most this command may spend, within the spec's own cap; None for the cap alone.
        fresh: Whether to start a new run even if an earlier one could be resumed or reused.
        patience: How long to wait for a call; None for the server's default.
        polling: How often to ask for the state of a message batch.
        folder: The folder for runs; None for our home.
    """

    models: ModelOptions = field(default_factory=ModelOptions)
    engine: str = LIVE_ENGINE
    concurrency: int = DEFAULT_CONCURRENCY
    budget_usd: float | None = None
    fresh: bool = False
    patience: RetryPolicy | None = None
    polling: RetryPolicy = POLLING
    folder: Path | None = None
    show_message: Callable[[str], None] = _ignore
    on_change: Callable[[JobQueue], None] = _ignore
