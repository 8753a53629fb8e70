"""Names of pytest that it doesn't publish, all in one place, as any release may drop them.

Where one is gone, what needs it gets weaker and goes on: a setting isn't read, a conftest file is left to pytest. The
table ``INNER_NAMES`` is held against the installed pytest by a test, which says what is missing in which version.
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
"""Module and name. Names that only objects have, such as ``_conftest_plugins``, are tried by running."""


class FixtureNeeds(NamedTuple):
    """What a test function asks for.

    Attributes:
        arguments: Names of the fixtures and parameters that it takes.
        closure: Names of all fixtures that are set up for it.
        definitions: The fixture definitions behind a name.
    """

    arguments: Sequence[str]
    closure: Sequence[str]
    definitions: dict[str, Sequence[Any]]


def fixture_needs(function: pytest.Function) -> FixtureNeeds | None:
    """The fixtures of a test function; None if pytest no longer says so where it did."""
    info: Any = getattr(function, "_fixtureinfo", None)
    if info is None:
        return None
    return FixtureNeeds(info.argnames, info.names_closure, info.name2fixturedefs)


def run_protocol(item: pytest.Item, next_item: pytest.Item | None) -> list[pytest.TestReport]:
    """Set up, call and tear down a test; gives the reports of these phases, and logs none."""
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
    """A plugin that keeps what is reported while a test runs by pytest's public hook."""

    def __init__(self) -> None:
        self.reports: list[Any] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of one phase."""
        self.reports.append(report)


def warning_filters(item: pytest.Item) -> contextlib.AbstractContextManager[object]:
    """The warning filters that a test or the settings ask for."""
    if item.get_closest_marker("filterwarnings") is None and not item.config.getini("filterwarnings"):
        return contextlib.nullcontext()
    catch_warnings = _inner("_pytest.warnings", "catch_warnings_for_item")
    if catch_warnings is None:
        return contextlib.nullcontext()
    return catch_warnings(config=item.config, ihook=item.ihook, when="runtest", item=item)


def active_xfail_mark(item: pytest.Item) -> Any:
    """The mark ``xfail`` of a test whose condition holds, or None; raises what a condition of the player's raises."""
    evaluate = _inner("_pytest.skipping", "evaluate_xfail_marks")
    return None if evaluate is None else evaluate(item)


def make_items(collector: Any, name: str, obj: object) -> list[Any]:
    """The nodes that pytest itself makes of a name in a test file."""
    make = _inner("_pytest.python", "pytest_pycollect_makeitem")
    made: Any = make(collector, name, obj) if make else None
    if made is None:
        return []
    return cast("list[Any]", made) if isinstance(made, list) else [made]


def selected_items(config: pytest.Config, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Those of the tests that the options ``-k`` and ``-m`` leave in."""
    selected = list(items)
    select = _inner("_pytest.mark", "pytest_collection_modifyitems")
    if select is not None:
        select(selected, config)
    return selected


def put_temporary_files(session: pytest.Session, folder: str) -> None:
    """Have ``tmp_path`` make its folders in this one, without numbers and locks."""
    factory: Any = getattr(session.config, "_tmp_path_factory", None)
    if hasattr(factory, "_given_basetemp"):
        factory.__dict__["_given_basetemp"] = pathlib.Path(folder)


def apply_settings_file(config: Any, path: str) -> None:
    """Put the settings of a file in force. Raises what pytest raises for one that can't be read."""
    load = _inner("_pytest.config.findpaths", "load_config_dict_from_file")
    settings: Any = getattr(config, "_inicfg", None)  # from pytest 9 on
    settings = getattr(config, "inicfg", None) if settings is None else settings
    if load is None or settings is None:
        return
    settings.update(load(pathlib.Path(path)))
    getattr(config, "_inicache", {}).clear()


def parsed_options(config: Any, arguments: Sequence[str]) -> dict[str, Any]:
    """Options by name, as pytest and its plugins read them from a command line. Raises what the parser raises."""
    parser: Any = getattr(config, "_parser", None)
    return {} if parser is None else {**vars(parser.parse_known_args(list(arguments)))}


def loaded_conftests(session: pytest.Session) -> list[object]:
    """The modules of all conftest files that are loaded."""
    modules: Any = getattr(session.config.pluginmanager, "_conftest_plugins", ())
    return list(modules)


@contextlib.contextmanager
def loading_conftests(session: pytest.Session) -> Any:
    """While conftest files are loaded that may name further plugins, as before a session is configured."""
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

    Does nothing where pytest has no such function any more: it loads them itself when it comes by the folder.
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
    """Have pytest look for conftest files anew in every folder."""
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
