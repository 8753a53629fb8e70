"""Which rows are shown, and in which order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evalforge.app.classroom.class_state import RowState
from evalforge.model.rubric import BossRubric

ORDERS = ("name", "worst first", "best first", "slowest first")
KEPT = ("all", "passed", "not passed", "no score", "moved", "set by a person", "to look at")


@dataclass(frozen=True)
class RowFilter:
    """What is asked for.

    Attributes:
        words: Looked for in names, ids, addresses and reasons.
        kept: One of ``KEPT``.
        order: One of ``ORDERS``, or a criterion's id: lowest level first.
        only: These rows alone; None for all.
        why: What those have in common, in words.
    """

    words: str = ""
    kept: str = KEPT[0]
    order: str = ORDERS[0]
    only: frozenset[str] | None = None
    why: str = ""

    @property
    def narrows(self) -> bool:
        """Whether any row may be left out."""
        return bool(self.words.strip()) or self.kept != KEPT[0] or self.only is not None

    def next_kept(self) -> "RowFilter":
        """The same with the next choice of rows."""
        return replace(self, kept=KEPT[(KEPT.index(self.kept) + 1) % len(KEPT)])

    def next_order(self, rubric: BossRubric) -> "RowFilter":
        """The same in the next order; each criterion is one."""
        orders = (*ORDERS, *(criterion.id for criterion in rubric.criteria))
        return replace(self, order=orders[(orders.index(self.order) + 1) % len(orders)])


def select_rows(places: Iterable[RowState], row_filter: RowFilter) -> list[RowState]:
    """The rows that are wanted, in the order they are wanted in."""
    words = row_filter.words.casefold().split()
    kept_places = [
        place for place in places if _is_kept(place, row_filter) and all(word in _text(place) for word in words)
    ]
    if row_filter.order == ORDERS[0]:
        return kept_places
    return sorted(kept_places, key=lambda place: _key(place, row_filter.order))


def level_of(place: RowState, criterion_id: str) -> float | None:
    """A row's level in a criterion; None where there is none."""
    result = place.result
    if result is None:
        return place.scores.get(criterion_id)
    return next((one.score for one in result.criteria if one.id == criterion_id), None)


def _is_kept(place: RowState, row_filter: RowFilter) -> bool:
    if row_filter.only is not None and place.row_id not in row_filter.only:
        return False
    row, result = place.row, place.result
    match row_filter.kept:
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


def _text(place: RowState) -> str:
    row = place.row
    parts: Sequence[str] = (row.name, row.student_id, row.email, row.reason, row.attempt_id) if row else ()
    return "\n".join((place.title, place.row_id, *parts)).casefold()


def _key(place: RowState, order: str) -> tuple[bool, float, str]:
    """Rows without what is sorted by come last, whichever way it goes."""
    name = place.row_id.casefold()
    seconds = place.row.seconds if place.row else 0.0
    result = place.result
    match order:
        case "worst first":
            return result is None, place.total, name
        case "best first":
            return result is None, -place.total, name
        case "slowest first":
            return not seconds, -seconds, name
        case _:
            level = level_of(place, order)
            return level is None, level or 0.0, name
