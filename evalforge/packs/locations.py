"""The folders of EvalForge: those shipped with the game, the user's own, and the state folder."""

import json
import os
import shlex
from pathlib import Path
from typing import cast

from evalforge.packs.path_checks import expand_home

HISTORY = "attempts.sqlite3"
"""The file name of the history in the state folder."""

CONFIGURATION = "config.toml"
"""The file name of the settings."""

_PACKAGE = Path(__file__).resolve().parent.parent


def _shipped(name: str) -> Path:
    """A shipped folder: inside the package if installed from a wheel, beside it in a checkout."""
    packaged = _PACKAGE / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def shipped_bosses() -> Path:
    """The folder of boss packs that come with the game."""
    return _shipped("bosses")


def user_bosses(state: Path) -> Path:
    """The folder of the user's own packs: the lab saves versions of shipped ones there. It may not exist."""
    return state / "bosses"


def evidence_cache_folder(state: Path) -> Path:
    """The folder of evidence that was measured before. It may not exist."""
    return state / "lab" / "evidence"


def reply_cache_folder(state: Path) -> Path:
    """The folder of the replies that models gave before. It may not exist."""
    return state / "replies"


def shipped_sprites() -> Path:
    """The folder of sprites that come with the game."""
    return _shipped("assets") / "sprites"


def added_packs_folder() -> Path:
    """The folder of packs that were added from elsewhere. It may not exist."""
    return state_folder() / "added"


def added_packs_file() -> Path:
    """The file that lists the added packs. It may not exist."""
    return state_folder() / "packs.json"


def trusted_packs() -> tuple[Path, ...]:
    """The folders of added packs whose trials may run. None of their files is opened, since every start calls this."""
    try:
        entries: object = json.loads(added_packs_file().read_bytes())
        packs = cast("dict[str, dict[str, object]]", entries).items()
        return tuple(added_packs_folder() / slug for slug, pack in packs if pack.get("is_trusted") is True)
    except (OSError, ValueError, AttributeError):
        return ()


def boss_folders(extra: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Every folder with packs: ``extra``, ``EVALFORGE_BOSSES``, the user's own, trusted ones, the shipped one."""
    from_environment = os.environ.get("EVALFORGE_BOSSES", "").split(os.pathsep)
    folders = [
        *extra,
        *(expand_home(name) for name in from_environment if name),
        user_bosses(state_folder()),
        *trusted_packs(),
        shipped_bosses(),
    ]
    return tuple(dict.fromkeys(folder.absolute() for folder in folders))


def bosses_option(pack: Path) -> str:
    """The option that a command needs to find a pack: `` --bosses DIR``, or nothing if it is found without.

    Args:
        pack: The pack's folder.
    """
    folder = pack.absolute().parent
    return "" if folder in boss_folders() else f" --bosses {shlex.quote(short_path(folder))}"


def short_path(path: Path) -> str:
    """A path relative to the working directory if it is below it, else absolute."""
    absolute, here = path.absolute(), Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def state_folder() -> Path:
    """The state folder: ``EVALFORGE_HOME``, or the platform's user data folder. It may not exist yet."""
    folder = os.environ.get("EVALFORGE_HOME")
    if folder:
        return expand_home(folder).absolute()
    from platformdirs import user_data_path

    return user_data_path("evalforge", appauthor=False)


def config_file() -> Path:
    """The file of settings: in ``EVALFORGE_HOME``, else in the platform's folder for settings (``XDG_CONFIG_HOME``).

    A file in the state folder, its former place, is used as long as the new one doesn't exist. Neither may exist.
    """
    former = state_folder() / CONFIGURATION
    if os.environ.get("EVALFORGE_HOME"):
        return former
    from platformdirs import user_config_path

    path = user_config_path("evalforge", appauthor=False) / CONFIGURATION
    return former if former.exists() and not path.exists() else path
