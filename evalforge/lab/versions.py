"""A draft saved as a new version of its pack: the old texts are kept, and shipped packs are never written to."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from evalforge.lab.check import check
from evalforge.lab.draft import LabDraft, Part
from evalforge.lab.files import stamp
from evalforge.lab.instrument import trials_hash
from evalforge.library.pack import BossPack, load_pack, pack_file
from evalforge.library.places import own_bosses, shipped_bosses
from evalforge.library.summary import boss_file
from evalforge.library.writing import write_whole
from evalforge.model.errors import UsageError

_VERSIONS = "versions"


@dataclass(frozen=True)
class Saved:
    """Where a version was saved, and its number, counted from 1 for the first."""

    pack: Path
    number: int


def version_of(pack: Path) -> int:
    """The number of the version in force: one more than are kept."""
    return 1 + max((int(path.name) for path in _kept(pack)), default=0)


def destination(pack: BossPack, state: Path) -> Path:
    """Where a new version goes: into the pack, or, if that isn't the user's to write, into a pack of their own."""
    place = pack.path.resolve()
    is_shipped = place.parent == shipped_bosses().resolve()
    own = not is_shipped and os.access(pack.path, os.W_OK)
    return pack.path if own else own_bosses(state) / pack.boss_id


def save_version(draft: LabDraft, state: Path) -> Saved:
    """Make the draft the pack's version in force, and begin the draft anew from it.

    The old texts go to ``versions/0001`` and so on before anything is replaced; each file is replaced whole, and the
    draft is let go of last, so that there is no moment at which a text exists nowhere.

    Args:
        draft: What is saved.
        state: The folder of our state.

    Raises:
        UsageError: The draft can't be used as it is, or can't be written where it belongs.
    """
    checked = check(draft)
    if checked.pack is None:
        bar = checked.barrier
        why = f" {bar.place}:{bar.line}: {bar.message}" if bar else ""
        raise UsageError(f"This draft can't be saved yet.{why}", "Mend it first; it is kept meanwhile.")
    target = destination(draft.pack, state)
    try:
        if target == draft.pack.path:
            _keep_old(draft.pack, target)
            _write(draft, target)
        else:
            _copy(draft, target)
    except OSError as error:
        raise UsageError(f"{target} can't be written ({error.strerror}).", "The draft is still there.") from None
    # Its own draft begins from what was just written; this one has served.
    if target == draft.pack.path:
        draft.pack = load_pack(target)
    draft.throw_away()
    return Saved(target, version_of(target))


def _write(draft: LabDraft, pack: Path) -> None:
    for part in Part:
        write_whole(pack / draft.file(part).name, draft.file(part).read_bytes(), durable=True)


def _copy(draft: LabDraft, target: Path) -> None:
    """A whole pack of the user's own, made aside and then put in its place."""
    if boss_file(target):
        raise UsageError(
            f"You have a {draft.pack.boss_id} of your own in {target}.",
            f"Work on that one: evalforge lab {target}. This draft is still there.",
        )
    made = target.with_name(f".{target.name}.{stamp()}")
    try:
        shutil.copytree(draft.pack.path, made, ignore=shutil.ignore_patterns("__pycache__"))
        _keep_old(draft.pack, made)
        _write(draft, made)
        made.rename(target)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _keep_old(old: BossPack, pack: Path) -> None:
    """Put the texts in force among the versions of a pack."""
    folder = pack / _VERSIONS / f"{version_of(pack):04}"
    about = {"rubric_hash": old.rubric_hash, "trials_hash": trials_hash(old), "kept_at": stamp()}
    for part in Part:
        file = pack_file(old.path, part.value)
        write_whole(folder / file.name, file.read_bytes(), durable=True)
    write_whole(folder / "about.json", json.dumps(about, indent=1).encode(), durable=True)


def _kept(pack: Path) -> list[Path]:
    return [path for path in pack.glob(f"{_VERSIONS}/*") if path.name.isdecimal()]
