"""The state of a class while it is judged: every row's state, which rows are shown, and how a row's state is shown."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from rich.cells import cell_len

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.theme.glyphs import Glyphs
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


# Which rows are shown, and in which order.

ORDERS = ("name", "worst first", "best first", "slowest first")
ROW_GROUPS: dict[str, Callable[[RowState], bool]] = {
    "all": lambda _: True,
    "passed": lambda row_state: row_state.result is not None and row_state.result.passed,
    "not passed": lambda row_state: row_state.result is not None and not row_state.result.passed,
    "no score": lambda row_state: row_state.row is not None and row_state.result is None,
    "moved": lambda row_state: row_state.row is not None and row_state.row.has_changed,
    "set by a person": lambda row_state: bool(row_state.overridden_ids),
    "to look at": lambda row_state: row_state.row is not None and bool(row_state.row.flags),
}
"""The groups of rows that can be shown, and whether a row belongs to them."""
_ALL = "all"


@dataclass(frozen=True)
class RowFilter:
    """The filter and the order of rows.

    Attributes:
        search_text: Searched for in names, ids, addresses and reasons.
        group: One of ``ROW_GROUPS``.
        order: One of ``ORDERS``, or a criterion's id: lowest level first.
        only: The ids of the only rows to show; None for all.
        why: What those rows have in common.
    """

    search_text: str = ""
    group: str = _ALL
    order: str = ORDERS[0]
    only: frozenset[str] | None = None
    why: str = ""

    @property
    def narrows(self) -> bool:
        """Whether any row may be filtered out."""
        return bool(self.search_text.strip()) or self.group != _ALL or self.only is not None

    def descriptions(self, rubric: BossRubric) -> list[str]:
        """The order and the filters that differ from the usual ones, in words."""
        order = f"by {rubric.labels[self.order]}" if self.order in rubric.labels else self.order
        texts = [] if self.order == ORDERS[0] else [order]
        texts += [self.why] if self.only is not None else []
        return texts + ([self.group] if self.group != _ALL else [])

    def next_group(self) -> "RowFilter":
        """Return the filter with the next group of rows."""
        groups = (*ROW_GROUPS, _ALL)
        return replace(self, group=groups[groups.index(self.group) + 1])

    def next_order(self, rubric: BossRubric) -> "RowFilter":
        """Return the filter with the next order; each criterion is one."""
        orders = (*ORDERS, *(criterion.id for criterion in rubric.criteria), ORDERS[0])
        return replace(self, order=orders[orders.index(self.order) + 1])

    def select_rows(self, row_states: Iterable[RowState]) -> list[RowState]:
        """Return the filtered rows in the chosen order."""
        words, belongs = self.search_text.casefold().split(), ROW_GROUPS[self.group]
        selected_rows = [
            row_state
            for row_state in row_states
            if (self.only is None or row_state.row_id in self.only)
            and belongs(row_state)
            and all(word in _searched_text(row_state) for word in words)
        ]
        if self.order == ORDERS[0]:
            return selected_rows
        return sorted(selected_rows, key=lambda row_state: _sort_key(row_state, self.order))


def _searched_text(row_state: RowState) -> str:
    row = row_state.row
    parts: Sequence[str] = (row.name, row.student_id, row.email, row.reason, row.attempt_id) if row else ()
    return "\n".join((row_state.title, row_state.row_id, *parts)).casefold()


def _sort_key(row_state: RowState, order: str) -> tuple[bool, float, str]:
    """Sort rows without the sorted value last, in ascending and descending order alike."""
    name = row_state.row_id.casefold()
    seconds = row_state.row.seconds if row_state.row else 0.0
    result = row_state.result
    match order:
        case "worst first":
            return result is None, row_state.total, name
        case "best first":
            return result is None, -row_state.total, name
        case "slowest first":
            return not seconds, -seconds, name
        case _:
            level = row_state.level_of(order)
            return level is None, level or 0.0, name


# How a row's state is shown: a glyph, a role, a word. The glyphs alone are distinct, even in ASCII.

STATUSES = (
    "strong_pass", "pass", "borderline", "fail", "ungraded", "unusable", "absent", JUDGING, WAITING,
)  # fmt: skip
"""The order in which states are listed."""
_ROLES = {
    **VERDICT_ROLES, "ungraded": "blood", "unusable": "blood", "absent": "faint", JUDGING: "ember", WAITING: "faint",
}  # fmt: skip
_MIN_LAST_WORD_CHARS = 4
"""A shorter word at the end of a cut label is an article or the like."""
_ASCII = {"borderline": "~", JUDGING: "#", "strong_pass": "*"}


def status_glyph(status: str, glyphs: Glyphs) -> str:
    """The glyph of a state, one cell wide."""
    if not glyphs.block_face and status in _ASCII:
        return _ASCII[status]
    return {
        "strong_pass": glyphs.star,
        "pass": glyphs.passed,
        "borderline": glyphs.half_pip,
        "fail": glyphs.failed,
        "ungraded": "!",
        "unusable": "?",
        "absent": "-",
        JUDGING: glyphs.pip,
    }.get(status, glyphs.dot)


def status_role(status: str) -> str:
    """The role whose colour a state is drawn in."""
    return _ROLES.get(status, "dim")


def status_word(status: str) -> str:
    """The state in a word."""
    return VERDICT_WORDS.get(status, status)


def first_words(label: str, width: int) -> str:
    """A criterion's label in as many of its words as fit; at least one."""
    words = clean_line(label).lower().split()
    left_words = words[:]
    while len(left_words) > 1 and (
        cell_len(" ".join(left_words)) > width or (left_words != words and len(left_words[-1]) < _MIN_LAST_WORD_CHARS)
    ):
        left_words.pop()
    return " ".join(left_words).rstrip(",&/- ")
