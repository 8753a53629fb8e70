"""Which rows are shown, and in which order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from evalforge.app.classroom.class_state import RowState
from evalforge.model.rubric import BossRubric

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
