"""Zip archives of strangers: read within bounds, and never out of the folder they are unpacked into."""

import os
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from evalforge.collect import SKIPPED_FOLDERS
from evalforge.model.errors import SubmissionError
from evalforge.model.text import clean_line

_MB = 1_000_000
_END = struct.Struct("<4s4H2LH")
_COMMENT_MOST = 65_535
_LOCATOR_SIZE = 20
_BLOCK = 64 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _UTF8 = 0x1, 0x800
# Whatever an archive that was made to harm, or only damaged, makes the reader raise.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OSError,
)


@dataclass(frozen=True)
class ZipLimits:
    """How much of an archive is read.

    Attributes:
        archive: Its size, in bytes.
        directory: Bytes its table of contents may take; that is read into memory whole.
        members: Files unpacked, those nobody judges (caches, environments) not counted.
        each: Bytes of one file; a larger one is left out.
        in_all: Bytes of all files; beyond it the archive is refused.
        ratio: How many times its packed size it may unpack to, once that is more than a few megabytes.
    """

    archive: int = 100 * _MB
    directory: int = 8 * _MB
    members: int = 5_000
    each: int = 4 * _MB
    in_all: int = 60 * _MB
    ratio: int = 250


EXPORT_LIMITS = ZipLimits(archive=8_000 * _MB, directory=256 * _MB)
"""Of an archive that holds a whole class; each hand-in within is bounded as any other."""
_RATIO_MATTERS = 4 * _MB


class Archive:
    """An open archive, and its members under names that are safe to write.

    Args:
        path: The archive.
        limits: How much of it is read.
        export: Whether it is a whole class's: one bad name is then left out, and no reason to refuse the rest.

    Raises:
        SubmissionError: It can't be opened, is too large, or was made to do harm.
    """

    def __init__(self, path: Path, limits: ZipLimits | None = None, *, export: bool = False) -> None:
        self.path = path
        self.limits = limits or (EXPORT_LIMITS if export else ZipLimits())
        self.left_out: list[str] = []
        """What is not unpacked, and why, in words."""
        self._file = _opened(path)
        try:
            _check_directory(path, self._file.fileno(), self.limits, export=export)
            self._zip = zipfile.ZipFile(self._file)
            self.members = self._members(strict=not export)
        except DAMAGE as error:
            self._file.close()
            raise SubmissionError(f"{_name(path)} is no zip archive that can be read ({_words(error)}).") from None
        except SubmissionError:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the archive."""
        self._zip.close()
        self._file.close()

    def _members(self, *, strict: bool) -> dict[str, zipfile.ZipInfo]:
        found: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            name = _decoded(info).replace("\\", "/")
            problem = _leads_out(name)
            if problem and strict:
                raise SubmissionError(f"{_name(self.path)} is refused: {clean_line(name, 80)!r} {problem}.")
            if problem or info.is_dir() or _is_skipped(name):
                if problem:
                    self.left_out.append(f"{clean_line(name, 80)} {problem}")
                continue
            found[str(PurePosixPath(name))] = info
        return found

    def read(self, name: str, cap: int) -> bytes:
        """The first bytes of one member.

        Raises:
            SubmissionError: It can't be read.
        """
        try:
            with self._zip.open(self.members[name]) as member:
                return member.read(cap)
        except DAMAGE as error:
            raise SubmissionError(
                f"{clean_line(name)} in {_name(self.path)} can't be read ({_words(error)})."
            ) from None

    def extract(self, target: Path, names: dict[str, str]) -> list[str]:
        """Unpack some members.

        Args:
            target: A folder of ours.
            names: Which members, and as what each is laid down.

        Returns:
            What was left out, and why.

        Raises:
            SubmissionError: It is damaged, encrypted, or unpacks to more than is taken.
        """
        left: list[str] = []
        packed = sum(self.members[name].compress_size for name in names)
        total = 0
        if len(names) > self.limits.members:
            raise SubmissionError(f"{_name(self.path)} holds more than {self.limits.members:,} files.")
        for name, laid_as in names.items():
            info = self.members[name]
            reason = self._left_out(info)
            if reason:
                left.append(f"{clean_line(laid_as)}: {reason}")
                continue
            total += self._unpack(info, target / laid_as, left)
            if total > self.limits.in_all or (total > _RATIO_MATTERS and total > packed * self.limits.ratio):
                raise SubmissionError(f"{_name(self.path)} is refused: it unpacks to far more than its size.")
        return left

    def _left_out(self, info: zipfile.ZipInfo) -> str:
        if info.flag_bits & _ENCRYPTED:
            raise SubmissionError(f"{_name(self.path)} is encrypted.", "Ask for it without a password.")
        if info.compress_type not in _METHODS:
            raise SubmissionError(
                f"{_name(self.path)} is compressed in a way that is not opened.", "Plain zip, please."
            )
        mode = info.external_attr >> 16
        if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            return "a link or something else that is no file"
        return "" if info.file_size <= self.limits.each else f"larger than {self.limits.each:,} bytes"

    def _unpack(self, info: zipfile.ZipInfo, path: Path, left: list[str]) -> int:
        written = 0
        try:
            with self._zip.open(info) as member:
                target = _new_file(path, left)
                if target is None:
                    return 0
                with target:
                    # What a header says of sizes is the sender's word: count what really comes.
                    while written <= self.limits.each and (block := member.read(_BLOCK)):
                        written += len(block)
                        target.write(block)
        except DAMAGE as error:
            raise SubmissionError(
                f"{clean_line(info.filename)} in {_name(self.path)} can't be unpacked ({_words(error)})."
            ) from None
        return written


def _new_file(path: Path, left: list[str]) -> BinaryIO | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        return os.fdopen(os.open(path, flags, 0o600), "wb")
    except OSError as error:
        # Twice the same name, a file where a folder is, a name too long: the others are still good.
        left.append(f"{clean_line(path.name)}: {error.strerror}")
        return None


def _opened(path: Path) -> BinaryIO:
    """A regular file, opened without following a link or waiting for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise SubmissionError(f"{_name(path)} can't be read ({error.strerror}).") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SubmissionError(f"{_name(path)} is no regular file.")
    return os.fdopen(descriptor, "rb")


