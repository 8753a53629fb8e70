"""Notice saves in a directory by comparing it with how it was a moment ago.

Notifications of the system would come sooner, but mounts, containers and WSL have none. A library that polls for them
also reads environments and caches, which are larger than any submission.
"""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path, PurePath

from evalforge.submissions.collect import ALLOWED_NAMES, ALLOWED_SUFFIXES, SKIPPED_FOLDERS

DEBOUNCE_SECONDS = 0.3
_MAX_DEBOUNCE_SECONDS = 3.0
_POLL_SECONDS = 0.3
_MAX_ENTRIES = 20_000

_Signature = tuple[int, int, int]
"""Modification time in nanoseconds, size in bytes, inode."""
_Snapshot = dict[str, _Signature]
"""The signature of each file at one moment."""


async def changes(directory: Path, debounce: float = DEBOUNCE_SECONDS) -> AsyncGenerator[tuple[str, ...]]:
    """Yield the files that a fight would read whenever some of them were created, deleted or written.

    Paths are relative, with forward slashes, sorted. First comes an empty tuple: from then on no save is missed.
    Caches, environments, hidden folders and file types that are never submitted don't count. Close it (``aclosing``) to
    stop.

    Args:
        directory: The directory to watch; it may be deleted and created again.
        debounce: Saves count as one until none follows for this many seconds.
    """
    current = await _take_snapshot(directory)
    yield ()
    clock = asyncio.get_running_loop().time
    while True:
        started_at = clock()
        latest = await _take_snapshot(directory)
        if latest == current:
            # Of a very large folder, looking takes a tenth of the time.
            await asyncio.sleep(max(_POLL_SECONDS, 9 * (clock() - started_at)))
            continue
        latest = await _settled_snapshot(directory, latest, debounce)
        paths = sorted(path for path in {*current, *latest} if current.get(path) != latest.get(path))
        current = latest
        if paths:
            yield tuple(paths)


async def _take_snapshot(directory: Path) -> _Snapshot:
    return await asyncio.to_thread(_snapshot_of, directory)


async def _settled_snapshot(directory: Path, latest: _Snapshot, debounce: float) -> _Snapshot:
    """Take a snapshot once nothing changes any more; editors and formatters write in bursts."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + _MAX_DEBOUNCE_SECONDS
    while clock() < deadline:
        await asyncio.sleep(debounce)
        previous, latest = latest, await _take_snapshot(directory)
        if previous == latest:
            break
    return latest


def _snapshot_of(directory: Path) -> _Snapshot:
    """Take a snapshot of every file that may be submitted, if it can be read."""
    snapshot: _Snapshot = {}
    unread_folders, entry_count = [(str(directory), "")], 0
    while unread_folders and entry_count <= _MAX_ENTRIES:
        folder, prefix = unread_folders.pop()
        with suppress(OSError), os.scandir(folder) as scan:
            for entry in scan:
                entry_count += 1
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                        unread_folders.append((entry.path, f"{prefix}{entry.name}/"))
                elif _is_watched_name(entry.name):
                    _add_signature(entry, f"{prefix}{entry.name}", snapshot)
    return snapshot


def _is_watched_name(name: str) -> bool:
    return name in ALLOWED_NAMES or PurePath(name).suffix.lower() in ALLOWED_SUFFIXES


def _add_signature(entry: os.DirEntry[str], path: str, files: dict[str, _Signature]) -> None:
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            files[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
