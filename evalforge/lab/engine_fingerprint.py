"""Hashes of what measured facts depend on besides the submission: the trials, and the engine that runs them."""

import hashlib
import platform
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from evalforge import __version__
from evalforge.packs.pack import BossPack
from evalforge.packs.tree_hash import files_below, framed_content

_ENGINE = ("evidence", "sandbox")
_PACKAGE = Path(__file__).resolve().parent.parent


def trials_hash(pack: BossPack) -> str:
    """SHA-256 of a pack's trials, its id and its entry files; 16 hex digits."""
    header = f"{pack.boss_id}\0{pack.definition.metadata.entry_files}\0".encode()
    return _digest(header, *_framed_files(pack.trials))


@cache
def engine_version() -> str:
    """SHA-256 of our version, the code that measures, and the Python that runs it; 16 hex digits."""
    header = f"{__version__}\0{sys.version_info[:3]}\0{platform.system()}\0".encode()
    return _digest(header, *(data for name in _ENGINE for data in _framed_files(_PACKAGE / name)))


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def _framed_files(folder: Path) -> Iterator[bytes]:
    """Each file of a folder with its path and length in front."""
    return (framed_content(folder, path) for path in files_below(folder))
