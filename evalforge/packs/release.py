"""What a pack that was handed out says of itself: ``release.json``, for whom it is, and which version of the pack.

A pack for students lacks all that judges: such a pack is read and played up to the fight, and judges nobody.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any

from evalforge.packs.atomic_files import read_json_object

RELEASE_FILE = "release.json"
CALIBRATED_HASH = "calibrated_hash"
"""The key of the hash with which the judge was seen to agree with the pack's gold (``BossPack.rubric_hash``)."""


class Audience(StrEnum):
    """Whom a pack is for."""

    STUDENTS = "students"
    COLLEAGUES = "colleagues"


FOR_STUDENTS = "to be judged by your teacher"
"""What is said of a pack that lacks what judges."""


def is_for_students(pack: Path) -> bool:
    """Whether a pack was packed for students, without what judges."""
    return read_release(pack).get("audience") == Audience.STUDENTS


def read_release(pack: Path) -> dict[str, Any]:
    """What a pack says of itself; empty if it was never packed.

    Args:
        pack: The pack's folder.
    """
    return read_json_object(pack / RELEASE_FILE)
