"""A cache of the roster's summaries, so that starting the game needn't parse every pack's YAML again."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from evalforge.model.text import clean
from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.locations import shipped_bosses
from evalforge.packs.path_checks import boss_file, pack_file
from evalforge.packs.summary import BossSummary, find_packs, read_summary, sort_roster

ROSTER_CACHE = "bosses.json"
"""The name of the cache's file, in the state folder."""
_VERSION = 4
_TEXT_FIELDS = ("slug", "title", "realm", "short_description", "accent", "sprite")


def find_bosses_cached(folders: tuple[Path, ...], cache: Path) -> tuple[BossSummary, ...]:
    """``summary.find_bosses`` with a cache: an entry is valid while the pack's files have the same times and sizes.

    A pack that can't judge is listed with its first fault. Shipped packs were checked before release, so only their
    boss file and rubric are looked at.

    Args:
        folders: The folders to search for packs.
        cache: The cache's JSON file; if it is broken, old or can't be written, that only costs time.
    """
    cached = _read(cache)
    new_entries: dict[str, list[Any]] = {}
    summaries: list[BossSummary] = []
    for folder in folders:
        for pack in find_packs(folder):
            summary = _cached_summary(pack, cached, new_entries)
            summaries.append(summary)
    if new_entries != cached:
        _write(cache, new_entries)
    return sort_roster(summaries)


def _cached_summary(pack: Path, cached: dict[str, Any], new_entries: dict[str, list[Any]]) -> BossSummary:
    """The summary of one pack, cached or read now; its cache entry is added to ``new_entries``."""
    signature = _signature(pack)
    entry = cached.get(str(pack))
    summary = _restore(pack, cast("list[Any]", entry), signature) if isinstance(entry, list) else None
    if summary is None:
        summary = _check_verdicts(read_summary(pack))
    if signature and not summary.error:
        fields = {name: value for name, value in summary._asdict().items() if name not in ("path", "error")}
        new_entries[str(pack)] = [signature, fields]
    return summary


def _signature(pack: Path) -> str:
    """A text that changes whenever a pack's summary may have changed; empty if the pack can't be read."""
    try:
        file = boss_file(pack)
        if _is_shipped(pack):
            states = [path.stat() for path in (file, pack_file(pack, "rubric"))] if file else []
            return " ".join(f"{state.st_mtime_ns} {state.st_size}" for state in states)
        from evalforge.packs.fingerprint import file_states, short_hash

        return short_hash(repr(file_states(pack)).encode("utf-8", "surrogateescape")) if file else ""
    except OSError:
        return ""


def _is_shipped(pack: Path) -> bool:
    return pack.absolute().parent == shipped_bosses().absolute()


def _check_verdicts(summary: BossSummary) -> BossSummary:
    """Add the first fault that would make a verdict wrong to the summary, if the pack has one."""
    if summary.error or summary.is_for_students or _is_shipped(summary.path):
        return summary
    from evalforge.packs.lint.lint import first_fault

    fault = first_fault(summary.path)
    return summary._replace(error=clean(str(fault))) if fault else summary


def _restore(pack: Path, entry: list[Any], signature: str) -> BossSummary | None:
    if not signature or entry[:1] != [signature] or len(entry) != 2 or not isinstance(entry[1], dict):
        return None
    fields = cast("dict[str, Any]", entry[1])
    is_valid = all(isinstance(fields.get(name), str) for name in _TEXT_FIELDS) and isinstance(fields.get("tier"), int)
    is_valid = is_valid and isinstance(fields.get("is_for_students"), bool)
    is_valid = is_valid and isinstance(fields.get("threshold", ""), float | int | None)
    names = (*_TEXT_FIELDS, "tier", "threshold", "is_for_students")
    known_fields = {name: fields[name] for name in names} if is_valid else {}
    return BossSummary(path=pack, **known_fields) if is_valid else None


def _read(cache: Path) -> dict[str, Any]:
    stored = read_json_object(cache)
    packs = stored.get("packs") if stored.get("version") == _VERSION else None
    return cast("dict[str, Any]", packs) if isinstance(packs, dict) else {}


def _write(cache: Path, packs: dict[str, list[Any]]) -> None:
    with suppress(OSError):
        write_atomically(cache, json.dumps({"version": _VERSION, "packs": packs}).encode())
