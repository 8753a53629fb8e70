"""The release file of a packed pack, ``release.json``: for whom it was packed, and which version it is.

A pack for students lacks the parts that judge, so it can be read and played up to the fight, but judges nobody.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any

from evalforge.packs.atomic_files import read_json_object

RELEASE_FILE = "release.json"
CALIBRATED_HASH = "calibrated_hash"
"""The key of the hash for which the judge was found to agree with the pack's gold (``BossPack.rubric_hash``)."""


class Audience(StrEnum):
    """For whom a pack was packed."""

    STUDENTS = "students"
    COLLEAGUES = "colleagues"


FOR_STUDENTS = "to be judged by your teacher"
"""What players read on a pack that lacks the parts that judge."""


def is_for_students(pack: Path) -> bool:
    """Whether a pack was packed for students, without the parts that judge."""
    return read_release(pack).get("audience") == Audience.STUDENTS


def read_release(pack: Path) -> dict[str, Any]:
    """Read a pack's ``release.json``; empty if it was never packed.

    Args:
        pack: The pack's folder.
    """
    return read_json_object(pack / RELEASE_FILE)
