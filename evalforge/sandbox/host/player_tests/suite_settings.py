"""The player's settings for pytest, put in force in a session that was opened without them."""

from __future__ import annotations

import contextlib
import io
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

_MARKS_OF_PLUGINS = ("asyncio", "anyio", "trio", "timeout", "flaky", "benchmark", "slow", "order", "hypothesis")
"""Marks that their plugins would register, if they were there."""


def apply_settings(session: pytest.Session, path: str) -> None:
    """Put the settings of a file in force; one that can't be read has none.

    Args:
        session: The session, in which nothing is collected.
        path: The file.
    """
    from _pytest import outcomes
    from _pytest.config import findpaths

    config: Any = session.config
    with contextlib.suppress(Exception, outcomes.fail.Exception):
        values: Any = findpaths.load_config_dict_from_file(pathlib.Path(path))
        settings: Any = getattr(config, "_inicfg", None)  # from pytest 9 on
        (config.inicfg if settings is None else settings).update(values)
        config._inicache.clear()  # noqa: SLF001
        for name in _MARKS_OF_PLUGINS:
            config.addinivalue_line("markers", name)


def apply_options(session: pytest.Session, arguments: list[str]) -> None:
    """Put options in force: those that choose tests, and those that conftest files define.

    Args:
        session: The session, in which the first conftest files are loaded.
        arguments: The options, as on a command line.
    """
    config: Any = session.config
    parse = config._parser.parse_known_args  # noqa: SLF001
    with contextlib.suppress(Exception, SystemExit), contextlib.redirect_stderr(io.StringIO()):
        usual: dict[str, Any] = parse([]).__dict__
        options: dict[str, Any] = parse(arguments).__dict__
        config.option.__dict__.update({name: value for name, value in options.items() if value != usual.get(name)})
