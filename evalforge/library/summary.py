"""What the roster shows of each boss, read without building any model so that the first screen comes at once."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalforge.library.looking import is_file, is_folder
from evalforge.model.text import clean, clean_line


@dataclass(frozen=True)
class BossSummary:
    """One line of the roster. ``error`` says why a broken pack can't be fought; empty for a sound one."""

    slug: str
    path: Path
    title: str
    tier: int = 1
    realm: str = ""
    short_description: str = ""
    accent: str = "#d9822b"
    sprite: str = ""
    error: str = ""


def find_bosses(folders: tuple[Path, ...]) -> tuple[BossSummary, ...]:
    """Every pack in the given folders, by tier and title. A folder may itself be a pack.

    Of two packs with the same slug the one in the earlier folder is kept. A broken pack is listed with its error.
    """
    return roster([summarise(path) for folder in folders for path in packs_in(folder)])


def roster(summaries: list[BossSummary]) -> tuple[BossSummary, ...]:
    """By tier and title, the broken ones last; of two with the same slug the first is kept."""
    found: dict[str, BossSummary] = {}
    for summary in summaries:
        found.setdefault(summary.slug, summary)
    return tuple(sorted(found.values(), key=lambda boss: (bool(boss.error), boss.tier, boss.title)))


def packs_in(folder: Path) -> list[Path]:
    """The packs of a folder, which may itself be one. What can't be looked into may be one, and is listed, too."""
    if boss_file(folder):
        return [folder]
    try:
        return sorted(path for path in folder.iterdir() if is_folder(path) and (boss_file(path) or _is_shut(path)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return [folder]


def _is_shut(folder: Path) -> bool:
    return not os.access(folder, os.X_OK)


def boss_file(pack: Path) -> Path | None:
    """The file that makes a folder a pack."""
    return next((pack / name for name in ("boss.yaml", "boss.json", "boss.yml") if is_file(pack / name)), None)


def summarise(pack: Path) -> BossSummary:
    """Read the line of one pack; never raises for a broken one."""
    try:
        data = _plain_yaml(boss_file(pack) or pack / "boss.yaml")
        metadata: dict[str, Any] = data.get("metadata") or {}
        return BossSummary(
            slug=clean_line(str(data["boss_id"])),
            path=pack,
            title=clean_line(str(data["title"])),
            tier=int(metadata.get("tier", 1)),
            realm=clean_line(str(metadata.get("realm", ""))),
            short_description=clean_line(str(data.get("short_description", ""))),
            accent=str(metadata.get("accent", "#d9822b")),
            sprite=str(metadata.get("sprite", "")),
        )
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a stranger's pack, the roster comes up
        return BossSummary(slug=pack.name, path=pack, title=clean_line(pack.name), error=_reason(pack, error))


def _plain_yaml(path: Path) -> dict[str, Any]:
    import yaml

    from evalforge.library.yaml12 import Loader

    with path.open("rb") as file:
        return yaml.load(file, Loader=Loader)  # noqa: S506 - it derives from the safe loader


def _reason(pack: Path, error: Exception) -> str:
    from evalforge.library.pack import load_pack
    from evalforge.model.errors import PackError

    try:
        load_pack(pack)
    except PackError as told:
        return clean(str(told))
    return clean_line(str(error))
