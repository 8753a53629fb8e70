"""The files of a folder, for copying, hashing, and watching for changes."""

from pathlib import Path


def files_below(folder: Path) -> list[Path]:
    """Every file below a folder except bytecode, sorted; none if there is no such folder."""
    files = ((path, path.relative_to(folder).parts) for path in sorted(folder.rglob("*")))
    return [path for path, parts in files if "__pycache__" not in parts and path.is_file()]


def framed_content(folder: Path, path: Path) -> bytes:
    """A file's content preceded by its path and length, so that two different folders never hash the same."""
    data, name = path.read_bytes(), path.relative_to(folder).as_posix()
    return f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data
