"""What a batch may be, whatever else there is."""

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from .errors import BatchError, CycleError


class Spec(NamedTuple):
    """A job as it was ordered, with all defaults; `after` is sorted and without repeats."""

    id: str
    after: tuple[str, ...] = ()
    attempts: int = 3
    backoff: int = 60

    @classmethod
    def read(cls, job: Any) -> "Spec":
        """The spec of one dict of a batch, or a BatchError."""
        if not isinstance(job, dict):
            raise BatchError(f"a job is a dict, not {job!r}")
        if "id" not in job or not set(job) <= set(cls._fields):
            raise BatchError(f"a job has an id and perhaps {', '.join(cls._fields[1:])}, not {list(job)!r}")
        _check_id(job["id"])
        after = _read_after(job.get("after", []))
        spec = cls(**{**job, "after": after})
        _check_int("attempts", spec.attempts, 1)
        _check_int("backoff", spec.backoff, 0)
        return spec


def _check_id(value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise BatchError(f"an id is a str that is not empty, not {value!r}")


def _read_after(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BatchError(f"after is a list of ids, not {value!r}")
    for each in value:
        _check_id(each)
    return tuple(sorted(set(value)))


def _check_int(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BatchError(f"{name} is a whole number of at least {least}, not {value!r}")


def read_batch(batch: Any) -> list[Spec]:
    """The specs of a batch, or a BatchError."""
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch is a list of at least one job")
    return [Spec.read(job) for job in batch]


def check_ids(specs: Iterable[Spec], known: Iterable[str]) -> None:
    """Raise a BatchError for an id that is taken or nowhere."""
    ids = set(known)
    for spec in specs:
        if spec.id in ids:
            raise BatchError(f"the id {spec.id!r} is taken")
        ids.add(spec.id)
    for spec in specs:
        for each in spec.after:
            if each not in ids:
                raise BatchError(f"{spec.id!r} waits for {each!r}, which is nowhere")


def check_circles(specs: list[Spec]) -> None:
    """Raise a CycleError if some of the specs wait for one another.

    All that wait for nothing are taken away, until nothing more can be. Whatever is left waits for something that is left,
    so a walk along it ends in a circle.
    """
    own = {spec.id for spec in specs}
    waits = {spec.id: {each for each in spec.after if each in own} for spec in specs}
    followers: dict[str, list[str]] = {name: [] for name in own}
    for name, others in waits.items():
        for other in others:
            followers[other].append(name)
    free = deque(name for name, others in waits.items() if not others)
    while free:
        gone = free.popleft()
        del waits[gone]
        for name in followers[gone]:
            waits[name].discard(gone)
            if not waits[name]:
                free.append(name)
    if waits:
        raise CycleError(_walk(waits))


def _walk(waits: dict[str, set[str]]) -> list[str]:
    name = next(iter(waits))
    steps: dict[str, int] = {}
    while name not in steps:
        steps[name] = len(steps)
        name = next(iter(waits[name]))
    return list(steps)[steps[name] :] + [name]
