"""Unpublished names of pytest, all in one place, because any release may drop them.

If one is missing, a feature degrades but still works: pytest itself calls each test, or a mark isn't understood. A
test compares the table ``INNER_NAMES`` with the installed pytest, and reports what is missing in which version.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pytest

INNER_NAMES = (("_pytest.skipping", "evaluate_xfail_marks"),)
"""Module and name. Names that only objects have, such as ``_fixtureinfo``, are tested by running."""


class FixtureNeeds(NamedTuple):
    """The fixtures that a test function needs.

    Attributes:
        arguments: Names of the fixtures and parameters that it takes.
        closure: Names of all fixtures that are set up for it.
        definitions: The fixture definitions behind a name.
    """

    arguments: Sequence[str]
    closure: Sequence[str]
    definitions: dict[str, Sequence[Any]]


def fixture_needs(function: pytest.Function) -> FixtureNeeds | None:
    """The fixtures that a test function needs; None if pytest no longer provides them where expected."""
    info: Any = getattr(function, "_fixtureinfo", None)
    if info is None:
        return None
    return FixtureNeeds(info.argnames, info.names_closure, info.name2fixturedefs)


def active_xfail_mark(item: pytest.Item) -> Any:
    """A test's ``xfail`` mark if its condition holds, or None; raises what the player's condition raises."""
    evaluate = _inner("_pytest.skipping", "evaluate_xfail_marks")
    return None if evaluate is None else evaluate(item)


def _inner(holder: str, name: str) -> Any:
    """An unpublished name of a module; None if either is gone."""
    try:
        return getattr(importlib.import_module(holder), name, None)
    except ImportError:
        return None
