"""The settings of one call; flags override ``EVALFORGE_*`` variables, which override ``config.toml``."""

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from evalforge.cli.output import print_note
from evalforge.model.errors import UsageError
from evalforge.packs.locations import HISTORY, boss_folders, config_file, state_folder
from evalforge.packs.path_checks import expand_home, folder_fault, interpreter_path, is_zip
from evalforge.packs.private_files import close_to_others, close_tree_to_others

if TYPE_CHECKING:
    from evalforge.llm.model_options import ModelOptions

Motion = Literal["full", "reduced", "none"]
Tone = Literal["lively", "plain"]


class Settings(NamedTuple):
    """The folders to use and the chosen behaviour.

    Attributes:
        chosen_judge: Name of the judge; empty if none was chosen.
        model_names: The models to ask; empty for the default.
        base_url: A server with the Messages API; empty for Anthropic's.
        budget: The most that all judging of a session may cost, in dollars; None for the default.
        folder: The folder for starters and exports; None if nothing was configured.
    """

    home: Path
    bosses: tuple[Path, ...]
    chosen_judge: str = ""
    motion: Motion = "full"
    tone: Tone = "lively"
    theme: str = ""
    bell: bool = False
    editor: str = ""
    model_names: tuple[str, ...] = ()
    base_url: str = ""
    budget: float | None = None
    python: str = ""
    trusted: bool = False
    folder: Path | None = None

    @property
    def models(self) -> "ModelOptions":
        """The models that a judge asks, and their server."""
        from evalforge.llm.model_options import ModelOptions  # listing bosses needs no model, and starts faster without

        return ModelOptions(self.model_names, self.base_url, self.budget)

    @property
    def judge(self) -> str:
        """The judge: the chosen one, else the default."""
        return self.chosen_judge or _default_judge(self.models)

    @property
    def solutions(self) -> Path:
        """The folder for the player's solutions: the configured one, or ``evalforge`` in their home folder."""
        return self.folder or expand_home("~/evalforge")

    @property
    def history(self) -> Path:
        """The path of the database of attempts."""
        return self.home / HISTORY


def load(arguments: Namespace) -> Settings:
    """Read the settings from options, environment and ``config.toml``.

    Raises:
        UsageError: A flag, a variable or the configuration has an invalid value.
    """
    folder = state_folder()
    for path, close in ((folder, close_tree_to_others), (folder / HISTORY, close_to_others)):
        if close(path):
            print_note(f"Other users of this machine could open {path}; that is closed now.")
    file = config_file()
    config = _config(file)
    named_folders: list[Path] = list(getattr(arguments, "bosses", None) or [])
    for path in named_folders:
        if not is_zip(path) and (fault := folder_fault(path)):
            raise UsageError(f"--bosses {path} {fault}.")
    configured_folders = [expand_home(str(path)) for path in cast("list[Any]", config.get("bosses", []))]
    budget = _choose(arguments, config, "budget", "")
    python = _choose(arguments, config, "python", "")
    return Settings(
        home=folder,
        bosses=boss_folders(_opened((*named_folders, *configured_folders), folder)),
        chosen_judge=_choose(arguments, config, "judge", ""),
        motion=cast("Motion", _choose_among(get_args(Motion), arguments, config, file, "motion")),
        tone=cast("Tone", _choose_among(get_args(Tone), arguments, config, file, "tone")),
        theme=_choose(arguments, config, "theme", ""),
        bell=_choose(arguments, config, "bell", "").lower() in ("true", "1"),
        editor=_choose(arguments, config, "editor", ""),
        model_names=_model_names(arguments, config),
        base_url=_choose(arguments, config, "base_url", ""),
        budget=_dollars(budget, _source(arguments, file, "budget")) if budget else None,
        python=interpreter_path(python, _source(arguments, file, "python")) if python else "",
        # Has to be repeated on the command line: nobody should trust code by a forgotten setting.
        trusted=getattr(arguments, "trusted", False),
        folder=expand_home(chosen).absolute() if (chosen := _choose(arguments, config, "folder", "")) else None,
    )


def _opened(folders: tuple[Path, ...], state: Path) -> tuple[Path, ...]:
    """Return the folders of packs; a zip is replaced by the folder it is unpacked to."""
    if not any(is_zip(folder) for folder in folders):
        return folders
    from evalforge.packs.zipped_packs import open_zipped

    return tuple(open_zipped(folder, state) if is_zip(folder) else folder for folder in folders)


def _default_judge(models: "ModelOptions") -> str:
    """Return the default judge. One that costs money is a person's choice: a key in a pipeline isn't enough."""
    if not models.is_local and not sys.stdout.isatty():
        return "forge"
    from evalforge.judges.availability import default_judge

    return default_judge(models)


def _model_names(arguments: Namespace, config: dict[str, Any]) -> tuple[str, ...]:
    configured = config.get("model", "")
    names = ",".join(map(str, cast("list[Any]", configured))) if isinstance(configured, list) else str(configured)
    text = _choose(arguments, {"model": names}, "model", "")
    if not text:
        return ()
    from evalforge.llm.model_options import split_models  # listing bosses needs no model, and starts faster without

    return split_models(text)


def _dollars(text: str, source: str) -> float:
    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf"):
        raise UsageError(f"{source} can't be {text!r}.", "Give an amount in dollars, e.g. 0.50.")
    return amount


def _choose(arguments: Namespace, config: dict[str, Any], name: str, default: str) -> str:
    values = (getattr(arguments, name, None), os.environ.get(f"EVALFORGE_{name.upper()}"), config.get(name))
    return next((str(value) for value in values if value not in (None, "")), default)


def _choose_among(values: tuple[str, ...], arguments: Namespace, config: dict[str, Any], file: Path, name: str) -> str:
    """Choose one of a setting's values, the first of which is the default.

    Raises:
        UsageError: Another value is set.
    """
    value = _choose(arguments, config, name, values[0])
    if value not in values:
        alternatives = f"{', '.join(values[:-1])} or {values[-1]}"
        raise UsageError(f"{_source(arguments, file, name)} can't be {value!r}.", f"Use {alternatives}.")
    return value


def _source(arguments: Namespace, file: Path, name: str) -> str:
    """Return where a setting comes from, in words for users."""
    variable = f"EVALFORGE_{name.upper()}"
    if getattr(arguments, name, None):
        return f"--{name.replace('_', '-')}"
    return variable if os.environ.get(variable) else f"{file}: {name}"


def _config(path: Path) -> dict[str, Any]:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _unreadable(path, error) from None
    import tomllib

    from evalforge.cli.setting_names import CONFIG_KEYS

    try:
        config = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    unknown = sorted(set(config) - CONFIG_KEYS)
    if unknown:
        raise UsageError(f"{path}: {unknown[0]!r} is not a setting.", f"Settings: {', '.join(sorted(CONFIG_KEYS))}.")
    if not isinstance(config.get("bosses", []), list):
        raise UsageError(f"{path}: bosses is a list of folders.")
    return config


def _unreadable(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path} can't be read: {error}.", "Fix it or move it away.")
