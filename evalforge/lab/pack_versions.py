"""Save a draft as a new version of its pack: the old texts are archived, and shipped packs are never written to."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.draft_check import check_draft
from evalforge.lab.files import timestamp
from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import shipped_bosses, user_bosses
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.path_checks import boss_file, pack_file
from evalforge.packs.private_files import close_tree_to_others, make_private_folders

_VERSIONS = "versions"


@dataclass(frozen=True)
class SavedVersion:
    """The folder of the pack that was saved, and its version number, counted from 1."""

    pack: Path
    number: int


def version_number(pack: Path) -> int:
    """The number of the current version: one more than the highest archived."""
    return 1 + max((int(path.name) for path in _version_folders(pack)), default=0)


def version_destination(pack: BossPack, state: Path) -> Path:
    """The pack that a new version is saved to: this one, or the user's copy if this one is shipped or read-only."""
    is_shipped = pack.path.resolve().parent == shipped_bosses().resolve()
    is_writable = not is_shipped and os.access(pack.path, os.W_OK)
    return pack.path if is_writable else user_bosses(state) / pack.boss_id


def save_version(draft: LabDraft, state: Path) -> SavedVersion:
    """Make the draft the pack's current version, and reset the draft to it.

    The old texts go to ``versions/0001`` and so on before anything is replaced, each file is replaced atomically, and
    the draft is reset last: there is no moment at which a text exists nowhere.

    Args:
        draft: The draft to save.
        state: EvalForge's state folder.

    Raises:
        UsageError: The draft has a blocking issue, or the pack can't be written.
    """
    checked = check_draft(draft)
    if checked.pack is None:
        issue = checked.blocking_issue
        why = f" {issue.place(draft.path)}: {issue.message}" if issue else ""
        raise UsageError(f"This draft can't be saved yet.{why}", "Fix it first; the draft is kept.")
    target = version_destination(draft.pack, state)
    try:
        if target == draft.pack.path:
            _archive_texts(draft.pack, target)
            _write_texts(draft, target)
        else:
            _copy_pack(draft, target)
    except OSError as error:
        raise UsageError(f"{target} can't be written ({error.strerror}).", "The draft is still there.") from None
    # A new pack has a draft of its own, copied from what was just written; this one is reset either way.
    if target == draft.pack.path:
        draft.pack = load_pack(target)
    draft.reset()
    return SavedVersion(target, version_number(target))


def _write_texts(draft: LabDraft, pack: Path) -> None:
    for part in DraftPart:
        write_atomically(pack / draft.file(part).name, draft.file(part).read_bytes(), durable=True)


def _copy_pack(draft: LabDraft, target: Path) -> None:
    """Copy the pack to the user's own, under a temporary name that is then renamed."""
    if boss_file(target):
        raise UsageError(
            f"You have a {draft.pack.boss_id} of your own in {target}.",
            f"Work on that one: evalforge lab {target}. This draft is still there.",
        )
    temporary = target.with_name(f".{target.name}.{timestamp()}")
    try:
        make_private_folders(target.parent)
        shutil.copytree(draft.pack.path, temporary, ignore=shutil.ignore_patterns("__pycache__"))
        _archive_texts(draft.pack, temporary)
        _write_texts(draft, temporary)
        close_tree_to_others(temporary)
        temporary.rename(target)
    except OSError:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _archive_texts(old: BossPack, pack: Path) -> None:
    """Copy the current texts into the versions of a pack."""
    folder = pack / _VERSIONS / f"{version_number(pack):04}"
    about = {"rubric_hash": old.rubric_hash, "kept_at": timestamp()}
    for part in DraftPart:
        file = pack_file(old.path, part.value)
        write_atomically(folder / file.name, file.read_bytes(), durable=True)
    write_atomically(folder / "about.json", json.dumps(about, indent=1).encode(), durable=True)


def _version_folders(pack: Path) -> list[Path]:
    return [path for path in pack.glob(f"{_VERSIONS}/*") if path.name.isdecimal()]
