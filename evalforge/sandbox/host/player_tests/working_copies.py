"""A writable copy of the submission, restored after each run that had it as its working directory."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence

_EntryState = tuple[str, bool, int, int]
"""A path, whether it is a folder, and a file's size and time of change."""


class WorkingCopy:
    """One copy, with a directory for temporary files beside it.

    Args:
        source: The submission.
        folder: Where to put both.
        name: The name of the copy's folder.
    """

    def __init__(self, source: str, folder: str, name: str) -> None:
        self._source = source
        self.root = os.path.join(folder, name, "")  # with a separator at its end
        self.scratch = os.path.join(folder, name + "-tmp")
        shutil.copytree(source, self.root)
        os.mkdir(self.scratch)
        self._state = _state_of(self.root)

    def restore(self) -> None:
        """Undo what a run left: its temporary files, and changes in the copy."""
        for name in os.listdir(self.scratch):
            _remove(os.path.join(self.scratch, name))
        if _state_of(self.root) != self._state:
            for name in os.listdir(self.root):
                _remove(os.path.join(self.root, name))
            shutil.copytree(self._source, self.root, dirs_exist_ok=True)
            self._state = _state_of(self.root)

    def enter(self, import_folders: Sequence[str]) -> None:
        """Make this process what a player's test run would be: in the copy's folder, with its import paths.

        Args:
            import_folders: Folders within the copy to import from.
        """
        os.chdir(self.root)
        os.environ["TMPDIR"] = self.scratch
        tempfile.tempdir = None
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (1, 2):
            os.dup2(null, descriptor)
        os.close(null)
        sys.argv = ["pytest"]
        sys.path[:0] = [os.path.join(self.root, part).rstrip(os.sep) for part in import_folders]


def _state_of(folder: str) -> list[_EntryState]:
    """Names, kinds, sizes and times of all that is in a folder."""
    states: list[_EntryState] = []
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    states.append((entry.path, True, 0, 0))
                    pending.append(entry.path)
                else:
                    states.append((entry.path, False, status.st_size, status.st_mtime_ns))
    return sorted(states)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
