"""Finding of a pack by its boss's slug, or by its path."""

import difflib
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.path_checks import boss_file, exists, folder_fault
from evalforge.packs.summary import find_bosses


def find_pack(name: str, folders: tuple[Path, ...]) -> BossPack:
    """Load the pack with this slug (or whose path is given).

    Raises:
        UsageError: There is no such boss; the message lists the available ones.
        PackError: The pack is broken.
    """
    bosses = find_bosses(folders)
    for boss in bosses:
        if boss.slug == name:
            return load_pack(boss.path)
    direct = Path(name)
    if boss_file(direct):
        return load_pack(direct)
    available = ", ".join(boss.slug for boss in bosses) or "none found"
    is_path = len(direct.parts) > 1 or exists(direct)
    folder_reason = f", and as a folder it {folder_fault(direct) or 'has no boss.yaml'}" if is_path else ""
    close = _closest(name, [boss.slug for boss in bosses])
    suggestion = f"Did you mean {close}? " if close else ""
    raise UsageError(f"There is no boss called {name!r}{folder_reason}.", f"{suggestion}Bosses: {available}.")


def _closest(name: str, slugs: list[str]) -> str:
    """The boss that was probably meant: one with a similar name, or with the name in it; empty if there is none."""
    wanted = name.lower().replace("_", "-").replace(" ", "-")
    close = difflib.get_close_matches(wanted, slugs, n=1, cutoff=0.6)
    parts = [slug for slug in slugs if len(wanted) > 2 and wanted in slug]
    return (close or parts or [""])[0]
