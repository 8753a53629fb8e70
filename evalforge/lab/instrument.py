"""What facts depend on besides the submission: the trials, and the engine that runs and reads."""

import hashlib
import platform
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from evalforge import __version__
from evalforge.library.contents import files_below, framed
from evalforge.library.pack import BossPack

_ENGINE = ("evidence", "sandbox")
_PACKAGE = Path(__file__).resolve().parent.parent


def trials_hash(pack: BossPack) -> str:
    """SHA-256 of all that the trials of a pack are; 16 hex digits."""
    about = f"{pack.boss_id}\0{pack.definition.metadata.entry_files}\0".encode()
    return _digest(about, *_contents(pack.trials))


@cache
def engine_version() -> str:
    """What measures: our version, the code that measures, and the Python that runs it; 16 hex digits."""
    about = f"{__version__}\0{sys.version_info[:3]}\0{platform.system()}\0".encode()
    return _digest(about, *(data for name in _ENGINE for data in _contents(_PACKAGE / name)))


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def _contents(folder: Path) -> Iterator[bytes]:
    """Each file, framed."""
    return (framed(folder, path) for path in files_below(folder))
