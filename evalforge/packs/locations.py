"""Folders: those shipped with the game, the user's own, and the state folder."""

import os
from pathlib import Path

from evalforge.packs.path_checks import expand_home

HISTORY = "attempts.sqlite3"
"""The file name of the history in the state folder."""

_PACKAGE = Path(__file__).resolve().parent.parent


def _shipped(name: str) -> Path:
    """A wheel carries the folder inside the package; a checkout has it beside the package."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def shipped_bosses() -> Path:
    """The folder of boss packs that come with the game."""
    return _shipped("bosses")


def user_bosses(state: Path) -> Path:
    """The folder of the user's own packs: the lab saves versions of shipped ones there. It may not exist.

    Args:
        state: The state folder.
    """
    return state / "bosses"


def shipped_sprites() -> Path:
    """The folder of sprites that come with the game."""
    return _shipped("assets") / "sprites"


def boss_folders(extra: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Every folder searched for packs: ``extra``, ``EVALFORGE_BOSSES``, the user's own, and last the shipped one."""
    from_environment = os.environ.get("EVALFORGE_BOSSES", "").split(os.pathsep)
    folders = [
        *extra,
        *(expand_home(name) for name in from_environment if name),
        user_bosses(state_folder()),
        shipped_bosses(),
    ]
    return tuple(dict.fromkeys(folder.absolute() for folder in folders))


def state_folder() -> Path:
    """The state folder: ``EVALFORGE_HOME``, or the platform's user data folder. It may not exist yet."""
    chosen = os.environ.get("EVALFORGE_HOME")
    if chosen:
        return expand_home(chosen).absolute()
    from platformdirs import user_data_path

    return user_data_path("evalforge", appauthor=False)
