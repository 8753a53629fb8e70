"""What a batch may be."""

import hashlib
import json
from collections.abc import Collection, Iterable
from graphlib import CycleError as GraphError
from graphlib import TopologicalSorter
from typing import Any

from titan.errors import BatchError, CycleError
from titan.model import Order

FIELDS = {"id", "after", "attempts", "backoff"}


def fingerprint(batch: Any) -> str:
    """A digest by which a batch is known again."""
    return hashlib.sha256(json.dumps(batch, sort_keys=True).encode()).hexdigest()


def read_orders(batch: Any) -> list[Order]:
    """The orders of a batch."""
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch has to be a list of jobs")
    return [read_order(job) for job in batch]


def read_order(job: Any) -> Order:
    """The order of a job."""
    if not isinstance(job, dict) or not job.keys() <= FIELDS:
        raise BatchError(f"this is not a job: {job!r}")
    name = job.get("id")
    if not isinstance(name, str) or not name:
        raise BatchError(f"this is not an id: {name!r}")
    after = job.get("after", [])
    if not isinstance(after, list) or not all(isinstance(each, str) for each in after):
        raise BatchError(f"this is not a list of ids: {after!r}")
    return Order(name, tuple(dict.fromkeys(after)), read_count(job, "attempts", 3, 1), read_count(job, "backoff", 60, 0))


def read_count(job: dict[str, Any], field: str, default: int, least: int) -> int:
    """A number of a job."""
    value = job.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BatchError(f"{field} of {job['id']} has to be a whole number from {least} up")
    return value


def check_names(orders: Iterable[Order], known: Collection[str]) -> None:
    """Refuse ids that are taken or nowhere."""
    names: set[str] = set()
    for order in orders:
        if order.id in names or order.id in known:
            raise BatchError(f"the id {order.id} is taken")
        names.add(order.id)
    for order in orders:
        for each in order.after:
            if each not in names and each not in known:
                raise BatchError(f"the id {each} is nowhere")


def check_circles(orders: Iterable[Order]) -> None:
    """Refuse jobs that wait for one another."""
    sorter = TopologicalSorter({order.id: order.after for order in orders})
    try:
        sorter.prepare()
    except GraphError as error:
        raise CycleError(error.args[1][::-1]) from error
