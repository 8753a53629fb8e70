"""Orders: what a batch may hold, checked without any book."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from titan.errors import BatchError, CycleError


@dataclass(frozen=True, slots=True)
class Order:
    """One job as it was ordered."""

    id: str
    after: tuple[str, ...]
    attempts: int
    backoff: int

    @classmethod
    def read(cls, job: Any) -> Order:
        """An order from one entry of a batch.

        Raises:
            BatchError: It is none.
        """
        match job:
            case {"id": str(name), **rest} if name and rest.keys() <= {"after", "attempts", "backoff"}:
                after = rest.get("after", [])
                if not isinstance(after, list) or not all(isinstance(other, str) and other for other in after):
                    raise BatchError(f"{name} waits for something that is no job")
                attempts = whole(rest.get("attempts", 3), 1, name)
                return cls(name, tuple(sorted(set(after))), attempts, whole(rest.get("backoff", 60), 0, name))
            case _:
                raise BatchError("a job needs an id, and has after, attempts and backoff")

    def plain(self) -> dict[str, Any]:
        """The order as plain data."""
        return {**asdict(self), "after": list(self.after)}


def whole(value: Any, least: int, name: str) -> int:
    """A whole number that is large enough.

    Raises:
        BatchError: It isn't.
    """
    if type(value) is not int or value < least:
        raise BatchError(f"{name} has a number below {least}, or none")
    return value


def read_batch(batch: Any) -> tuple[Order, ...]:
    """All orders of a batch.

    Raises:
        BatchError: It is no batch.
    """
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch is a list of jobs")
    return tuple(Order.read(job) for job in batch)


def check_names(orders: tuple[Order, ...], known: set[str]) -> None:
    """Refuse ids that are taken or nowhere.

    Raises:
        BatchError: There is one.
    """
    names = [order.id for order in orders]
    if len(set(names)) < len(names) or known & set(names):
        raise BatchError("an id is taken")
    for order in orders:
        if missing := set(order.after) - known - set(names):
            raise BatchError(f"{order.id} waits for {min(missing)}, which is nowhere")


def check_circles(orders: tuple[Order, ...]) -> None:
    """Refuse jobs that wait for one another.

    Raises:
        CycleError: They do.
    """
    waits = {order.id: set(order.after) for order in orders}
    for others in waits.values():
        others &= waits.keys()
    while free := [name for name, others in waits.items() if not others]:
        for name in free:
            del waits[name]
        for others in waits.values():
            others.difference_update(free)
    if waits:
        raise CycleError(sorted(waits))
