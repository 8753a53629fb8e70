"""The state of a class while it is judged: every row's state, updated from the events of its run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from evalforge.classroom.account import ClassAccount
from evalforge.classroom.class_events import (
    ClassClosed,
    ClassEvent,
    ClassOpened,
    ExpectedRow,
    RowFight,
    RowSettled,
    RowStarted,
    WorkerReady,
)
from evalforge.classroom.class_row import ClassRow
from evalforge.model import events as ev
from evalforge.model.hp import HpScale
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line
from evalforge.sandbox.isolation import CAGED_LAYERS

WAITING, JUDGING = "waiting", "judging"


@dataclass
class RowState:
    """One row of the class.

    Attributes:
        row_id: Its id in the class.
        title: Its displayed name.
        row: Its result, once it is settled.
        is_judging: Whether a worker is judging it.
        scores: The scores of the criteria judged so far.
        trials: The number of finished trials, and of all trials.
        reason: Why there is no score, without the path of the class.
    """

    row_id: str
    title: str
    row: ClassRow | None = None
    is_judging: bool = False
    scores: dict[str, float] = field(default_factory=dict[str, float])
    trials: tuple[int, int] = (0, 0)
    reason: str = ""

    @property
    def attempt_id(self) -> str:
        """The attempt that stores its fight; empty if there is none to read."""
        return self.row.attempt_id if self.row else ""

    @property
    def result(self) -> BossEvalResult | None:
        """The result that counts, if there is one."""
        return self.row.result if self.row else None

    @property
    def status(self) -> str:
        """``waiting``, ``judging``, a verdict, or why there is none: ``ungraded``, ``unusable``, ``absent``."""
        if self.row is None:
            return JUDGING if self.is_judging else WAITING
        return self.result.verdict.value if self.result else self.row.outcome.value

    @property
    def total(self) -> float:
        """The points scored so far."""
        return self.result.score_total if self.result else sum(self.scores.values())

    @property
    def overridden_ids(self) -> frozenset[str]:
        """The criteria whose levels were set by a person."""
        revised = self.row.revised if self.row else None
        return frozenset(override.criterion_id for override in revised.in_force) if revised else frozenset()

    def level_of(self, criterion_id: str) -> float | None:
        """The level in a criterion; None if there is none."""
        result = self.result
        if result is None:
            return self.scores.get(criterion_id)
        return next((criterion.score for criterion in result.criteria if criterion.id == criterion_id), None)

    def life(self, scale: HpScale) -> float:
        """The share of the boss's life that is left, 0..1; none once a person or a judge let it pass."""
        if self.result:
            return scale.life(self.result.score_total, passed=self.result.passed)
        return 1.0 if self.row else scale.life(self.total)


class ClassState:
    """The state of a class, as far as its run has reported it.

    Args:
        rubric: The rubric it is judged by.
        source: The path of the class.
    """

    def __init__(self, rubric: BossRubric, source: str = "") -> None:
        self.rubric, self.source = rubric, source
        self.row_states: dict[str, RowState] = {}
        self.settled_count = 0
        self.workers = 0
        self.judge = ""
        self.cages: dict[int, str] = {}
        """The sandbox of each ready worker."""
        self.warnings: list[str] = []
        """Warnings about how code is run, each once."""
        self.closing_event: ClassClosed | None = None
        self.account = ClassAccount()
        """Everything in the folder of the class."""

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self.row_states)

    @property
    def judged_rows(self) -> list[RowState]:
        """The rows with a result that counts."""
        return [row_state for row_state in self.row_states.values() if row_state.result]

    def title_of(self, row_id: str) -> str:
        """The displayed name of a row, safe to show."""
        row_state = self.row_states.get(row_id)
        return clean_line(row_state.title if row_state else row_id)

    def set_rows(self, rows: Sequence[ExpectedRow]) -> None:
        """Set the rows that the run expects, all of them waiting."""
        self.row_states = {row.row_id: RowState(row.row_id, row.title) for row in rows}
        self.settled_count = 0

    def add_event(self, event: ClassEvent) -> str:
        """Apply one event; returns the id of the row it changed, or an empty string."""
        match event:
            case ClassOpened():
                self.set_rows(event.rows)
                self.workers = event.workers
                self.account = event.account
                self.judge = " ".join(filter(None, (event.judge.name, "judge", event.judge.model)))
            case WorkerReady():
                self._add_worker(event)
            case RowStarted():
                self.row_states[event.row_id].is_judging = True
                return event.row_id
            case RowFight():
                return event.row_id if self._update_row(self.row_states[event.row_id], event.event) else ""
            case RowSettled():
                self._settle_row(event)
                return event.row.row_id
            case ClassClosed():
                self.closing_event = event
        return ""

    def mark_stopped(self) -> None:
        """Record that the run was stopped: rows that were being judged are waiting again."""
        for row_state in self.row_states.values():
            row_state.is_judging, row_state.trials = False, (0, 0)
            row_state.scores.clear()

    def tally(self) -> Counter[str]:
        """The number of rows with each status."""
        return Counter(row_state.status for row_state in self.row_states.values())

    def _add_worker(self, event: WorkerReady) -> None:
        self.cages[event.worker] = event.isolation
        if event.isolation not in CAGED_LAYERS or event.note:
            where = f"At {event.place}: isolation" if event.place else "Isolation"
            warning = f"{where} {event.isolation or 'none'}. {event.note}".strip()
            if warning not in self.warnings:
                self.warnings.append(warning)

    def _update_row(self, row_state: RowState, event: ev.Event) -> bool:
        done, planned = row_state.trials
        match event:
            case ev.TrialsPlanned():
                row_state.trials = 0, sum(event.groups.values())
            case ev.TrialFinished():
                row_state.trials = done + 1, max(planned, done + 1)
            case ev.CriterionJudged():
                row_state.scores[event.judgement.criterion_id] = event.judgement.score
            case ev.Ungraded():
                row_state.scores.clear()
            case _:
                return False
        return True

    def _settle_row(self, event: RowSettled) -> None:
        row_state = self.row_states[event.row.row_id]
        row_state.row, row_state.is_judging = event.row, False
        row_state.reason = event.row.reason.replace(f"{self.source}/", "") if self.source else event.row.reason
        self.settled_count = event.done
