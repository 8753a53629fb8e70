"""A pack by its boss's slug, or by its path."""

from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.path_checks import boss_file, exists, folder_fault
from evalforge.packs.summary import find_bosses


def find_pack(name: str, folders: tuple[Path, ...]) -> BossPack:
    """Load the pack with this slug (or whose path is given).

    Raises:
        UsageError: There is no such boss; names those that are there.
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
    raise UsageError(f"There is no boss called {name!r}{folder_reason}.", f"Bosses: {available}.")
