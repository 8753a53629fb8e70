"""Which packs are calibrated: those that ship, and those on whose gold the forge judge was found to agree.

A calibration is valid until something that decides scores changes (``BossPack.rubric_hash``).
"""

import json
from contextlib import suppress
from pathlib import Path

from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.locations import shipped_bosses, state_folder
from evalforge.packs.pack import BossPack
from evalforge.packs.release import CALIBRATED_HASH, read_release

_FILE_NAME = "calibrated.json"


def is_calibrated(pack: BossPack) -> bool:
    """Whether the forge judge is known to agree with this pack's gold in its present state."""
    if pack.path.absolute().parent == shipped_bosses().absolute():
        return True
    if pack.rubric_hash in read_json_object(_calibrations()):
        return True
    return read_release(pack.path).get(CALIBRATED_HASH) == pack.rubric_hash


def note_calibrated(pack: BossPack) -> None:
    """Record that the forge judge agrees with this pack's gold; if that can't be stored, nothing is recorded."""
    with suppress(OSError):
        boss_ids = {**read_json_object(_calibrations()), pack.rubric_hash: pack.boss_id}
        write_atomically(_calibrations(), json.dumps(boss_ids, indent=1).encode())


def _calibrations() -> Path:
    """The path of the file with this machine's calibrations: boss ids by hash."""
    return state_folder() / _FILE_NAME
