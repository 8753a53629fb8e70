"""Lines of the roster as they were read last time, so that a start need not read every pack's YAML again."""

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from evalforge.library.summary import BossSummary, boss_file, packs_in, roster, summarise

_VERSION = 1
_WORDS = ("slug", "title", "realm", "short_description", "accent", "sprite")


def find_bosses(folders: tuple[Path, ...], cache: Path) -> tuple[BossSummary, ...]:
    """``summary.find_bosses``, through a cache that is good as long as a pack's file has the same time and size.

    Args:
        folders: Searched for packs.
        cache: A JSON file; one that is broken, old or can't be written only costs time.
    """
    known = _read(cache)
    fresh: dict[str, list[Any]] = {}
    summaries: list[BossSummary] = []
    for folder in folders:
        for pack in packs_in(folder):
            summary = _known(pack, known, fresh)
            summaries.append(summary)
    if fresh != known:
        _write(cache, fresh)
    return roster(summaries)


def _known(pack: Path, known: dict[str, Any], fresh: dict[str, list[Any]]) -> BossSummary:
    """The line of one pack; what can be remembered of it goes into ``fresh``."""
    file = boss_file(pack)
    try:
        status = file.stat() if file else None
    except OSError:
        status = None
    signature = [status.st_mtime_ns, status.st_size] if status else None
    entry = known.get(str(pack))
    summary = _restore(pack, cast("list[Any]", entry), signature) if isinstance(entry, list) else None
    if summary is None:
        summary = summarise(pack)
    if signature and not summary.error:
        fields = {name: value for name, value in asdict(summary).items() if name not in ("path", "error")}
        fresh[str(pack)] = [*signature, fields]
    return summary


def _restore(pack: Path, entry: list[Any], signature: list[int] | None) -> BossSummary | None:
    if signature is None or entry[:2] != signature or len(entry) != 3 or not isinstance(entry[2], dict):
        return None
    fields = cast("dict[str, Any]", entry[2])
    sound = all(isinstance(fields.get(name), str) for name in _WORDS) and isinstance(fields.get("tier"), int)
    return BossSummary(path=pack, **{name: fields[name] for name in (*_WORDS, "tier")}) if sound else None


def _read(cache: Path) -> dict[str, Any]:
    try:
        found: object = json.loads(cache.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    stored = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    packs = stored.get("packs") if stored.get("version") == _VERSION else None
    return cast("dict[str, Any]", packs) if isinstance(packs, dict) else {}


def _write(cache: Path, packs: dict[str, list[Any]]) -> None:
    written = cache.with_name(f".{cache.name}.{os.getpid()}")
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(json.dumps({"version": _VERSION, "packs": packs}), "utf-8")
        written.replace(cache)
    except OSError:
        with suppress(OSError):
            written.unlink(missing_ok=True)
