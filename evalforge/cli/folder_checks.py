"""Checks of the folders: the history, the caches, and the space on their disks."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evalforge.cli.health_report import Check, CheckState
from evalforge.cli.settings import Settings
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_count, format_size
from evalforge.packs.locations import evidence_cache_folder, reply_cache_folder
from evalforge.packs.path_checks import file_sizes

_MEGABYTE = 1024 * 1024
_MIN_STATE_BYTES = 16 * _MEGABYTE
_MIN_SCRATCH_BYTES = 128 * _MEGABYTE
_FULL_BYTES = 16 * 1024
"""With less free space than this, not even a small submission is judged."""
_ATTEMPT_BYTES = 64 * 1024
"""A small attempt takes this much."""


def examine_history(config: Settings) -> Iterator[Check]:
    """Check whether attempts can be read and written."""
    from evalforge.history.store import AttemptFilter, History

    try:
        with History(config.history) as history:
            history.check()
            history.check_writable()
            history.tallies.check()
            size = format_size(config.history.stat().st_size)
            count = history.count(AttemptFilter(with_classes=True))
            message = f"{format_count(count, 'attempt')} in {config.history}, {size}"
        yield Check(name="history", state=CheckState.OK, message=message)
    except EvalForgeError as error:
        remedy = error.hint or "Set EVALFORGE_HOME to another folder, or judge with --no-save."
        yield Check(name="history", state=CheckState.FAILED, message=error.message, remedy=remedy)


def examine_caches(config: Settings) -> Iterator[Check]:
    """Say where the caches are, and how large."""
    caches = {"measurements": evidence_cache_folder(config.home), "model replies": reply_cache_folder(config.home)}
    parts = (f"{format_size(sum(file_sizes(folder)))} of {name} in {folder}" for name, folder in caches.items())
    yield Check(name="caches", state=CheckState.OK, message="; ".join(parts))


def examine_disks(config: Settings) -> Iterator[Check]:
    """Check the free space for attempts and for running code."""
    yield _disk_check("state disk", config.home, _MIN_STATE_BYTES, _ATTEMPT_BYTES, "EVALFORGE_HOME")
    yield _disk_check("work disk", Path(tempfile.gettempdir()), _MIN_SCRATCH_BYTES, _FULL_BYTES, "TMPDIR")


def _disk_check(name: str, folder: Path, enough_bytes: int, needed_bytes: int, variable: str) -> Check:
    """Check a disk. It is full if as much as a small judging needs can't be written; quotas count, too."""
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    remedy = f"Free some space, or set {variable} to a folder on another disk."
    try:
        free = shutil.disk_usage(existing).free
        if folder.exists():
            _try_writing(folder, needed_bytes)
    except OSError as error:
        message = f"{existing} can't be used ({error.strerror})"
        return Check(name=name, state=CheckState.FAILED, message=message, remedy=remedy)
    message = f"{free // _MEGABYTE:,} MB free in {existing}"
    if free >= enough_bytes:
        return Check(name=name, state=CheckState.OK, message=message)
    message += f"; a fight may need {enough_bytes // _MEGABYTE} MB"
    state = CheckState.NOTE if free >= _FULL_BYTES else CheckState.FAILED
    return Check(name=name, state=state, message=message, remedy=remedy)


def _try_writing(folder: Path, size: int) -> None:
    with tempfile.TemporaryFile(prefix="evalforge-doctor-", dir=folder) as file:
        file.write(bytes(size))
        file.flush()
