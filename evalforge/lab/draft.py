"""The instructor's working copy of a rubric and its level rules: every change is saved, and none is lost.

A draft is a pack: the two texts, and symbolic links to everything else of the pack it was copied from. So whatever
reads packs (lint, judges) reads a draft.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import IO, Self

from evalforge.lab.files import read_bytes_if_present, timestamp
from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import shipped_bosses
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import pack_file
from evalforge.packs.private_files import make_private_folders, open_private_file

_MAX_BACKUPS = 50
_NOT_LINKED = frozenset({"versions", "__pycache__"})


class DraftPart(StrEnum):
    """One of the texts that are edited in the lab."""

    RUBRIC = "rubric"
    EVIDENCE = "evidence"


class LabDraft:
    """One draft, locked by one lab at a time.

    Args:
        state: EvalForge's state folder; the draft is stored in it.
        pack: The saved pack.

    Raises:
        UsageError: Another lab has it open, or it can't be written.
    """

    def __init__(self, state: Path, pack: BossPack) -> None:
        self.pack = pack
        self._folder = state / "lab" / "drafts" / f"{pack.boss_id}-{_pack_key(pack.path)}"
        self.path = self._folder / "pack" / pack.boss_id
        """The draft's folder, readable as a pack."""
        self._last_texts: dict[DraftPart, bytes] = {}
        try:
            self._lock = self._lock_folder()
            self._prepare_folder()
        except OSError as error:
            raise UsageError(f"The draft in {self._folder} can't be written ({error.strerror}).") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; the draft stays on the disk."""
        self._lock.close()

    def file(self, part: DraftPart) -> Path:
        """The path of a text in the draft."""
        return self.path / self.saved_file(part).name

    def saved_file(self, part: DraftPart) -> Path:
        """The path of a text in the saved pack."""
        return pack_file(self.pack.path, part.value)

    def part_of(self, path: Path) -> DraftPart | None:
        """The text in a file; None for any other file of the pack."""
        return next((part for part in DraftPart if self.file(part) == path), None)

    def text(self, part: DraftPart) -> str:
        """The current text on the disk; the last known one if the file is gone."""
        data = read_bytes_if_present(self.file(part))
        self._last_texts[part] = data if data is not None else self._last_texts[part]
        return self._last_texts[part].decode("utf-8", "replace")

    @property
    def is_changed(self) -> bool:
        """Whether a text differs from the saved pack."""
        return any(
            read_bytes_if_present(self.file(part)) != read_bytes_if_present(self.saved_file(part)) for part in DraftPart
        )

    @property
    def is_outdated(self) -> bool:
        """Whether the saved pack was changed since the draft was copied from it."""
        return any(
            read_bytes_if_present(self._base_file(part)) != read_bytes_if_present(self.saved_file(part))
            for part in DraftPart
        )

    def is_changed_outside(self, part: DraftPart) -> bool:
        """Whether another program, such as an editor, changed a text since it was last read or written here."""
        data = read_bytes_if_present(self.file(part))
        return data is not None and data != self._last_texts[part]

    def write(self, part: DraftPart, text: str) -> None:
        """Write a text. If another program changed it meanwhile, that version is backed up first.

        Raises:
            UsageError: The draft can't be written.
        """
        data = text.encode("utf-8", "replace")
        try:
            if self.is_changed_outside(part):
                self._back_up()
            write_atomically(self.file(part), data)
        except OSError as error:
            raise UsageError(f"The draft in {self.path} can't be written ({error.strerror}).") from None
        self._last_texts[part] = data

    def reset(self) -> Path | None:
        """Copy the texts from the saved pack again; a changed draft is backed up first.

        Returns:
            The folder of the backup; None if nothing had changed.

        Raises:
            UsageError: The draft can't be written.
        """
        try:
            backup = self._back_up() if self.is_changed else None
            self._copy_texts_from_pack()
        except OSError as error:
            raise UsageError(f"The draft in {self.path} can't be written ({error.strerror}).") from None
        return backup

    def _lock_folder(self) -> IO[bytes]:
        lock = os.fdopen(open_private_file(self._folder / "lock", os.O_WRONLY | os.O_APPEND), "ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise UsageError(
                f"The rubric of {self.pack.boss_id} is open in another lab.", "Close that one first."
            ) from None
        return lock

    def _prepare_folder(self) -> None:
        """Keep an existing draft if it has changes; else copy the texts from the pack."""
        make_private_folders(self.path)
        self._link_other_files()
        texts = {part: read_bytes_if_present(self.file(part)) for part in DraftPart}
        untouched = all(data == read_bytes_if_present(self._base_file(part)) for part, data in texts.items())
        if untouched or any(data is None for data in texts.values()):
            self._copy_texts_from_pack()
        else:
            self._last_texts = {part: data for part, data in texts.items() if data is not None}

    def _copy_texts_from_pack(self) -> None:
        for part in DraftPart:
            data = self.saved_file(part).read_bytes()
            write_atomically(self._base_file(part), data)
            write_atomically(self.file(part), data)
            self._last_texts[part] = data

    def _link_other_files(self) -> None:
        """Link to everything else of the pack; old links are replaced."""
        draft_files = {self.file(part).name for part in DraftPart}
        targets = {entry.name: entry for entry in self.pack.path.absolute().iterdir() if _is_linked(entry, draft_files)}
        for entry in list(self.path.iterdir()):
            if entry.is_symlink():
                entry.unlink()
        for name, entry in targets.items():
            (self.path / name).symlink_to(entry)

    def _base_file(self, part: DraftPart) -> Path:
        """The path of the text that the draft was copied from."""
        return self._folder / "base" / self.saved_file(part).name

    def _back_up(self) -> Path:
        backup = self._folder / "kept" / timestamp()
        for part in DraftPart:
            data = read_bytes_if_present(self.file(part))
            if data is not None:
                write_atomically(backup / self.file(part).name, data)
        _delete_oldest_backups(self._folder / "kept")
        return backup


def _is_linked(entry: Path, draft_files: set[str]) -> bool:
    return entry.name not in draft_files | _NOT_LINKED and not entry.name.startswith(".")


def _delete_oldest_backups(folder: Path) -> None:
    for old in sorted(folder.iterdir())[:-_MAX_BACKUPS]:
        with suppress(OSError):
            for file in _files(old):
                file.unlink()
            old.rmdir()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file())


def _pack_key(pack: Path) -> str:
    """A short hash of the pack's path for the draft's folder name; the same for all shipped packs."""
    resolved_path = pack.resolve()
    is_shipped = resolved_path.parent == shipped_bosses().resolve()
    return hashlib.sha256(
        b"shipped" if is_shipped else str(resolved_path).encode("utf-8", "surrogateescape")
    ).hexdigest()[:8]
