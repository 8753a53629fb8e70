"""Notice saves in a directory: told by the system where it tells, looked for where it doesn't."""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from evalforge.collect import NAMES, SKIPPED_FOLDERS, SUFFIXES

DEBOUNCE = 0.3
_LONGEST_DEBOUNCE = 3.0
_POLL_SECONDS = 0.3
# Some file systems (mounts, containers, WSL) accept a watch and never tell. Looking now and then catches those.
_NET_SECONDS = 2.0
_UNTOLD = 2
_MOST_ENTRIES = 20_000

_Signature = tuple[int, int, int]


@dataclass(frozen=True)
class Change:
    """One or more saves that came together.

    Attributes:
        paths: Files that came, went or were written, relative, with forward slashes, in order; none in the first
            change, which says that the directory has been looked at.
    """

    paths: tuple[str, ...]


@dataclass(frozen=True)
class _Seen:
    """A look at the directory: files with their signatures, folders with what tells a new one from the old."""

    files: dict[str, _Signature]
    folders: dict[str, int]


class Watcher:
    """Changes of the files in a directory that a fight would read.

    Caches, environments, hidden folders and kinds of file that are never handed in don't count. What has changed is
    always worked out by looking; the system's word only says when to look, so a silent system costs time, not saves.

    Args:
        directory: What to watch. It may go and come back.
        debounce: Seconds without a further save after which a change is told.
        poll: Never ask the system, only look; None leaves it to ``EVALFORGE_POLL``.
    """

    def __init__(self, directory: Path, debounce: float = DEBOUNCE, poll: bool | None = None) -> None:
        self.directory = directory
        self.polls = os.environ.get("EVALFORGE_POLL", "") not in ("", "0") if poll is None else poll
        """Whether it only looks; becomes true when the system turns out not to tell."""
        self._debounce = debounce
        self._told = asyncio.Event()
        self._untold = 0

    async def changes(self) -> AsyncGenerator[Change]:
        """Every change; the first has no paths, and no save after it is missed. Close it (``aclosing``) to stop."""
        seen = await self._look()
        telling = self._ask(seen)
        try:
            yield Change(())
            while True:
                prompted = await self._wait(seen)
                found = await self._look()
                if found.files != seen.files:
                    self._note(prompted)
                    found = await self._settle(found)
                if found.folders != seen.folders:
                    await _end(telling)
                    telling = self._ask(found)
                paths = _differing(seen.files, found.files)
                seen = found
                if paths:
                    yield Change(paths)
        finally:
            await _end(telling)

    async def _look(self) -> _Seen:
        return await asyncio.to_thread(_look, self.directory)

    async def _wait(self, seen: _Seen) -> bool:
        """Until it is time to look; whether the system said so."""
        try:
            async with asyncio.timeout(_NET_SECONDS if seen.folders and not self.polls else _POLL_SECONDS):
                await self._told.wait()
        except TimeoutError:
            return False
        self._told.clear()
        return True

    def _note(self, prompted: bool) -> None:
        """A save the system didn't tell about may be chance; two in a row mean that it doesn't tell here."""
        self._untold = 0 if prompted else self._untold + 1
        if self._untold >= _UNTOLD:
            self.polls = True

    async def _settle(self, found: _Seen) -> _Seen:
        """Wait until nothing moves any more; editors and formatters write in bursts."""
        clock = asyncio.get_running_loop().time
        end = clock() + _LONGEST_DEBOUNCE
        while clock() < end:
            await asyncio.sleep(self._debounce)
            earlier, found = found, await self._look()
            if earlier.files == found.files:
                break
        return found

    def _ask(self, seen: _Seen) -> asyncio.Task[None] | None:
        """Have the system tell about the folders seen; None where it isn't asked."""
        return asyncio.create_task(self._listen(tuple(seen.folders))) if seen.folders and not self.polls else None

    async def _listen(self, folders: tuple[str, ...]) -> None:
        from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType] - it takes a trio event too

        try:
            watching = awatch(*folders, watch_filter=None, debounce=50, step=20, recursive=False)
            async with aclosing(watching) as told:
                async for _ in told:
                    self._told.set()
        except (OSError, RuntimeError):
            # Too many watches, a folder that has just gone, a file system that has none: look instead.
            self.polls = True
            self._told.set()


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is None:
        return
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _differing(before: dict[str, _Signature], after: dict[str, _Signature]) -> tuple[str, ...]:
    return tuple(sorted(path for path in {*before, *after} if before.get(path) != after.get(path)))


def _look(directory: Path) -> _Seen:
    """Every file that may be handed in, and the folders it may lie in; what can't be read is passed over."""
    seen = _Seen({}, {})
    waiting, entries = [(str(directory), "")], 0
    while waiting and entries <= _MOST_ENTRIES:
        folder, prefix = waiting.pop()
        with suppress(OSError), os.scandir(folder) as scan:
            seen.folders[folder] = Path(folder).stat().st_ino
            for entry in scan:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                        waiting.append((entry.path, f"{prefix}{entry.name}/"))
                elif _counts(entry.name):
                    _sign(entry, f"{prefix}{entry.name}", seen.files)
    return seen


def _counts(name: str) -> bool:
    return name in NAMES or PurePath(name).suffix.lower() in SUFFIXES


def _sign(entry: os.DirEntry[str], path: str, files: dict[str, _Signature]) -> None:
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            files[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
