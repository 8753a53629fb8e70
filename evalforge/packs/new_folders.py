"""New folders, never over existing files: a boss's starter for a player, and a small, complete pack for an author."""

import re
from collections.abc import Iterable
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.model.submission import SubmissionFile
from evalforge.packs.atomic_files import fill_folder, is_missing_or_empty
from evalforge.packs.boss_marker import MARKER, marker_text
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import is_folder
from evalforge.packs.skeleton import Skeleton, check_skeleton, skeleton_files

_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


def create_starter(pack: BossPack, directory: Path) -> Path:
    """Copy a boss's starter to a new folder (an existing one must be empty).

    Raises:
        UsageError: The folder isn't empty, can't be written, or the boss has no starter.
    """
    if not is_folder(pack.starter):
        raise UsageError(f"{pack.definition.title} has no starter folder.", "Start with an empty folder of your own.")
    files = files_below(pack.starter)
    contents = [(path.relative_to(pack.starter).as_posix(), path.read_bytes()) for path in files]
    return _create(directory, [*contents, (MARKER, marker_text(pack.boss_id).encode())])


def is_untouched_starter(pack: BossPack, files: Iterable[SubmissionFile]) -> bool:
    """Whether every file of a submission is an unchanged file of the starter."""
    if not is_folder(pack.starter):
        return False
    own = {path.relative_to(pack.starter).as_posix(): path for path in files_below(pack.starter)}
    submitted = [(own.get(file.path), file.content) for file in files]
    return bool(submitted) and all(path and path.read_text("utf-8", "replace") == text for path, text in submitted)


def _create(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    try:
        if not is_missing_or_empty(folder):
            raise UsageError(f"{folder} already holds something.", "Nothing was changed: name a new or empty folder.")
        fill_folder(folder, files)
    except OSError as error:
        raise UsageError(f"{folder} can't be written ({error.strerror}).") from None
    return folder


def create_pack(slug: str, directory: Path, skeleton: Skeleton | None = None) -> Path:
    """Write a new pack; never overwrites anything.

    Args:
        slug: The boss's id, and the name of its folder.
        directory: The folder to put the pack in, or the pack's own folder if it has the slug as its name.
        skeleton: What the pack looks like; None for a program with the usual number of criteria.

    Returns:
        The pack's folder.

    Raises:
        UsageError: The slug is invalid, the folder isn't empty, or it can't be written.
    """
    if not _SLUG.fullmatch(slug):
        raise UsageError(
            f"A boss can't be called {slug!r}.", "Use lower-case letters, digits and hyphens, such as toll-gate."
        )
    skeleton = skeleton or Skeleton(slug)
    check_skeleton(skeleton)
    pack = directory if directory.resolve().name == slug else directory / slug
    return _create(pack, ((relative, text.encode()) for relative, text in skeleton_files(skeleton)))
