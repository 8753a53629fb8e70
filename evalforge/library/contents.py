"""What lies in a folder, for whoever copies it, hashes it, or watches it for changes."""

from pathlib import Path


def files_below(folder: Path) -> list[Path]:
    """Every file below a folder but bytecode, in order; none where there is no such folder."""
    inside = ((path, path.relative_to(folder).parts) for path in sorted(folder.rglob("*")))
    return [path for path, parts in inside if "__pycache__" not in parts and path.is_file()]


def framed(folder: Path, path: Path) -> bytes:
    """A file's content with its name and length before it, so that no two folders read alike."""
    data, name = path.read_bytes(), path.relative_to(folder).as_posix()
    return f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data
