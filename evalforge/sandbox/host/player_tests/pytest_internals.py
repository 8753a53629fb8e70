"""Unpublished names of pytest, all in one place, because any release may drop them.

If one is missing, a feature degrades but still works: pytest itself calls each test, or a mark isn't understood. A
test imports what is imported here, and reports what is missing in which version.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pytest


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


def call_with_fixtures(item: pytest.Function, function: Callable[..., Any]) -> bool:
    """Call the function of a test, to its end if it is a coroutine; False if its fixtures aren't known."""
    needs = fixture_needs(item)
    if needs is None:
        return False
    result = function(**{name: item.funcargs[name] for name in needs.arguments})
    if inspect.iscoroutine(result):
        asyncio.run(result)
    return True


def active_xfail_mark(item: pytest.Item) -> Any:
    """A test's ``xfail`` mark if its condition holds, or None; raises what the player's condition raises."""
    try:
        from _pytest.skipping import evaluate_xfail_marks
    except ImportError:
        return None
    return evaluate_xfail_marks(item)
