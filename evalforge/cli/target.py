"""The boss and folder of a command that doesn't name both."""

from argparse import Namespace
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.boss_marker import marked_boss


def fill_in_target(arguments: Namespace) -> None:
    """Complete ``boss`` and ``directory`` from the marker of a folder that ``new`` created.

    Without a name the working directory is used; one name is a marked folder, or the working directory's boss.

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
        raise UsageError("The following arguments are required: DIR.", f"Name the folder, too: {name} DIR.")


def _marked_boss_of(name: str) -> str:
    return "" if "\0" in name else marked_boss(Path(name))
