"""The event stream of a class: the one source for the command line and the screen."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from evalforge.classroom.account import ClassAccount
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.model.base import Frozen
from evalforge.model.events import Event
from evalforge.model.result import JudgeInfo


class _ClassEvent(Frozen):
    """Base of the events. ``at`` is the time since the run started, in seconds."""

    at: float = 0.0


class ExpectedRow(Frozen):
    """A row that will be settled in this run."""

    row_id: str
    title: str


class ClassOpened(_ClassEvent):
    """The submissions were found and judging begins. Each row is settled exactly once, unless the run is stopped."""

    kind: Literal["class_opened"] = "class_opened"
    run: int
    label: str
    boss_id: str
    title: str
    judge: JudgeInfo
    workers: int
    found_as: str
    """How the class was read: ``folders``, the name of a platform, or ``mixed``."""
    rows: tuple[ExpectedRow, ...]
    account: ClassAccount = ClassAccount()
    """Everything in the folder of the class."""


class WorkerReady(_ClassEvent):
    """A worker has started."""

    kind: Literal["worker_ready"] = "worker_ready"
    worker: int
    isolation: str
    place: str = ""
    """The address of its machine; empty for this one."""
    note: str = ""


class RowStarted(_ClassEvent):
    """A worker has started on a submission."""

    kind: Literal["row_started"] = "row_started"
    row_id: str
    worker: int


class RowFight(_ClassEvent):
    """An event of the fight of one row."""

    kind: Literal["row_fight"] = "row_fight"
    row_id: str
    event: Event


class RowSettled(_ClassEvent):
    """A row has its score, or the reason why it has none.

    Attributes:
        done: How many rows are settled.
        total: How many rows there are.
        seconds_left: Estimated seconds until all are settled; None while there is no estimate.
    """

    kind: Literal["row_settled"] = "row_settled"
    row: ClassRow
    done: int
    total: int
    seconds_left: float | None = None


class ClassClosed(_ClassEvent):
    """Every row is settled.

    Attributes:
        run: The number of the run.
        outcomes: The number of rows with each outcome.
        fresh: The number of rows that were judged in this run.
        usd: Dollars spent in this run; None if a price isn't known.
    """

    kind: Literal["class_closed"] = "class_closed"
    run: int
    outcomes: dict[RowOutcome, int]
    fresh: int
    usd: float | None = 0.0


ClassEvent = Annotated[
    ClassOpened | WorkerReady | RowStarted | RowFight | RowSettled | ClassClosed, Field(discriminator="kind")
]
CLASS_EVENT: TypeAdapter[ClassEvent] = TypeAdapter(ClassEvent)
