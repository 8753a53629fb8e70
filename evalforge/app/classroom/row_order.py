"""Which rows are shown, and in which order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evalforge.app.classroom.class_state import RowState
from evalforge.model.rubric import BossRubric

ORDERS = ("name", "worst first", "best first", "slowest first")
ROW_GROUPS = ("all", "passed", "not passed", "no score", "moved", "set by a person", "to look at")


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
    group: str = ROW_GROUPS[0]
    order: str = ORDERS[0]
    only: frozenset[str] | None = None
    why: str = ""

    @property
    def narrows(self) -> bool:
        """Whether any row may be filtered out."""
        return bool(self.search_text.strip()) or self.group != ROW_GROUPS[0] or self.only is not None

    def next_group(self) -> "RowFilter":
        """Return the filter with the next group of rows."""
        return replace(self, group=ROW_GROUPS[(ROW_GROUPS.index(self.group) + 1) % len(ROW_GROUPS)])

    def next_order(self, rubric: BossRubric) -> "RowFilter":
        """Return the filter with the next order; each criterion is one."""
        orders = (*ORDERS, *(criterion.id for criterion in rubric.criteria))
        return replace(self, order=orders[(orders.index(self.order) + 1) % len(orders)])


def select_rows(row_states: Iterable[RowState], row_filter: RowFilter) -> list[RowState]:
    """Return the filtered rows in the chosen order."""
    words = row_filter.search_text.casefold().split()
    kept_places = [
        row_state
        for row_state in row_states
        if _is_kept(row_state, row_filter) and all(word in _searched_text(row_state) for word in words)
    ]
    if row_filter.order == ORDERS[0]:
        return kept_places
    return sorted(kept_places, key=lambda place: _sort_key(place, row_filter.order))


def level_of(row_state: RowState, criterion_id: str) -> float | None:
    """A row's level in a criterion; None if it has none."""
    result = row_state.result
    if result is None:
        return row_state.scores.get(criterion_id)
    return next((criterion.score for criterion in result.criteria if criterion.id == criterion_id), None)


def _is_kept(row_state: RowState, row_filter: RowFilter) -> bool:
    if row_filter.only is not None and row_state.row_id not in row_filter.only:
        return False
    row, result = row_state.row, row_state.result
    match row_filter.group:
        case "passed":
            return result is not None and result.passed
        case "not passed":
            return result is not None and not result.passed
        case "no score":
            return row is not None and result is None
        case "moved":
            return row is not None and row.has_changed
        case "set by a person":
            return row is not None and row.revised is not None and bool(row.revised.in_force)
        case "to look at":
            return row is not None and bool(row.flags)
        case _:
            return True


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
            level = level_of(row_state, order)
            return level is None, level or 0.0, name
