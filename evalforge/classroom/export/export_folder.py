"""A folder of exported files, without leftovers of earlier exports."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from evalforge.packs.atomic_files import read_json_object, write_text

_LIST = ".evalforge-export.json"
"""Lists the files of an export with their hashes, so that the next export knows which are unchanged files of ours."""


class ExportFolder:
    """Writes files, and at the end removes files of the previous export that weren't written again.

    A file that has been changed since is kept.

    Args:
        folder: The folder; it is created with the first file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hashes: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def write(self, name: str, text: str) -> None:
        """Write one file.

        Raises:
            UsageError: It can't be written.
        """
        write_text(self._folder / name, text)
        self._hashes[name] = _hash(text.encode("utf-8", "replace"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        for name, stored_hash in read_json_object(self._folder / _LIST).items():
            if name not in self._hashes and ".." not in Path(name).parts and not Path(name).is_absolute():
                self._remove(self._folder / name, stored_hash)
        if self._hashes:
            write_text(self._folder / _LIST, json.dumps(self._hashes, indent=1) + "\n")

    def _remove(self, path: Path, stored_hash: object) -> None:
        with suppress(OSError):
            if not path.is_symlink() and _hash(path.read_bytes()) == stored_hash:
                path.unlink()
                if path.parent != self._folder:
                    path.parent.rmdir()  # Only if no other files are in it.


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
