"""The settings of one call: flags first, then ``EVALFORGE_*``, then ``config.toml``."""

import os
import tomllib
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args

from evalforge.judges.registry import default_judge
from evalforge.llm.options import ModelOptions
from evalforge.model.errors import UsageError
from evalforge.packs.locations import HISTORY, boss_folders, state_folder
from evalforge.packs.path_checks import expand_home, file_fault, folder_fault

Motion = Literal["full", "reduced", "none"]
_SETTING_NAMES = frozenset({"base_url", "bosses", "budget", "judge", "model", "motion", "python", "theme"})


@dataclass(frozen=True)
class Settings:
    """Where to look and how to behave."""

    home: Path
    bosses: tuple[Path, ...]
    judge: str = "forge"
    motion: Motion = "full"
    theme: str = ""
    models: ModelOptions = field(default_factory=ModelOptions)
    python: str = ""
    trusted: bool = False

    @property
    def history(self) -> Path:
        """The database of attempts."""
        return self.home / HISTORY


def load(arguments: Namespace) -> Settings:
    """Put the settings together.

    Raises:
        UsageError: A flag, a variable or the configuration holds something that can't be used.
    """
    folder = state_folder()
    config = _config(folder / "config.toml")
    named_folders: list[Path] = list(getattr(arguments, "bosses", None) or [])
    for path in named_folders:
        if fault := folder_fault(path):
            raise UsageError(f"--bosses {path} {fault}.")
    configured_folders = [expand_home(str(path)) for path in cast("list[Any]", config.get("bosses", []))]
    motion = _choose(arguments, config, "motion", "full")
    if motion not in get_args(Motion):
        raise UsageError(f"motion can't be {motion!r}.", "It is full, reduced or none.")
    models = _models(arguments, config)
    return Settings(
        home=folder,
        bosses=boss_folders((*named_folders, *configured_folders)),
        judge=_choose(arguments, config, "judge", "") or default_judge(models),
        motion=cast("Motion", motion),
        theme=_choose(arguments, config, "theme", ""),
        models=models,
        python=_interpreter(_choose(arguments, config, "python", ""), _source(arguments, folder, "python")),
        # Said each time, on the command line: nobody trusts code by a setting they forgot.
        trusted=getattr(arguments, "trusted", False),
    )


def _interpreter(name: str, source: str) -> str:
    if not name:
        return ""
    path = expand_home(name)
    if fault := file_fault(path):
        raise UsageError(f"{source} {name} {fault}.", "Name an interpreter of Python.")
    # Not resolved: a virtual environment's interpreter is a link, and would lose its packages.
    return str(path.absolute())


def _models(arguments: Namespace, config: dict[str, Any]) -> ModelOptions:
    configured = config.get("model", "")
    listed = ",".join(map(str, cast("list[Any]", configured))) if isinstance(configured, list) else str(configured)
    models = _choose(arguments, {"model": listed}, "model", "")
    budget = _choose(arguments, config, "budget", "")
    return ModelOptions(
        models=tuple(name for part in models.split(",") if (name := part.strip())),
        base_url=_choose(arguments, config, "base_url", ""),
        budget=_dollars(budget) if budget else None,
    )


def _dollars(text: str) -> float:
    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf"):
        raise UsageError(f"budget can't be {text!r}.", "It is a number of dollars, e.g. 0.50.")
    return amount


def _choose(arguments: Namespace, config: dict[str, Any], name: str, default: str) -> str:
    values = (getattr(arguments, name, None), os.environ.get(f"EVALFORGE_{name.upper()}"), config.get(name))
    return next((str(value) for value in values if value not in (None, "")), default)


def _source(arguments: Namespace, folder: Path, name: str) -> str:
    """Where a setting comes from, as people know it."""
    variable = f"EVALFORGE_{name.upper()}"
    if getattr(arguments, name, None):
        return f"--{name.replace('_', '-')}"
    return variable if os.environ.get(variable) else f"{folder / 'config.toml'}: {name}"


def _config(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            config = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}.", "Mend it or move it away.") from None
    unknown = sorted(set(config) - _SETTING_NAMES)
    if unknown:
        raise UsageError(f"{path}: {unknown[0]!r} is not a setting.", f"Settings: {', '.join(sorted(_SETTING_NAMES))}.")
    if not isinstance(config.get("bosses", []), list):
        raise UsageError(f"{path}: bosses is a list of folders.")
    return config
