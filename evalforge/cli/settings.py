"""What was chosen: flags, then ``EVALFORGE_*``, then ``config.toml``."""

import os
import tomllib
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from evalforge.library.places import boss_folders, home
from evalforge.model.errors import UsageError

Motion = Literal["full", "reduced", "none"]
_KNOWN = frozenset({"bosses", "judge", "motion", "theme"})


@dataclass(frozen=True)
class Settings:
    """Where to look and how to behave."""

    home: Path
    bosses: tuple[Path, ...]
    judge: str = "forge"
    motion: Motion = "full"
    theme: str = ""

    @property
    def history(self) -> Path:
        """The database of attempts."""
        return self.home / "attempts.sqlite3"


def load(arguments: Namespace) -> Settings:
    """Put the settings together.

    Raises:
        UsageError: A flag, a variable or the configuration holds something that can't be used.
    """
    folder = home()
    config = _config(folder / "config.toml")
    given: list[Path] = list(getattr(arguments, "bosses", None) or [])
    for path in given:
        if not path.is_dir():
            raise UsageError(f"--bosses {path}: there is no such folder.")
    configured = [Path(str(path)).expanduser() for path in cast("list[Any]", config.get("bosses", []))]
    motion = _choose(arguments, config, "motion", "full")
    if motion not in get_args(Motion):
        raise UsageError(f"motion can't be {motion!r}.", "It is full, reduced or none.")
    return Settings(
        home=folder,
        bosses=boss_folders((*given, *configured)),
        judge=_choose(arguments, config, "judge", "forge"),
        motion=cast("Motion", motion),
        theme=_choose(arguments, config, "theme", ""),
    )


def _choose(arguments: Namespace, config: dict[str, Any], name: str, default: str) -> str:
    flag = getattr(arguments, name, None)
    return str(flag or os.environ.get(f"EVALFORGE_{name.upper()}") or config.get(name) or default)


def _config(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            config = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}.", "Mend it or move it away.") from None
    unknown = sorted(set(config) - _KNOWN)
    if unknown:
        raise UsageError(f"{path}: {unknown[0]!r} is not a setting.", f"Settings: {', '.join(sorted(_KNOWN))}.")
    if not isinstance(config.get("bosses", []), list):
        raise UsageError(f"{path}: bosses is a list of folders.")
    return config
