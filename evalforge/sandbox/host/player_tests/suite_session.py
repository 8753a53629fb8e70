"""A session of pytest as the player would open it: in their folder, with their settings, options and conftest files.

Pytest itself finds and loads the tests. A session is left where it would begin to collect, or to run them, and this
process goes on from there.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    import pytest

CONFTEST = "conftest.py"
_ARGUMENTS = (
    *("-p", "no:faulthandler"),  # we watch the time
    *("--assert=plain", "--tb=native", "--no-header"),  # reports are read by line, and nobody sees the rest
    "--capture=sys",  # open descriptors show that loading the tests leaves traces
    *("-o", "required_plugins="),
)
"""Nothing that chooses tests, or that decides whether they pass."""
EXPLAIN_CHECKS = ("--assert=rewrite",)
"""Makes a failed assertion say what it compared."""
_MARKS_OF_PLUGINS = ("asyncio", "anyio", "trio", "timeout", "flaky", "benchmark", "slow", "order", "hypothesis")
"""Marks that plugins would register if they were installed."""
_ITEM_HOOKS = ("pytest_runtest_", "pytest_pyfunc_call", "pytest_fixture_setup", "pytest_fixture_post_finalizer")
"""The beginnings of the names of hooks that affect how a test runs."""


AROUND_ALL = {"hookwrapper": True, "tryfirst": True}
"""Options of a hook that wraps those of all other plugins."""


class Plugin(Protocol):
    """A plugin of ours; pytest's decorators can't be used where pytest may be missing."""

    hook_options: ClassVar[dict[str, dict[str, bool]]]


class SessionPlugin:
    """A pytest plugin that leaves a session, and forgets what needs plugins that aren't installed.

    Args:
        before_collection: Called when tests would be collected; says whether to leave the session there.
        before_running: Called in place of running the tests that were collected.

    Attributes:
        was_left: Whether the session came to where it is left.
        unknown_options: Options of the player's settings that no plugin here knows.
        error: What ended the session sooner.
    """

    hook_options: ClassVar[dict[str, dict[str, bool]]] = {
        "pytest_load_initial_conftests": AROUND_ALL,
        "pytest_collection": {"tryfirst": True},
        "pytest_runtestloop": {"tryfirst": True},
    }

    def __init__(
        self, before_collection: Callable[[pytest.Session], bool], before_running: Callable[[pytest.Session], object]
    ) -> None:
        self._before_collection = before_collection
        self._before_running = before_running
        self.was_left = False
        self.unknown_options: list[str] = []
        self.error: BaseException | None = None

    def pytest_load_initial_conftests(self, early_config: pytest.Config, parser: Any, args: list[str]) -> Any:
        """Take out the options and settings of plugins that aren't here, once conftest files have added their own."""
        yield
        unknown = [word for word in parser.parse_known_and_unknown_args(list(args))[1] if word.startswith("-")]
        self.unknown_options += unknown
        args[:] = _without_options(args, frozenset(unknown))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no other public name lists them
            names = list(early_config.inicfg)  # pyright: ignore[reportDeprecated]
        for name in names:
            try:
                early_config.getini(name)
            except ValueError:
                parser.addini(name, "a setting of a plugin that isn't here", default=None)
            except Exception:  # noqa: BLE001, S110 - pytest itself says what is wrong with a known setting
                pass

    def pytest_configure(self, config: pytest.Config) -> None:
        """Know the marks of plugins that aren't here."""
        for name in _MARKS_OF_PLUGINS:
            config.addinivalue_line("markers", name)

    def pytest_collection(self, session: pytest.Session) -> bool | None:
        """Leave the session, or let pytest collect."""
        if self._before_collection(session):
            self.was_left = True
            return True
        return None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Leave the session."""
        if not self.was_left:
            self.was_left = True
            self._before_running(session)
        return True

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep what ended the session."""
        self.error = excinfo.value

    pytest_keyboard_interrupt = pytest_internalerror


def open_session(
    plugin: SessionPlugin, scratch: str, plugins: Sequence[Plugin] = (), extra_options: Sequence[str] = ()
) -> str:
    """Open a session in the working directory, and stay inside it until the plugin's function returns.

    Args:
        plugin: Where to leave the session.
        scratch: A folder for temporary files.
        plugins: Further plugins.
        extra_options: Options of pytest beside the usual ones.

    Returns:
        Why pytest could not go so far, in its own words; empty if it did.
    """
    import pytest

    for each in (plugin, *plugins):
        for name, options in each.hook_options.items():
            mark: Any = pytest.hookimpl
            mark(**options)(getattr(type(each), name))
    arguments = [*_ARGUMENTS, *extra_options, "--rootdir", os.getcwd(), "--basetemp", os.path.join(scratch, "pytest")]
    pytest.main(arguments, plugins=[plugin, *plugins])
    if plugin.was_left or plugin.error is not None:
        return ""
    text = io.StringIO()  # it has been printed where nobody reads: a second time tells
    with contextlib.redirect_stderr(text), contextlib.redirect_stdout(text):
        pytest.main(arguments, plugins=[plugin, *plugins])
    return text.getvalue().strip() or "pytest could not load the tests"


def end_search_for_settings(folder: str) -> None:
    """Make pytest look for settings no further up than in this folder: what lies above it isn't the player's."""
    with open(os.path.join(folder, "pytest.ini"), "w"):
        pass


def _without_options(arguments: Sequence[str], options: frozenset[str]) -> list[str]:
    """Arguments without these options, and without the words that follow one of them and name no file."""
    kept: list[str] = []
    follows_option = False
    for word in arguments:
        is_value = follows_option and not word.startswith("-") and not os.path.exists(word.partition("::")[0])
        follows_option = word in options and "=" not in word
        if word not in options and not is_value:
            kept.append(word)
    return kept


def affects_items(session: pytest.Session, root: str) -> bool:
    """Whether hooks of the player's affect how each test runs."""
    return any(
        name.startswith(_ITEM_HOOKS)
        for plugin in session.config.pluginmanager.get_plugins()
        if str(getattr(plugin, "__file__", None) or "").startswith(root)
        for name in dir(plugin)
    )


def loads_program(paths: Sequence[str]) -> bool:
    """Whether any of these files of the program is loaded, as by a conftest file that imports it."""
    files = frozenset(paths)
    return any(str(getattr(module, "__file__", None) or "") in files for module in list(sys.modules.values()))
