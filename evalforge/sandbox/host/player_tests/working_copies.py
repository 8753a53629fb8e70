"""A writable copy of the submission, restored after each run that had it as its working directory."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence

_EntryState = tuple[str, bool, int, int]
"""A path, whether it is a folder, and a file's size and time of change."""
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - to be emptied
_OWNER_ONLY = 0o700


class WorkingCopy:
    """One copy, with a directory for temporary files beside it.

    Args:
        source: The submission.
        folder: Where to put both.
        name: The name of the copy's folder.
        others: Names of the other copies' folders.
        forgets: Whether nothing of a run may be found by the next, wherever it was left.
    """

    def __init__(
        self, source: str, folder: str, name: str, others: Sequence[str] = (), *, forgets: bool = False
    ) -> None:
        self._source = source
        self._folder = folder
        self._copies = {copy + suffix for copy in (name, *others) for suffix in ("", "-tmp")}
        self._beside = frozenset(os.listdir(folder))
        self._forgets = forgets
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
        if self._forgets:
            self._empty_elsewhere()

    def _empty_elsewhere(self) -> None:
        """Empty the other places a run may write to; tests that work as they should use none of them."""
        with os.scandir(self._folder) as entries:
            strangers = [entry for entry in entries if entry.name not in self._copies]
        for entry in strangers:
            if entry.name not in self._beside:
                _remove(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                _empty(entry.path)
        if _is_private(_SHARED_MEMORY):
            _empty(_SHARED_MEMORY)

    def enter(self, import_folders: Sequence[str]) -> None:
        """Make this process what a player's test run would be: in the copy's folder, with its import paths.

        Args:
            import_folders: Folders within the copy to import from.
        """
        os.chdir(self.root)
        os.environ["TMPDIR"] = self.scratch
        if self._forgets:
            os.environ["HOME"] = self.scratch
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


def _is_private(folder: str) -> bool:
    """Whether a folder is this run's own, as the cage mounts it; the machine's is everybody's."""
    try:
        return stat.S_IMODE(os.stat(folder).st_mode) == _OWNER_ONLY
    except OSError:
        return False


def _empty(folder: str) -> None:
    for name in os.listdir(folder):
        _remove(os.path.join(folder, name))


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
