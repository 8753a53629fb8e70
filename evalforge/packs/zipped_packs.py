"""Packs in a zip, opened like a folder: each is unpacked once into the state folder, under the hash of the zip."""

import hashlib
import zipfile
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.file_tree import read_tree
from evalforge.packs.path_checks import is_folder

_MAX_BYTES = 200_000_000


def open_zipped(path: Path, state: Path) -> Path:
    """Unpack a zip, unless that was done before, and return the folder.

    Args:
        path: The zip file.
        state: EvalForge's state folder.

    Raises:
        UsageError: It isn't a zip, exceeds a limit, has a path that leads out of it, or can't be unpacked.
    """
    try:
        folder = state / "opened" / hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        if not is_folder(folder):
            if not zipfile.is_zipfile(path):
                raise UsageError(
                    f"{path} isn't a zip file that can be opened.", "Download it again, or unpack it yourself."
                )
            read_tree(path, _MAX_BYTES).write(folder)
    except OSError as error:
        raise UsageError(f"{path} can't be unpacked ({error.strerror or error}).") from None
    return folder
