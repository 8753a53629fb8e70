"""The player's ``conftest.py`` files, loaded into a session of pytest that was opened before they existed.

Pytest loads those of the root and of ``test*`` folders before it collects, and others when it reaches their folders. It
sets up the late ones itself (fixtures of their folders, hooks, options); this module loads the early ones.
"""

from __future__ import annotations

import glob
import os
import sys
from typing import TYPE_CHECKING, cast

from .pytest_internals import forget_loaded_conftests, load_conftests_of, loaded_conftests, loading_conftests

if TYPE_CHECKING:
    import types

    import pytest

CONFTEST = "conftest.py"
_ITEM_HOOKS = ("pytest_runtest_", "pytest_pyfunc_call", "pytest_fixture_setup", "pytest_fixture_post_finalizer")
"""The beginnings of the names of hooks that affect how a test runs."""


def load_first_conftests(session: pytest.Session, root: str) -> None:
    """Load the conftest files that pytest loads before it collects.

    If one can't be loaded, pytest tries it again with its folder, which is then reported as broken.

    Args:
        session: The session, before anything is collected.
        root: The submission's folder, with a separator at its end.
    """
    folders = [root, *sorted(folder for folder in glob.glob(glob.escape(root) + "test*") if os.path.isdir(folder))]
    before = set(loaded_conftests(session))
    with loading_conftests(session):
        for folder in folders:
            try:
                load_conftests_of(session, folder)
            except Exception:  # noqa: BLE001 - loading runs the player's code
                _forget_half_loaded(session, root)
    for module in loaded_conftests(session):
        if module not in before and hasattr(module, "pytest_sessionstart"):
            _call_session_start(session, module)


def name_as_tests_do(module: object) -> None:
    """Make ``from conftest import X`` use the module that pytest has loaded, instead of a second copy.

    Pytest is set to name it after its path, but tests outside packages import it by its plain name.
    """
    path = str(getattr(module, "__file__", None) or "")
    if os.path.basename(path) == CONFTEST and not os.path.exists(os.path.join(os.path.dirname(path), "__init__.py")):
        sys.modules[CONFTEST.partition(".")[0]] = cast("types.ModuleType", module)


def _forget_half_loaded(session: pytest.Session, root: str) -> None:
    conftests = loaded_conftests(session)
    for name, module in list(sys.modules.items()):
        path = str(getattr(module, "__file__", None) or "")
        if path.startswith(root) and path.endswith(os.sep + CONFTEST) and module not in conftests:
            del sys.modules[name]


def _call_session_start(session: pytest.Session, module: object) -> None:
    """Call the session-start hook of a module that was loaded after the session had started."""
    manager = session.config.pluginmanager
    other_plugins = [plugin for plugin in manager.get_plugins() if plugin is not module]
    manager.subset_hook_caller("pytest_sessionstart", other_plugins)(session=session)


def forget_conftests(session: pytest.Session) -> None:
    """Make pytest reload all conftest files when their folders are next collected."""
    manager = session.config.pluginmanager
    for module in loaded_conftests(session):
        manager.unregister(module)
        for name in [name for name, other in sys.modules.items() if other is module]:
            del sys.modules[name]
    forget_loaded_conftests(session)


def have_item_hooks(session: pytest.Session, root: str) -> bool:
    """Whether hooks of the player's affect how each test runs."""
    return any(
        name.startswith(_ITEM_HOOKS)
        for plugin in session.config.pluginmanager.get_plugins()
        if str(getattr(plugin, "__file__", None) or "").startswith(root)
        for name in dir(plugin)
    )
