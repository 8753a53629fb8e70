"""The registry of added packs: where each came from, the hash of its files, and whether its owner trusts it."""

import json
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import read_json_object, write_bytes
from evalforge.packs.fingerprint import framed_files, short_hash
from evalforge.packs.locations import added_packs_file, added_packs_folder
from evalforge.packs.private_files import make_private_folders


class AddedPack(Frozen):
    """A pack that was added from elsewhere.

    Attributes:
        slug: Its boss's id.
        source: The folder, archive or git address it came from.
        tag: The repository's tag; empty for a folder or an archive.
        commit: The commit that the tag named.
        content_hash: The hash of all its files when it was added.
        added_at: The time when it was added.
        is_trusted: Whether the owner said that its trials may run.
    """

    slug: str
    source: str
    tag: str = ""
    commit: str = ""
    content_hash: str
    added_at: datetime
    is_trusted: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the pack's files."""
        return added_packs_folder() / self.slug

    @property
    def has_changed(self) -> bool:
        """Whether its files differ from those that were added."""
        return content_hash(self.folder) != self.content_hash


def content_hash(folder: Path) -> str:
    """The hash of all files of a pack."""
    return short_hash(*framed_files(folder))


def added_packs() -> tuple[AddedPack, ...]:
    """All added packs, sorted by slug.

    Raises:
        UsageError: The file that lists them is damaged.
    """
    entries = read_json_object(added_packs_file())
    try:
        return tuple(AddedPack.model_validate(entries[slug]) for slug in sorted(entries))
    except ValidationError:
        raise UsageError(f"{added_packs_file()} is damaged.", "Move it away and add the packs again.") from None


def find_added_pack(slug: str) -> AddedPack:
    """Find an added pack by its slug.

    Raises:
        UsageError: No pack was added under this slug.
    """
    packs = added_packs()
    for pack in packs:
        if pack.slug == slug:
            return pack
    names = ", ".join(pack.slug for pack in packs) or "none"
    raise UsageError(f"No pack {slug!r} was added.", f"Added packs: {names}.")


def keep_pack(pack: AddedPack, staged: Path) -> None:
    """Move a staged folder to its place, replacing an older version, and list the pack."""
    retired = pack.folder.with_name(f".{pack.slug}.old")
    shutil.rmtree(retired, ignore_errors=True)
    make_private_folders(pack.folder.parent)
    if pack.folder.exists():
        pack.folder.rename(retired)
    staged.rename(pack.folder)
    shutil.rmtree(retired, ignore_errors=True)
    _list([*(other for other in added_packs() if other.slug != pack.slug), pack])


def trust_pack(slug: str) -> AddedPack:
    """Let a pack's trials run from now on.

    Raises:
        UsageError: No such pack was added, or its files have changed since.
    """
    pack = find_added_pack(slug)
    if pack.has_changed:
        raise UsageError(f"The files of {slug} have changed since it was added.", f"Try: evalforge packs update {slug}")
    trusted = pack.model_copy(update={"is_trusted": True})
    _list([trusted if other.slug == slug else other for other in added_packs()])
    return trusted


def remove_pack(slug: str) -> AddedPack:
    """Delete a pack; attempts against it stay in history.

    Raises:
        UsageError: No such pack was added.
    """
    pack = find_added_pack(slug)
    _list([other for other in added_packs() if other.slug != slug])
    shutil.rmtree(pack.folder, ignore_errors=True)
    return pack


def new_entry(slug: str, source: str, tag: str, commit: str, staged: Path) -> AddedPack:
    """The registry's entry for a pack that was just fetched."""
    return AddedPack(
        slug=slug, source=source, tag=tag, commit=commit, content_hash=content_hash(staged), added_at=datetime.now(UTC)
    )


def _list(packs: Iterable[AddedPack]) -> None:
    data = {pack.slug: pack.model_dump(mode="json") for pack in packs}
    write_bytes(added_packs_file(), json.dumps(data, indent=2).encode() + b"\n")
