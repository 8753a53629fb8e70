"""A pack as a zip: without the parts that judge for students, complete and with a version for colleagues.

Packing for colleagues leaves ``release.json`` in the pack, with its version and the hash of each file. The next packing
compares the files with it, so that nobody has to maintain versions by hand.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_bytes
from evalforge.packs.calibrated import is_calibrated
from evalforge.packs.document import read_document
from evalforge.packs.fingerprint import files_below, short_hash
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import boss_file, pack_file
from evalforge.packs.release import CALIBRATED_HASH, RELEASE_FILE, Audience, read_release
from evalforge.packs.zip_files import zip_files

_CODEX_OF_STUDENTS = ("lore.md", "attacks.md", "strategy.md")
"""The codex for students: without the hints, which the game reveals one by one after some attempts."""
_SCORE_FOLDERS = ("trials", "impostors")
_SCORE_FILES = ("rubric", "evidence")


@dataclass(frozen=True)
class Release:
    """The version of a complete pack that is packed for colleagues.

    Attributes:
        version: 1 for the first, and one more after each change.
        changes: What changed since the previous version, one line per file; empty for the first.
        changes_scores: Whether a change may give submissions another level.
    """

    version: int
    changes: tuple[str, ...]
    changes_scores: bool


def pack_for_students(pack: BossPack) -> bytes:
    """The zip of a pack without trials, exemplars, impostors, rules, hints and its author's comments."""
    files = {
        "boss.yaml": _without_comments(boss_file(pack.path) or pack.path / "boss.yaml"),
        "rubric.yaml": _without_comments(pack_file(pack.path, "rubric")),
        RELEASE_FILE: _json({"audience": Audience.STUDENTS, "version": read_release(pack.path).get("version", 0)}),
    }
    sprites = [path for path in files_below(pack.path) if path.suffix == ".sprite" and path.parent == pack.path]
    codex = [pack.path / "codex" / name for name in _CODEX_OF_STUDENTS]
    for path in (*sprites, *(file for file in codex if file.is_file()), *files_below(pack.starter)):
        files[path.relative_to(pack.path).as_posix()] = path.read_bytes()
    return _zip(pack.boss_id, files)


def pack_for_colleagues(pack: BossPack) -> tuple[bytes, Release]:
    """The zip of a complete pack, and its release; the version is stored in the pack's folder.

    Raises:
        UsageError: It is a pack for students, or the version can't be stored.
    """
    if pack.is_for_students:
        raise UsageError(f"{pack.path} was packed for students and can't judge.", "Pack the one it was made of.")
    files = {
        path.relative_to(pack.path).as_posix(): path.read_bytes()
        for path in files_below(pack.path)
        if path.name != RELEASE_FILE and not any(part.startswith(".") for part in path.relative_to(pack.path).parts)
    }
    record = read_release(pack.path)
    hashes = {name: short_hash(data) for name, data in files.items()}
    release = _next_release(record, hashes)
    record = {
        "audience": Audience.COLLEAGUES,
        "version": release.version,
        "changes": release.changes,
        "changes_scores": release.changes_scores,
        CALIBRATED_HASH: pack.rubric_hash if is_calibrated(pack) else "",
        "files": hashes,
    }
    files[RELEASE_FILE] = _json(record)
    write_bytes(pack.path / RELEASE_FILE, files[RELEASE_FILE])
    return _zip(pack.boss_id, files), release


def _next_release(record: Mapping[str, Any], hashes: Mapping[str, str]) -> Release:
    """The release after the recorded one, or the same if nothing has changed since."""
    before = record.get("files")
    if not isinstance(before, dict):
        return Release(1, (), changes_scores=False)
    changes = dict(_changes(cast("dict[str, str]", before), hashes))
    version = int(record.get("version", 0))
    if not changes:
        return Release(version, tuple(record.get("changes", ())), bool(record.get("changes_scores")))
    changes_scores = any(_decides_scores(name) for name in changes)
    return Release(version + 1, tuple(f"{name}: {what}" for name, what in changes.items()), changes_scores)


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in sorted({*before, *after}):
        if name not in before:
            yield name, "new"
        elif name not in after:
            yield name, "removed"
        elif before[name] != after[name]:
            yield name, "changed"


def _decides_scores(name: str) -> bool:
    first = name.partition("/")[0]
    return first in _SCORE_FOLDERS or first.partition(".")[0] in _SCORE_FILES


class _Dumper(yaml.SafeDumper):
    """Dumps YAML with multi-line texts as block scalars, as people write them."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)  # pyright: ignore[reportUnknownMemberType]


_Dumper.add_representer(str, _represent_text)


def _without_comments(path: Path) -> bytes:
    """Rewrite a YAML file without its comments, which are the author's notes and not for students."""
    data = read_document(path).data
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)  # pyright: ignore[reportUnknownMemberType]
    return text.encode()


def _json(record: Mapping[str, object]) -> bytes:
    return (json.dumps(record, indent=1) + "\n").encode()


def _zip(folder: str, files: Mapping[str, bytes]) -> bytes:
    """A zip with all files in one folder."""
    return zip_files({f"{folder}/{name}": data for name, data in sorted(files.items())})
