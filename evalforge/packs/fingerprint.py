"""Hashes of what determines results: a folder's files, and the engine that measures. Stored values depend on them."""

import hashlib
import platform
import sys
from functools import cache
from pathlib import Path

from evalforge import __version__

_ENGINE = ("evidence", "sandbox", "submissions")
_PACKAGE = Path(__file__).resolve().parent.parent
FileStates = tuple[tuple[str, int, int], ...]


def short_hash(*parts: bytes) -> str:
    """SHA-256 of some parts joined together; the first 16 hex digits."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def files_below(folder: Path) -> list[Path]:
    """Every file below a folder except bytecode, sorted; none if there is no such folder."""
    files = ((path, path.relative_to(folder).parts) for path in sorted(folder.rglob("*")))
    return [path for path, parts in files if "__pycache__" not in parts and path.is_file()]


def file_states(folder: Path) -> FileStates:
    """Path, modification time and size of every file below a folder, to see whether any of them has changed."""
    stats = ((path, path.stat()) for path in files_below(folder))
    return tuple((str(path), status.st_mtime_ns, status.st_size) for path, status in stats)


def framed(name: str, data: bytes) -> bytes:
    """A file's content preceded by its path and length, so that two different folders never hash the same."""
    return f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data


def framed_files(folder: Path) -> list[bytes]:
    """The framed content of each file below a folder."""
    return [framed(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files_below(folder)]


@cache
def engine_version() -> str:
    """The hash of our version, the code that measures, and the Python version and platform it runs on."""
    header = f"{__version__}\0{sys.version_info[:3]}\0{platform.system()}\0".encode()
    return short_hash(header, *(data for name in _ENGINE for data in framed_files(_PACKAGE / name)))
