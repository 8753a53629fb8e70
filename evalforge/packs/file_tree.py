"""The files of a foreign folder or archive, held in memory until all of them are known to be safe to write."""

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import fill_folder
from evalforge.packs.private_files import close_tree_to_others, make_private_folders

MAX_FILES = 5_000
MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 12
_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_DAMAGES = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""The errors of damaged archives; that of a damaged bzip2 file is an ``OSError``."""
_LEFT_OUT = {".git", "__pycache__"}
_READ_BYTES = 1024 * 1024


class FileTree:
    """Regular files by path, limited in size and number.

    Args:
        max_bytes: The limit on the size of all files together, in bytes.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.files: dict[PurePosixPath, bytes] = {}
        self._bytes, self.max_bytes = 0, max_bytes

    @property
    def size_limit(self) -> str:
        """The limit on the size of all files, in words."""
        return f"{self.max_bytes // 1024 // 1024} MB"

    def add(self, name: str, stream: "IO[bytes] | None") -> None:
        """Read a file into memory.

        Raises:
            UsageError: Its path leads out of the folder, or a limit is exceeded.
        """
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or len(path.parts) > MAX_DEPTH:
            raise UsageError(
                f"{name!r} isn't allowed in a pack: its path is absolute, leads out of it, or is too deep."
            )
        if stream is None or _LEFT_OUT & set(path.parts):
            return
        content = bytearray()
        while part := stream.read(_READ_BYTES):
            content += part
            self._bytes += len(part)
            if self._bytes > self.max_bytes:
                raise UsageError(f"It holds more than {self.size_limit}.")
        self.files[path] = bytes(content)
        if len(self.files) > MAX_FILES:
            raise UsageError(f"It holds more than {MAX_FILES:,} files.")

    def write(self, folder: Path) -> None:
        """Write all files below a new folder, none of them executable, and all for this user alone."""
        make_private_folders(folder.parent)
        fill_folder(folder, ((str(path), content) for path, content in self.files.items()))
        close_tree_to_others(folder)


def read_tree(source: Path, max_bytes: int = MAX_BYTES) -> FileTree:
    """Read all files of a folder or an archive.

    Args:
        source: The folder or archive.
        max_bytes: The limit on the size of all files together, in bytes.

    Raises:
        UsageError: It is neither, is damaged, has links or devices, or exceeds a limit.
    """
    tree, name = FileTree(max_bytes), source.name.lower()
    if source.is_file() and source.stat().st_size > max_bytes:
        raise UsageError(f"{source} is larger than {tree.size_limit}.")
    try:
        if source.is_dir():
            _read_folder(source, tree)
        elif name.endswith(".zip"):
            _read_zip(source, tree)
        elif name.endswith(_ENDINGS):
            with source.open("rb") as file:
                read_tar(file, tree)
        else:
            raise UsageError(f"{source} is neither a folder nor an archive ({', '.join(_ENDINGS)}).")
    except _DAMAGES as error:
        raise UsageError(f"{source} can't be unpacked: {error}.") from None
    except OSError as error:
        raise UsageError(f"{source} can't be read: {error}.") from None
    return tree


def _read_folder(source: Path, tree: FileTree) -> None:
    for folder, names, files in os.walk(source):
        names[:] = sorted(set(names) - _LEFT_OUT)
        for name in [*names, *sorted(files)]:
            path = Path(folder) / name
            mode = path.lstat().st_mode
            _refuse_unless_regular(path, stat.S_ISREG(mode) or stat.S_ISDIR(mode))
            if stat.S_ISREG(mode):
                with path.open("rb") as file:
                    tree.add(path.relative_to(source).as_posix(), file)


def _read_zip(source: Path, tree: FileTree) -> None:
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            _refuse_unless_regular(info.filename, kind in (0, stat.S_IFREG, stat.S_IFDIR))
            if info.is_dir():
                tree.add(info.filename, None)
                continue
            with archive.open(info) as file:
                tree.add(info.filename, file)


def read_tar(stream: "IO[bytes]", tree: FileTree) -> None:
    """Read a tar archive, compressed or not, into a tree.

    Raises:
        UsageError: It has links or devices, or exceeds a limit. tarfile.TarError: It is damaged.
    """
    with tarfile.open(fileobj=stream, mode="r:*") as archive:  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]
        for member in _members(archive, tree):  # pyright: ignore[reportUnknownArgumentType]
            _refuse_unless_regular(member.name, member.isfile() or member.isdir())
            tree.add(member.name, archive.extractfile(member) if member.isfile() else None)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _members(archive: tarfile.TarFile, tree: FileTree) -> Iterator[tarfile.TarInfo]:
    """Yield each member within the limits; skipped ones count too, because they must be decompressed all the same."""
    count = size = 0
    while (member := archive.next()) is not None:
        count, size = count + 1, size + member.size
        if count > 4 * MAX_FILES or size > tree.max_bytes:
            raise UsageError(f"It holds more than {tree.size_limit}, or too many files.")
        yield member


def _refuse_unless_regular(name: object, is_regular: bool) -> None:
    if not is_regular:
        raise UsageError(f"{name} is a link or a device, which isn't allowed in a pack.")
