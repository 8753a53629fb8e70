"""The properties that a trial declares: its title, group, limits and advice, and what it grants, needs or hides."""

import re
from collections.abc import Iterable
from dataclasses import replace

import pytest

from evalforge.model.evidence import TrialResult
from evalforge.sandbox.report import RunLimits

_DEFAULT_GROUP = "other"
_HYPHENS = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
"""Matches hyphens between letters, as in the id ``a-few-rows``."""


def id_of(item: pytest.Item) -> str:
    """The id of a trial, unique within its boss."""
    return item.nodeid.rpartition("/")[2]


def group_of(item: pytest.Item) -> str:
    """The group a trial belongs to."""
    marker = item.get_closest_marker("group")
    return str(marker.args[0]) if marker and marker.args else _DEFAULT_GROUP


def advice_of(item: pytest.Item) -> str:
    """A trial's advice to players who fail it; empty if it has no advice of its own."""
    marker = item.get_closest_marker("advice")
    return str(marker.args[0]) if marker and marker.args else ""


def grants_of(item: pytest.Item) -> tuple[str, ...]:
    """The groups whose faults a trial can excuse; if both fail, it runs again with one of them excused."""
    marker = item.get_closest_marker("grants")
    return tuple(str(group) for group in marker.args) if marker else ()


def unmet_need(item: pytest.Item, results: Iterable[TrialResult]) -> str:
    """The failed trial without which this one proves nothing, in a sentence; empty if there is none.

    A trial of bad input needs a trial of good input before it in the same file: a program that refuses everything would
    pass the former without reaching any code.
    """
    marker = item.get_closest_marker("needs")
    module, _, name = id_of(item).partition("::")
    needed_ids = (
        {f"{module}::{needed_name}" for needed_name in marker.args if needed_name != name} if marker else set[str]()
    )
    unmet = next((result for result in results if result.id in needed_ids and not result.passed), None)
    return f"It counts once this trial passes: {unmet.title}" if unmet else ""


def hides_input(item: pytest.Item) -> bool:
    """Whether a trial's input stays hidden from players in their first attempts."""
    return item.get_closest_marker("hidden") is not None


def limits_of(item: pytest.Item) -> RunLimits:
    """The limits of one trial."""
    marker = item.get_closest_marker("limits")
    limits = RunLimits()
    if marker is None:
        return limits
    seconds = float(marker.kwargs.get("seconds", limits.seconds))
    memory = marker.kwargs.get("memory_mb")
    memory_bytes = int(memory) * 1024 * 1024 if memory else limits.memory_bytes
    return replace(limits, seconds=seconds, memory_bytes=memory_bytes)


def title_of(item: pytest.Item) -> str:
    """The first line of a trial's docstring, and its case: the id of its parameters in words."""
    document = getattr(getattr(item, "obj", None), "__doc__", None) or item.name.replace("_", " ")
    title = document.strip().splitlines()[0].strip()
    callspec = getattr(item, "callspec", None)
    return f"{title.removesuffix('.')}: {_HYPHENS.sub(' ', callspec.id)}." if callspec else title
