"""The instructor's working copy of a rubric and its rules: on the disk at every change, lost at none.

A draft is a pack of its own: the two texts, and links to everything else of the pack it was begun from. So whatever
reads packs (lint, judges) reads a draft.
"""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import IO, Self

from evalforge.lab.files import read_bytes, stamp
from evalforge.library.pack import BossPack, pack_file
from evalforge.library.places import shipped_bosses
from evalforge.library.writing import write_whole
from evalforge.model.errors import UsageError

_KEPT_MOST = 50
_NOT_LINKED = frozenset({"versions", "__pycache__"})


class Part(StrEnum):
    """A text that is edited in the lab."""

    RUBRIC = "rubric"
    EVIDENCE = "evidence"


class LabDraft:
    """One draft, held by one lab at a time.

    Args:
        state: The folder of our state; the draft lies in it.
        pack: What is edited, as it is saved now.

    Raises:
        UsageError: Another lab holds it, or it can't be written.
    """

    def __init__(self, state: Path, pack: BossPack) -> None:
        self.pack = pack
        self._folder = state / "lab" / "drafts" / f"{pack.boss_id}-{_key(pack.path)}"
        self.path = self._folder / "pack" / pack.boss_id
        """The draft as a pack's folder."""
        self._known: dict[Part, bytes] = {}
        try:
            self._lock = self._hold()
            self._lay_out()
        except OSError as error:
            raise UsageError(f"The draft in {self._folder} can't be written ({error.strerror}).") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the draft; it stays where it is."""
        self._lock.close()

    # What it holds

    def file(self, part: Part) -> Path:
        """Where a text of the draft lies."""
        return self.path / self.saved_file(part).name

    def saved_file(self, part: Part) -> Path:
        """Where the pack has it."""
        return pack_file(self.pack.path, part.value)

    def text(self, part: Part) -> str:
        """A text as it lies on the disk now."""
        data = read_bytes(self.file(part))
        self._known[part] = data if data is not None else self._known[part]
        return self._known[part].decode("utf-8", "replace")

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the pack."""
        return any(read_bytes(self.file(part)) != read_bytes(self.saved_file(part)) for part in Part)

    @property
    def is_behind(self) -> bool:
        """Whether the pack was changed since the draft was begun."""
        return any(read_bytes(self._base(part)) != read_bytes(self.saved_file(part)) for part in Part)

    def changed_outside(self, part: Part) -> bool:
        """Whether somebody else, an editor perhaps, wrote a text since it was last read or written here."""
        data = read_bytes(self.file(part))
        return data is not None and data != self._known[part]

    # What is done with it

    def write(self, part: Part, text: str) -> None:
        """Write a text. What somebody else wrote meanwhile is kept aside first.

        Raises:
            UsageError: It can't be written.
        """
        data = text.encode("utf-8", "replace")
        try:
            if self.changed_outside(part):
                self._keep()
            write_whole(self.file(part), data)
        except OSError as error:
            raise UsageError(f"The draft in {self.path} can't be written ({error.strerror}).") from None
        self._known[part] = data

    def throw_away(self) -> Path | None:
        """Begin anew from the pack; what was written is kept aside.

        Returns:
            Where it is kept; None if there was nothing to keep.
        """
        try:
            kept = self._keep() if self.is_changed else None
            self._begin()
        except OSError as error:
            raise UsageError(f"The draft in {self.path} can't be written ({error.strerror}).") from None
        return kept

    def _hold(self) -> IO[bytes]:
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = (self._folder / "lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise UsageError(
                f"The rubric of {self.pack.boss_id} is open in another lab.", "Close that one first."
            ) from None
        return lock

    def _lay_out(self) -> None:
        """Take up what is there; begin from the pack where there is nothing, or nothing of one's own."""
        self.path.mkdir(parents=True, exist_ok=True)
        self._link()
        texts = {part: read_bytes(self.file(part)) for part in Part}
        untouched = all(data == read_bytes(self._base(part)) for part, data in texts.items())
        if untouched or any(data is None for data in texts.values()):
            self._begin()
        else:
            self._known = {part: data for part, data in texts.items() if data is not None}

    def _begin(self) -> None:
        for part in Part:
            data = self.saved_file(part).read_bytes()
            write_whole(self._base(part), data)
            write_whole(self.file(part), data)
            self._known[part] = data

    def _link(self) -> None:
        """Everything else of the pack, as it is now."""
        own = {self.file(part).name for part in Part}
        wanted = {entry.name: entry for entry in self.pack.path.absolute().iterdir() if _is_linked(entry, own)}
        for entry in list(self.path.iterdir()):
            if entry.is_symlink():
                entry.unlink()
        for name, entry in wanted.items():
            (self.path / name).symlink_to(entry)

    def _base(self, part: Part) -> Path:
        """The text the draft was begun from."""
        return self._folder / "base" / self.saved_file(part).name

    def _keep(self) -> Path:
        kept = self._folder / "kept" / stamp()
        for part in Part:
            data = read_bytes(self.file(part))
            if data is not None:
                write_whole(kept / self.file(part).name, data)
        _forget_oldest(self._folder / "kept")
        return kept


def _is_linked(entry: Path, own: set[str]) -> bool:
    return entry.name not in own | _NOT_LINKED and not entry.name.startswith(".")


def _forget_oldest(folder: Path) -> None:
    for old in sorted(folder.iterdir())[:-_KEPT_MOST]:
        with suppress(OSError):
            for file in _files(old):
                file.unlink()
            old.rmdir()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file())


def _key(pack: Path) -> str:
    """Which draft is a pack's: the shipped packs' wherever they are installed, any other's by its place."""
    place = pack.resolve()
    shipped = place.parent == shipped_bosses().resolve()
    return hashlib.sha256(b"shipped" if shipped else str(place).encode("utf-8", "surrogateescape")).hexdigest()[:8]
