"""The boss and folder of a command that doesn't name both."""

import shlex
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.history.store import History
from evalforge.model.errors import HistoryError, UsageError
from evalforge.packs.boss_marker import marked_boss
from evalforge.packs.path_checks import is_folder


def fill_in_target(arguments: Namespace) -> None:
    """Complete ``boss`` and ``directory`` from the marker of a folder that ``new`` created.

    Without a name the working directory is used; one name is a marked folder, or a boss, whose folder is the working
    directory if that was made for it, and else its last one.

    Raises:
        UsageError: The boss or the folder can't be determined.
    """
    name: str | None = arguments.boss
    if arguments.directory is not None:
        return
    here = Path()
    boss_here = marked_boss(here)
    if name is None:
        if not boss_here:
            raise UsageError(
                "This folder doesn't say which boss it is for.",
                "Name both, BOSS DIR, or change to a folder that `evalforge new` made.",
            )
        arguments.boss, arguments.directory = boss_here, here
    elif boss_of_folder := _marked_boss_of(name):
        arguments.boss, arguments.directory = boss_of_folder, Path(name)
    elif name == boss_here:
        arguments.directory = here
    else:
        arguments.directory = _last_folder(arguments, name)


def _last_folder(arguments: Namespace, boss: str) -> Path:
    """The folder that was last made or judged for a boss, if the user wants it.

    Raises:
        UsageError: There is none, they don't, or there is no terminal to ask on.
    """
    folder = next(filter(is_folder, _recent_folders(arguments, boss)), None)
    if folder and output.confirm(f"Take {folder}?", unasked=False):
        return folder
    folder_words = shlex.quote(str(folder)) if folder else "DIR"
    raise UsageError("The following arguments are required: DIR.", f"Name the folder, too: {boss} {folder_words}.")


def _recent_folders(arguments: Namespace, boss: str) -> list[Path]:
    path = settings.load(arguments).history
    if not path.is_file():
        return []
    with suppress(HistoryError), History(path) as history:
        return [Path(folder) for folder in history.recent_directories(boss)]
    return []


def _marked_boss_of(name: str) -> str:
    return "" if "\0" in name else marked_boss(Path(name))
