"""The event stream of a class: the one source for the command line and the screen."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from evalforge.batch.classroom.rows import ClassRow, Outcome
from evalforge.model.base import Frozen
from evalforge.model.events import Event
from evalforge.model.result import JudgeInfo


class _ClassEvent(Frozen):
    """``at`` is the time since the run began, in seconds."""

    at: float = 0.0


class Expected(Frozen):
    """A row that will be settled, and what to call it."""

    row_id: str
    title: str


class ClassOpened(_ClassEvent):
    """Everybody was found; judging begins. Every row named here is settled exactly once, unless the run is stopped."""

    kind: Literal["class_opened"] = "class_opened"
    run: int
    label: str
    boss_id: str
    title: str
    judge: JudgeInfo
    workers: int
    found_as: str
    """How the class was read: ``folders``, ``moodle`` or ``gradescope``."""
    rows: tuple[Expected, ...]
    passed_over: tuple[str, ...] = ()


class WorkerReady(_ClassEvent):
    """A worker can judge, or says why it won't."""

    kind: Literal["worker_ready"] = "worker_ready"
    worker: int
    isolation: str
    place: str = ""
    """Where it runs; empty for this machine."""
    note: str = ""


class RowStarted(_ClassEvent):
    """A worker begins with a hand-in."""

    kind: Literal["row_started"] = "row_started"
    row_id: str
    worker: int


class RowFight(_ClassEvent):
    """An event of the fight of one row."""

    kind: Literal["row_fight"] = "row_fight"
    row_id: str
    event: Event


class RowSettled(_ClassEvent):
    """A row has its score or its reason.

    Attributes:
        row: How it stands with it.
        done: How many rows are settled.
        total: How many there are.
        seconds_left: How long the rest will take, as far as it can be told.
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
        outcomes: How many rows ended how.
        fresh: How many were judged in this run.
        usd: Dollars spent in this run; None where a price is not known.
    """

    kind: Literal["class_closed"] = "class_closed"
    run: int
    outcomes: dict[Outcome, int]
    fresh: int
    usd: float | None = 0.0


ClassEvent = Annotated[
    ClassOpened | WorkerReady | RowStarted | RowFight | RowSettled | ClassClosed, Field(discriminator="kind")
]
CLASS_EVENT: TypeAdapter[ClassEvent] = TypeAdapter(ClassEvent)
