"""Summaries of bosses for the roster, read without building models so that the first screen appears at once."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalforge.model.text import clean, clean_line
from evalforge.packs.path_checks import boss_file, is_folder, pack_file
from evalforge.packs.release import is_for_students

TIERS = ("", "I", "II", "III", "IV")
"""The names of the tiers, by tier number from 1."""


class BossSummary(NamedTuple):
    """A boss in the roster.

    ``threshold`` is the score at which it falls, None if its rubric can't be read. ``error`` says why a broken pack
    can't be fought; else it is empty. ``is_for_students`` marks a pack that lacks the parts that judge.
    """

    slug: str
    path: Path
    title: str
    tier: int = 1
    realm: str = ""
    short_description: str = ""
    accent: str = "#d9822b"
    sprite: str = ""
    threshold: float | None = None
    error: str = ""
    is_for_students: bool = False


def find_bosses(folders: tuple[Path, ...]) -> tuple[BossSummary, ...]:
    """Every pack in the given folders, by tier and title. A folder may itself be a pack.

    Of two packs with the same slug, the one in the earlier folder counts. A broken pack is listed with its error.
    """
    return sort_roster([read_summary(path) for folder in folders for path in find_packs(folder)])


def sort_roster(summaries: list[BossSummary]) -> tuple[BossSummary, ...]:
    """Sort by tier and title, broken packs last; of two with the same slug, the first is kept."""
    by_slug: dict[str, BossSummary] = {}
    for summary in summaries:
        by_slug.setdefault(summary.slug, summary)
    return tuple(sorted(by_slug.values(), key=lambda boss: (bool(boss.error), boss.tier, boss.title)))


def training_boss(bosses: Sequence[BossSummary]) -> BossSummary | None:
    """The boss to begin with: the training dummy, else the easiest that isn't broken; None if there is none."""
    from evalforge.progress.records import TRAINING

    sound = [boss for boss in bosses if not boss.error]
    easiest = min(sound, key=lambda boss: boss.tier, default=None)
    return next((boss for boss in sound if boss.slug == TRAINING), easiest)


def find_packs(folder: Path) -> list[Path]:
    """The packs of a folder, which may itself be one. An unreadable folder is listed too, since it may be one."""
    if boss_file(folder):
        return [folder]
    try:
        return sorted(
            path for path in folder.iterdir() if is_folder(path) and (boss_file(path) or _is_unsearchable(path))
        )
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return [folder]


def _is_unsearchable(folder: Path) -> bool:
    return not os.access(folder, os.X_OK)


def read_summary(pack: Path) -> BossSummary:
    """Read the summary of one pack; a broken one gets an ``error``."""
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
            threshold=_threshold(pack),
            is_for_students=is_for_students(pack),
        )
    except Exception as error:  # noqa: BLE001 - the roster must appear whatever is wrong with a foreign pack
        return BossSummary(slug=pack.name, path=pack, title=clean_line(pack.name), error=_reason(pack, error))


def _threshold(pack: Path) -> float | None:
    try:
        return float(_plain_yaml(pack_file(pack, "rubric"))["overall"]["pass_threshold"])
    except Exception:  # noqa: BLE001 - a broken rubric only costs the bar here; the check of the pack names the fault
        return None


def _plain_yaml(path: Path) -> dict[str, Any]:
    import yaml

    from evalforge.packs.yaml12 import Loader

    with path.open("rb") as file:
        return yaml.load(file, Loader=Loader)  # noqa: S506 - our Loader derives from the safe one


def _reason(pack: Path, error: Exception) -> str:
    from evalforge.model.errors import PackError
    from evalforge.packs.pack import load_pack

    try:
        load_pack(pack)
    except PackError as pack_error:
        return clean(str(pack_error))
    return clean_line(str(error))
