"""A starter folder for a boss; never overwrites anything."""

from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import fill_folder, is_missing_or_empty
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import is_folder


def create_starter(pack: BossPack, directory: Path) -> Path:
    """Copy a boss's starter to a new folder (an existing one must be empty).

    Raises:
        UsageError: The folder holds something already, can't be written, or the boss has no starter.
    """
    if not is_folder(pack.starter):
        raise UsageError(f"{pack.definition.title} has no starter folder.", "Begin with an empty folder of your own.")
    try:
        if not is_missing_or_empty(directory):
            raise UsageError(
                f"{directory} already holds something.", "Nothing was changed: name a new or empty folder."
            )
        files = files_below(pack.starter)
        fill_folder(directory, ((path.relative_to(pack.starter).as_posix(), path.read_bytes()) for path in files))
    except OSError as error:
        raise UsageError(f"{directory} can't be written ({error.strerror}).") from None
    return directory
