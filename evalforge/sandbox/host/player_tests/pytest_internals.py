"""Unpublished names of pytest, all in one place, because any release may drop them.

If one is missing, a feature degrades but still works: a setting isn't read, or a conftest file is left to pytest. A
test compares the table ``INNER_NAMES`` with the installed pytest, and reports what is missing in which version.
"""

from __future__ import annotations

import contextlib
import importlib
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    import pytest

INNER_NAMES = (
    ("_pytest.config", "PytestPluginManager._loadconftestmodules"),
    ("_pytest.config.findpaths", "load_config_dict_from_file"),
    ("_pytest.mark", "pytest_collection_modifyitems"),
    ("_pytest.python", "pytest_pycollect_makeitem"),
    ("_pytest.runner", "runtestprotocol"),
    ("_pytest.skipping", "evaluate_xfail_marks"),
    ("_pytest.warnings", "catch_warnings_for_item"),
)
"""Module and name. Names that only objects have, such as ``_conftest_plugins``, are tested by running."""


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


def run_protocol(item: pytest.Item, next_item: pytest.Item | None) -> list[pytest.TestReport]:
    """Set up, call and tear down a test; returns the reports of these phases without logging them."""
    run = _inner("_pytest.runner", "runtestprotocol")
    if run is not None:
        return run(item, log=False, nextitem=next_item)
    reports = _ReportCollector()
    item.config.pluginmanager.register(reports)
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=next_item)
    finally:
        item.config.pluginmanager.unregister(reports)
    return reports.reports


class _ReportCollector:
    """A plugin that keeps the reports of pytest's public hook while a test runs."""

    def __init__(self) -> None:
        self.reports: list[Any] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of one phase."""
        self.reports.append(report)


def warning_filters(item: pytest.Item) -> contextlib.AbstractContextManager[object]:
    """The warning filters set by a test or by the settings."""
    if item.get_closest_marker("filterwarnings") is None and not item.config.getini("filterwarnings"):
        return contextlib.nullcontext()
    catch_warnings = _inner("_pytest.warnings", "catch_warnings_for_item")
    if catch_warnings is None:
        return contextlib.nullcontext()
    return catch_warnings(config=item.config, ihook=item.ihook, when="runtest", item=item)


def active_xfail_mark(item: pytest.Item) -> Any:
    """A test's ``xfail`` mark if its condition holds, or None; raises what the player's condition raises."""
    evaluate = _inner("_pytest.skipping", "evaluate_xfail_marks")
    return None if evaluate is None else evaluate(item)


def make_items(collector: Any, name: str, obj: object) -> list[Any]:
    """The nodes that pytest itself makes from a name in a test file."""
    make = _inner("_pytest.python", "pytest_pycollect_makeitem")
    made: Any = make(collector, name, obj) if make else None
    if made is None:
        return []
    return cast("list[Any]", made) if isinstance(made, list) else [made]


def selected_items(config: pytest.Config, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests that the options ``-k`` and ``-m`` select."""
    selected = list(items)
    select = _inner("_pytest.mark", "pytest_collection_modifyitems")
    if select is not None:
        select(selected, config)
    return selected


def put_temporary_files(session: pytest.Session, folder: str) -> None:
    """Make ``tmp_path`` create its folders in this folder, without numbers and locks."""
    factory: Any = getattr(session.config, "_tmp_path_factory", None)
    if hasattr(factory, "_given_basetemp"):
        factory.__dict__["_given_basetemp"] = pathlib.Path(folder)


def apply_settings_file(config: Any, path: str) -> None:
    """Apply the settings in a file; raises what pytest raises for an unreadable one."""
    load = _inner("_pytest.config.findpaths", "load_config_dict_from_file")
    settings: Any = getattr(config, "_inicfg", None)  # since pytest 9
    settings = getattr(config, "inicfg", None) if settings is None else settings
    if load is None or settings is None:
        return
    settings.update(load(pathlib.Path(path)))
    getattr(config, "_inicache", {}).clear()


def parsed_options(config: Any, arguments: Sequence[str]) -> dict[str, Any]:
    """Options by name, as pytest and its plugins parse them from a command line; raises what the parser raises."""
    parser: Any = getattr(config, "_parser", None)
    return {} if parser is None else {**vars(parser.parse_known_args(list(arguments)))}


def loaded_conftests(session: pytest.Session) -> list[object]:
    """The modules of all conftest files that are loaded."""
    modules: Any = getattr(session.config.pluginmanager, "_conftest_plugins", ())
    return list(modules)


@contextlib.contextmanager
def loading_conftests(session: pytest.Session) -> Any:
    """A context in which conftest files may name further plugins, as before a session is configured."""
    manager: Any = session.config.pluginmanager
    has_flag = hasattr(manager, "_configured")
    if has_flag:
        manager.__dict__["_configured"] = False
    try:
        yield
    finally:
        if has_flag:
            manager.__dict__["_configured"] = True


def load_conftests_of(session: pytest.Session, folder: str) -> None:
    """Load the conftest files of a folder and those above it; raises what loading raises.

    Does nothing if pytest no longer has this function, because it loads them itself when it reaches the folder.
    """
    load: Any = getattr(session.config.pluginmanager, "_loadconftestmodules", None)
    if load is not None:
        load(
            pathlib.Path(folder),
            session.config.getoption("importmode"),
            session.config.rootpath,
            consider_namespace_packages=session.config.getini("consider_namespace_packages"),
        )


def forget_loaded_conftests(session: pytest.Session) -> None:
    """Make pytest look for conftest files again in every folder."""
    manager: Any = session.config.pluginmanager
    for name in ("_conftest_plugins", "_dirpath2confmods"):
        with contextlib.suppress(AttributeError):
            getattr(manager, name).clear()


def _inner(holder: str, name: str) -> Any:
    """An unpublished name of a module; None if either is gone."""
    try:
        return getattr(importlib.import_module(holder), name, None)
    except ImportError:
        return None