def _check_directory(path: Path, descriptor: int, limits: ZipLimits, *, export: bool) -> None:
    """Bound the archive, and its table of contents before a reader loads it, going by the end record it will go by."""
    size = os.fstat(descriptor).st_size
    if size > limits.archive:
        raise SubmissionError(f"{_name(path)} is larger than {limits.archive // _MB:,} MB.")
    span = min(size, _END.size + _COMMENT_MOST + _LOCATOR_SIZE)
    tail = os.pread(descriptor, span, size - span)
    at = len(tail) - _END.size
    if at < 0 or tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile("File is not a zip file")
    locator = tail[max(0, at - _LOCATOR_SIZE) : at][:4]
    if locator == b"PK\6\7" and not export:
        raise SubmissionError(f"{_name(path)} is in the format for archives above 4 GB, which is not taken.")
    table = _END.unpack_from(tail, at)[5]
    if table > limits.directory and not (export and table == 0xFFFFFFFF):
        raise SubmissionError(f"{_name(path)} holds too many files.")


def _decoded(info: zipfile.ZipInfo) -> str:
    """A member's name. Many tools write UTF-8 without saying so."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _leads_out(name: str) -> str:
    """Why a name isn't one to write to; empty if it is."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or (len(parts[0]) > 1 and parts[0][1] == ":"):
        return "leads out of the archive"
    if not name.strip("/. ") or "\0" in name:
        return "is no name"
    return ""


def _is_skipped(name: str) -> bool:
    folders = PurePosixPath(name).parts[:-1]
    return any(part in SKIPPED_FOLDERS or part == "__MACOSX" for part in folders)


def _name(path: Path) -> str:
    return clean_line(path.name, 120)


def _words(error: BaseException) -> str:
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return clean_line(told, 120) or type(error).__name__
