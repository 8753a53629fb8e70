"""The player's settings for pytest, applied to a session that was opened without them."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

from . import pytest_internals

if TYPE_CHECKING:
    import pytest

_MARKS_OF_PLUGINS = ("asyncio", "anyio", "trio", "timeout", "flaky", "benchmark", "slow", "order", "hypothesis")
"""Marks that pytest plugins would register if they were installed."""


def apply_settings(session: pytest.Session, path: str) -> None:
    """Apply the settings in a file; one that can't be read has none.

    Args:
        session: The session, before anything is collected.
        path: The file.
    """
    import pytest

    with contextlib.suppress(Exception, pytest.fail.Exception):
        pytest_internals.apply_settings_file(session.config, path)
        for name in _MARKS_OF_PLUGINS:
            session.config.addinivalue_line("markers", name)


def apply_options(session: pytest.Session, arguments: list[str]) -> None:
    """Apply the options that select tests, and those that conftest files define.

    Args:
        session: The session, after its first conftest files were loaded.
        arguments: The options, as on a command line.
    """
    config = session.config
    with contextlib.suppress(Exception, SystemExit), contextlib.redirect_stderr(io.StringIO()):
        usual = pytest_internals.parsed_options(config, [])
        options = pytest_internals.parsed_options(config, arguments)
        config.option.__dict__.update({name: value for name, value in options.items() if value != usual.get(name)})
