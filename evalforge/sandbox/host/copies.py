"""A writable copy of the submission, put back as it was after each run that had it as its working directory."""

from __future__ import annotations

import contextlib
import os
import shutil


class Copy:
    """One copy, with a directory for temporary files beside it.

    Args:
        source: The submission.
        place: Where to put both.
        name: The name of the copy's folder.
    """

    def __init__(self, source, place, name):
        self._source = source
        self.root = os.path.join(place, name, "")
        self.scratch = os.path.join(place, name + "-tmp")
        shutil.copytree(source, self.root)
        os.mkdir(self.scratch)
        self._state = _state(self.root)

    def restore(self):
        """Undo what a run left: its temporary files, and changes in the copy."""
        for name in os.listdir(self.scratch):
            _remove(os.path.join(self.scratch, name))
        if _state(self.root) != self._state:
            for name in os.listdir(self.root):
                _remove(os.path.join(self.root, name))
            shutil.copytree(self._source, self.root, dirs_exist_ok=True)
            self._state = _state(self.root)


def _state(folder):
    """Names, kinds, sizes and times of all that is in a folder."""
    found = []
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                found.append((entry.path, is_folder, 0 if is_folder else (status.st_size, status.st_mtime_ns)))
                if is_folder:
                    pending.append(entry.path)
    return sorted(found, key=lambda item: item[0])


def _remove(path):
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
