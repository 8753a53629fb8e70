"""What a task is, and what nobody can be asked to do."""

from typing import Any, NamedTuple


class BadOrderError(TypeError):
    """A part of a task is of a type that makes no sense."""


class BadNameError(ValueError):
    """A name is empty, taken, or missing."""


class Order(NamedTuple):
    """A task as it was added."""

    name: str
    work: Any
    after: tuple


def checked_order(name, work, after, taken):
    """The order, if it makes sense and its name is not taken."""
    _demand(isinstance(name, str), "a name must be a str", name)
    _demand(callable(work), "a work must be callable", work)
    _demand(not isinstance(after, str), "after must hold names, not letters", after)
    awaited = list(after)
    for each in awaited:
        _demand(isinstance(each, str), "after must hold names", each)
    if not name or name in taken:
        raise BadNameError(f"the name {name!r} is empty or taken")
    return Order(name, work, tuple(dict.fromkeys(awaited)))


def checked_limit(limit):
    """The limit, if it is None or a number of tasks."""
    if limit is None:
        return None
    _demand(isinstance(limit, int) and limit is not True and limit is not False, "a limit must be an int", limit)
    if limit < 1:
        raise ValueError(f"a limit must be 1 or more, not {limit}")
    return limit


def _demand(fine, rule, value):
    if not fine:
        raise BadOrderError(f"{rule}: {value!r}")
