"""A cache of the roster's summaries, so that starting the game needn't parse every pack's YAML again."""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.path_checks import boss_file
from evalforge.packs.summary import BossSummary, find_packs, read_summary, sort_roster

_VERSION = 1
_TEXT_FIELDS = ("slug", "title", "realm", "short_description", "accent", "sprite")


def find_bosses_cached(folders: tuple[Path, ...], cache: Path) -> tuple[BossSummary, ...]:
    """``summary.find_bosses`` with a cache: an entry is valid while the pack's file has the same time and size.

    Args:
        folders: Searched for packs.
        cache: A JSON file; one that is broken, old or can't be written only costs time.
    """
    cached = _read(cache)
    fresh: dict[str, list[Any]] = {}
    summaries: list[BossSummary] = []
    for folder in folders:
        for pack in find_packs(folder):
            summary = _cached_summary(pack, cached, fresh)
            summaries.append(summary)
    if fresh != cached:
        _write(cache, fresh)
    return sort_roster(summaries)


def _cached_summary(pack: Path, cached: dict[str, Any], fresh: dict[str, list[Any]]) -> BossSummary:
    """The summary of one pack, cached or read now; its new cache entry is added to ``fresh``."""
    file = boss_file(pack)
    try:
        status = file.stat() if file else None
    except OSError:
        status = None
    signature = [status.st_mtime_ns, status.st_size] if status else None
    entry = cached.get(str(pack))
    summary = _restore(pack, cast("list[Any]", entry), signature) if isinstance(entry, list) else None
    if summary is None:
        summary = read_summary(pack)
    if signature and not summary.error:
        fields = {name: value for name, value in asdict(summary).items() if name not in ("path", "error")}
        fresh[str(pack)] = [*signature, fields]
    return summary


def _restore(pack: Path, entry: list[Any], signature: list[int] | None) -> BossSummary | None:
    if signature is None or entry[:2] != signature or len(entry) != 3 or not isinstance(entry[2], dict):
        return None
    fields = cast("dict[str, Any]", entry[2])
    is_valid = all(isinstance(fields.get(name), str) for name in _TEXT_FIELDS) and isinstance(fields.get("tier"), int)
    return BossSummary(path=pack, **{name: fields[name] for name in (*_TEXT_FIELDS, "tier")}) if is_valid else None


def _read(cache: Path) -> dict[str, Any]:
    stored = read_json_object(cache)
    packs = stored.get("packs") if stored.get("version") == _VERSION else None
    return cast("dict[str, Any]", packs) if isinstance(packs, dict) else {}


def _write(cache: Path, packs: dict[str, list[Any]]) -> None:
    with suppress(OSError):
        write_atomically(cache, json.dumps({"version": _VERSION, "packs": packs}).encode())
