"""Tests that hooks of the player's conftest files leave out, or claim to have called.

There may be good reasons for such a hook, such as slow tests or a missing server. So left-out tests are kept, run once,
and count only if one of their checks fails on the program. A test that a hook claims to have called is called anyway.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from . import pytest_internals
from .suite_session import AROUND_ALL

if TYPE_CHECKING:
    import pytest


class LeftOutTests:
    """A pytest plugin that keeps the tests that hooks leave out; its hooks wrap all others."""

    hook_options: ClassVar[dict[str, dict[str, bool]]] = {
        "pytest_pycollect_makeitem": AROUND_ALL,
        "pytest_collection_modifyitems": AROUND_ALL,
        "pytest_pyfunc_call": AROUND_ALL,
    }

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: object) -> Generator[None, Any, None]:
        """Keep the tests of a name in a test file if a hook says that it has none."""
        outcome = yield
        if outcome.get_result() == []:
            make = self._call_without_player("pytest_pycollect_makeitem", collector.config)
            made: Any = make(collector=collector, name=name, obj=obj)
            nodes = cast("list[Any]", made) if isinstance(made, list) else [made] if made else []
            for node in nodes:
                self.items += collector.session.genitems(node)

    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> Iterator[None]:
        """Keep the tests that hooks remove; those that options deselect don't count."""
        wanted = list(items)
        self._call_without_player("pytest_collection_modifyitems", config)(session=session, config=config, items=wanted)
        yield
        kept_ids = set(map(id, items))
        self.items += [item for item in wanted if id(item) not in kept_ids]

    def _call_without_player(self, hook: str, config: pytest.Config) -> Callable[..., Any]:
        """A hook that calls pytest's own plugins alone."""
        root = str(config.rootpath)
        plugins = config.pluginmanager.get_plugins()
        players = [plugin for plugin in plugins if str(getattr(plugin, "__file__", None) or "").startswith(root)]
        return config.pluginmanager.subset_hook_caller(hook, [self, *players])

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
        """Call a test function if a hook only claims to have done so."""
        function, calls = pyfuncitem.obj, [0]
        pyfuncitem.obj = _counting_calls(function, calls)
        outcome = yield
        pyfuncitem.obj = function
        if calls[0] or outcome.excinfo is not None:
            return
        try:
            pytest_internals.call_with_fixtures(pyfuncitem, function)
        except BaseException as error:  # noqa: BLE001 - a test may raise anything
            outcome.force_exception(error)


def _counting_calls(function: Callable[..., Any], calls: list[int]) -> Callable[..., Any]:
    """A wrapper that counts calls of a function; a coroutine function stays one, since hooks check for that."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        return function(*args, **kwargs)

    @functools.wraps(function)
    async def call_coroutine(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        return await function(*args, **kwargs)

    return call_coroutine if inspect.iscoroutinefunction(function) else call
