"""Tests that hooks of the player's conftest files leave out of the run, or say to have called without doing so.

Whoever writes such a hook may have good reasons: slow tests, a server that isn't there. So what is left out is kept,
run once, and counts only if a check of it fails on the program. A test that a hook claims to have called is called.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

from . import pytest_internals

if TYPE_CHECKING:
    import pytest


class LeftOutTests:
    """A pytest plugin that keeps what hooks leave out; each of its hooks goes around all others.

    Attributes:
        items: The tests left out.
    """

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: object) -> Generator[None, Any, None]:
        """What becomes of a name in a test file: a hook may say that it is nothing."""
        outcome = yield
        if outcome.get_result() == []:
            for node in pytest_internals.make_items(collector, name, obj):
                self.items += collector.session.genitems(node)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
        """Which tests are to run; those that options leave out were not left out by code."""
        wanted = pytest_internals.selected_items(config, items)
        yield
        kept_ids = set(map(id, items))
        self.items += [item for item in wanted if id(item) not in kept_ids]

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
        """The call of a test function."""
        function, calls = pyfuncitem.obj, [0]
        pyfuncitem.obj = _counting_calls(function, calls)
        outcome = yield
        pyfuncitem.obj = function
        needs = pytest_internals.fixture_needs(pyfuncitem)
        if calls[0] or outcome.excinfo is not None or needs is None:
            return
        try:
            result = function(**{name: pyfuncitem.funcargs[name] for name in needs.arguments})
            if inspect.iscoroutine(result):
                import asyncio

                asyncio.run(result)
        except BaseException as error:  # noqa: BLE001 - a test may raise anything
            outcome.force_exception(error)


def _counting_calls(function: Callable[..., Any], calls: list[int]) -> Callable[..., Any]:
    """The same function, which counts its calls; a coroutine function stays one, as hooks look for those."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        return function(*args, **kwargs)

    @functools.wraps(function)
    async def call_coroutine(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        return await function(*args, **kwargs)

    return call_coroutine if inspect.iscoroutinefunction(function) else call
