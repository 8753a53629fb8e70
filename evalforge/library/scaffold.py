"""A starter folder for a boss; never overwrites anything."""

import shutil
from pathlib import Path

from evalforge.library.pack import BossPack
from evalforge.model.errors import UsageError


def is_free(directory: Path) -> bool:
    """Whether nothing is there yet, or a folder that is empty.

    Raises:
        OSError: It can't be looked at.
    """
    return not directory.exists() or (directory.is_dir() and not any(directory.iterdir()))


def create(pack: BossPack, directory: Path) -> Path:
    """Copy a boss's starter to a new folder (an existing one must be empty).

    Raises:
        UsageError: The folder holds something already, can't be written, or the boss has no starter.
    """
    if not pack.starter.is_dir():
        raise UsageError(f"{pack.definition.title} has no starter folder.", "Begin with an empty folder of your own.")
    try:
        if not is_free(directory):
            raise UsageError(
                f"{directory} already holds something.", "Nothing was changed: name a new or empty folder."
            )
        directory.mkdir(parents=True, exist_ok=True)
        for source in sorted(pack.starter.rglob("*")):
            if "__pycache__" in source.parts:
                continue
            target = directory / source.relative_to(pack.starter)
            if source.is_dir():
                target.mkdir(exist_ok=True)
            else:
                shutil.copyfile(source, target)
    except OSError as error:
        raise UsageError(f"{directory} can't be written ({error.strerror}).") from None
    return directory
