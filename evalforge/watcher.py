"""Notice saves in a directory: by the system's notifications if there are any, else by polling.

Changes are always found by comparing two snapshots of the directory; a notification only says when to take the
next one. So a system that never notifies (mounts, containers, WSL) costs time, not saves.
"""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from evalforge.submissions.collect import ALLOWED_NAMES, ALLOWED_SUFFIXES, SKIPPED_FOLDERS

DEBOUNCE_SECONDS = 0.3
_MAX_DEBOUNCE_SECONDS = 3.0
_POLL_SECONDS = 0.3
# Some file systems accept a watch and never notify: an occasional snapshot detects that.
_SAFETY_POLL_SECONDS = 2.0
_MAX_MISSED_SAVES = 2
_MAX_ENTRIES = 20_000

_Signature = tuple[int, int, int]
"""Modification time in nanoseconds, size in bytes, inode."""


@dataclass(frozen=True)
class Change:
    """One or more saves that happened together.

    Attributes:
        paths: Files that were created, deleted or written: relative, with forward slashes, sorted. Empty in the first
            change, which says that the first snapshot was taken.
    """

    paths: tuple[str, ...]


@dataclass(frozen=True)
class _Snapshot:
    """The directory at one moment: each file's signature and each folder's inode."""

    files: dict[str, _Signature]
    folders: dict[str, int]


class Watcher:
    """Watches a directory for changes to the files that a fight would read.

    Caches, environments, hidden folders and file types that are never submitted don't count.

    Args:
        directory: The directory to watch; it may be deleted and created again.
        debounce: A change is reported after this many seconds without another save.
        poll: Whether to poll instead of listening to notifications; ``EVALFORGE_POLL`` decides if None.
    """

    def __init__(self, directory: Path, debounce: float = DEBOUNCE_SECONDS, poll: bool | None = None) -> None:
        self.directory = directory
        self.polls = os.environ.get("EVALFORGE_POLL", "") not in ("", "0") if poll is None else poll
        """Whether it only polls; becomes true if the system turns out not to notify."""
        self._debounce_seconds = debounce
        self._notified = asyncio.Event()
        self._missed_saves = 0

    async def changes(self) -> AsyncGenerator[Change]:
        """Yield every change; the first has no paths, and no later save is missed. Close it (``aclosing``) to stop."""
        current = await self._take_snapshot()
        listening = self._start_listening(current)
        try:
            yield Change(())
            while True:
                was_notified = await self._wait_for_notification(current)
                latest = await self._take_snapshot()
                if latest.files != current.files:
                    self._count_missed_saves(was_notified=was_notified)
                    latest = await self._settled_snapshot(latest)
                if latest.folders != current.folders:
                    await cancel_task(listening)
                    listening = self._start_listening(latest)
                paths = _changed_paths(current.files, latest.files)
                current = latest
                if paths:
                    yield Change(paths)
        finally:
            await cancel_task(listening)

    async def _take_snapshot(self) -> _Snapshot:
        return await asyncio.to_thread(_snapshot_of, self.directory)

    async def _wait_for_notification(self, current: _Snapshot) -> bool:
        """Wait until it is time for the next snapshot; returns whether the system notified us."""
        try:
            async with asyncio.timeout(_SAFETY_POLL_SECONDS if current.folders and not self.polls else _POLL_SECONDS):
                await self._notified.wait()
        except TimeoutError:
            return False
        self._notified.clear()
        return True

    def _count_missed_saves(self, *, was_notified: bool) -> None:
        """Switch to polling after two saves in a row without a notification; a single one may be chance."""
        self._missed_saves = 0 if was_notified else self._missed_saves + 1
        if self._missed_saves >= _MAX_MISSED_SAVES:
            self.polls = True

    async def _settled_snapshot(self, latest: _Snapshot) -> _Snapshot:
        """Take a snapshot once nothing changes any more; editors and formatters write in bursts."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + _MAX_DEBOUNCE_SECONDS
        while clock() < deadline:
            await asyncio.sleep(self._debounce_seconds)
            previous, latest = latest, await self._take_snapshot()
            if previous.files == latest.files:
                break
        return latest

    def _start_listening(self, current: _Snapshot) -> asyncio.Task[None] | None:
        """Start a task that waits for notifications on all folders; None if we only poll."""
        if not current.folders or self.polls:
            return None
        return asyncio.create_task(self._listen(tuple(current.folders)))

    async def _listen(self, folders: tuple[str, ...]) -> None:
        from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType] - it takes a trio event too

        try:
            watch = awatch(*folders, watch_filter=None, debounce=50, step=20, recursive=False)
            async with aclosing(watch) as notifications:
                async for _ in notifications:
                    self._notified.set()
        except (OSError, RuntimeError):
            # Too many watches, a folder that was just deleted, a file system without notifications: poll instead.
            self.polls = True
            self._notified.set()


async def cancel_task(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, wait for its end, and raise what it raised; does nothing if there is none."""
    if task is None:
        return
    task.cancel()
    # Not ``await task`` with CancelledError suppressed: that would suppress the caller's own cancellation, too.
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def _changed_paths(before: dict[str, _Signature], after: dict[str, _Signature]) -> tuple[str, ...]:
    return tuple(sorted(path for path in {*before, *after} if before.get(path) != after.get(path)))


def _snapshot_of(directory: Path) -> _Snapshot:
    """Take a snapshot of every file that may be submitted and every folder that may hold one, if readable."""
    snapshot = _Snapshot({}, {})
    unread_folders, entry_count = [(str(directory), "")], 0
    while unread_folders and entry_count <= _MAX_ENTRIES:
        folder, prefix = unread_folders.pop()
        with suppress(OSError), os.scandir(folder) as scan:
            snapshot.folders[folder] = Path(folder).stat().st_ino
            for entry in scan:
                entry_count += 1
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                        unread_folders.append((entry.path, f"{prefix}{entry.name}/"))
                elif _is_watched_name(entry.name):
                    _add_signature(entry, f"{prefix}{entry.name}", snapshot.files)
    return snapshot


def _is_watched_name(name: str) -> bool:
    return name in ALLOWED_NAMES or PurePath(name).suffix.lower() in ALLOWED_SUFFIXES


def _add_signature(entry: os.DirEntry[str], path: str, files: dict[str, _Signature]) -> None:
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            files[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
