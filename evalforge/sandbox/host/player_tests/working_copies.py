"""A writable copy of the submission, restored after each run that used it as its working directory."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Sequence

from runs import own_modules

from .strays import SHARED_MEMORY, is_private
from .suite_session import end_search_for_settings

_OWNER_ONLY, _FOLDER_MODE = 0o700, 0o755


class WorkingCopy:
    """A copy, and a directory for temporary files beside it. Each run finds both in the same state.

    Args:
        source: The submission.
        folder: The parent folder of both.
        name: The name of the copy's folder.

    Attributes:
        is_clean: Whether all that runs left behind could be removed; if not, later results are worthless.
    """

    def __init__(self, source: str, folder: str, name: str) -> None:
        self._source = source
        self._folder = folder
        self._kept_names = frozenset({*os.listdir(folder), name, name + "-tmp"})
        self.is_clean = True
        self.root = os.path.join(folder, name, "")  # ends with a separator
        self.scratch = os.path.join(folder, name + "-tmp")
        for path in (self.root, self.scratch):
            os.mkdir(path)
        shutil.copytree(source, self.root, dirs_exist_ok=True)
        end_search_for_settings(folder)

    def restore(self) -> None:
        """Undo what a run wrote, anywhere it may write. Files are written again, so that their times reveal nothing.

        The two folders themselves stay, because processes are working in them.
        """
        for path in [*self._other_folders(), self.scratch, self.root]:
            self.is_clean = _empty(path) and self.is_clean
        try:
            end_search_for_settings(self._folder)
            shutil.copytree(self._source, self.root, dirs_exist_ok=True)
        except OSError:
            self.is_clean = False
        for path in (self.root, self.scratch):
            _reset_metadata(path)

    def has_changed(self, own_files: Collection[str] = ()) -> bool:
        """Whether the two folders differ from their original state, our own temporary files aside."""
        has_more_files = bool({*os.listdir(self.scratch)} - {*own_files})
        return has_more_files or _sizes_below(self.root) != _sizes_below(self._source)

    def _other_folders(self) -> list[str]:
        """The other folders that a run may write to, after removing those that it created; good tests use none."""
        folders = [SHARED_MEMORY] if is_private(SHARED_MEMORY) else []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name not in self._kept_names:
                    self.is_clean = _remove(entry.path) and self.is_clean
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
        return folders

    def enter(self, import_folders: Sequence[str]) -> None:
        """Set up this process like a test run of the player's: in the copy's folder, with its import paths."""
        os.chdir(self.root)
        os.environ.update(HOME=self.scratch, TMPDIR=self.scratch)
        tempfile.tempdir = None
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (1, 2):
            os.dup2(null, descriptor)
        os.close(null)
        sys.argv = ["pytest"]
        folders = [os.path.join(self.root, part).rstrip(os.sep) for part in import_folders]
        sys.path[:0] = folders
        own_modules.make_way(own_modules.module_names(tuple(folders)))


def _sizes_below(folder: str) -> dict[str, int]:
    """The size of each file below a folder, and -1 for each folder."""
    sizes: dict[str, int] = {}
    for inner_folder, folder_names, file_names in os.walk(folder):
        for name in folder_names:
            sizes[os.path.relpath(os.path.join(inner_folder, name), folder)] = -1
        for name in file_names:
            path = os.path.join(inner_folder, name)
            sizes[os.path.relpath(path, folder)] = os.lstat(path).st_size
    return sizes


def _empty(folder: str) -> bool:
    """Empty a folder; False if something remains."""
    try:
        stays = [name for name in os.listdir(folder) if not _remove(os.path.join(folder, name))]
    except OSError:
        return False
    return not stays


def _remove(path: str) -> bool:
    """Remove whatever is at a path; False if it remains, such as a folder that may be written but not listed."""
    with contextlib.suppress(OSError, RecursionError):
        if os.path.isdir(path) and not os.path.islink(path):
            _remove_tree(path)
        else:
            os.unlink(path)
    return not os.path.lexists(path)


def _remove_tree(path: str) -> None:
    """Remove a folder. One that can't be listed is removed if it is empty, or if its mode can be changed."""
    os.chmod(path, _OWNER_ONLY)
    for folder, folder_names, file_names in os.walk(path, topdown=False):
        for name in file_names:
            os.unlink(os.path.join(folder, name))
        for name in folder_names:
            inner = os.path.join(folder, name)
            if os.path.islink(inner):
                os.unlink(inner)
            elif _is_unlistable(inner):
                _remove_tree(inner)
            else:
                os.rmdir(inner)
    os.rmdir(path)


def _is_unlistable(folder: str) -> bool:
    return not os.access(folder, os.R_OK | os.X_OK)


def _reset_metadata(folder: str) -> None:
    """Reset a folder's mode, times and attributes to those of a new one."""
    with contextlib.suppress(OSError, AttributeError):
        os.chmod(folder, _FOLDER_MODE)
        os.utime(folder)
        for name in os.listxattr(folder):  # Linux only
            os.removexattr(folder, name)
