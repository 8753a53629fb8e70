"""Where things are: shipped folders, folders of the user, the folder that holds our state."""

import os
from pathlib import Path

HISTORY = "attempts.sqlite3"
"""The name of the history in the folder of our state."""

_PACKAGE = Path(__file__).resolve().parent.parent


def _shipped(name: str) -> Path:
    """A wheel carries the folder inside the package; a checkout has it beside the package."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def shipped_bosses() -> Path:
    """The folder of boss packs that come with the game."""
    return _shipped("bosses")


def own_bosses(state: Path) -> Path:
    """The folder of the user's own packs: the lab saves versions of shipped ones there. It may not exist.

    Args:
        state: The folder of our state.
    """
    return state / "bosses"


def sprites() -> Path:
    """The folder of sprites that come with the game."""
    return _shipped("assets") / "sprites"


def boss_folders(extra: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Every folder searched for packs: given ones, ``EVALFORGE_BOSSES``, the user's own, last the shipped one."""
    named = os.environ.get("EVALFORGE_BOSSES", "").split(os.pathsep)
    folders = [*extra, *(Path(name).expanduser() for name in named if name), own_bosses(home()), shipped_bosses()]
    return tuple(dict.fromkeys(folder.absolute() for folder in folders))


def home() -> Path:
    """The folder of our state: ``EVALFORGE_HOME``, or the user data folder of the platform. It may not exist yet."""
    chosen = os.environ.get("EVALFORGE_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("evalforge", appauthor=False)
