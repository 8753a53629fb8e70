"""Packs in a zip, opened like a folder: unpacked once into the state folder, by what the zip holds."""

import hashlib
import zipfile
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.file_tree import read_tree
from evalforge.packs.path_checks import is_folder

_MAX_BYTES = 200_000_000


def open_zipped(path: Path, state: Path) -> Path:
    """The folder that a zip is unpacked into; a zip that was unpacked before costs only a look.

    Args:
        path: The zip.
        state: EvalForge's state folder.

    Raises:
        UsageError: It is no zip, holds too much or a path that leads out of it, or it can't be unpacked.
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
