"""Reads untrusted zip archives: within limits, and never writing outside the target folder."""

import os
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from evalforge.model.errors import SubmissionError
from evalforge.model.text import clean_line
from evalforge.submissions.collect import SKIPPED_FOLDERS

_MB = 1_000_000
# The end record of a zip file: its table of contents (size and offset) and its comment come last.
_END_RECORD = struct.Struct("<4s4H2LH")
_END_MARK, _LOCATOR_MARK = b"PK\5\6", b"PK\6\7"
_ZIP64_SIZE = 0xFFFFFFFF
"""The size given in the end record of an archive above 4 GB, whose real sizes are in a separate record."""
_MAX_COMMENT_BYTES = 65_535
_LOCATOR_BYTES = 20
_BLOCK_BYTES = 64 * 1024
_KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED_FLAG, _UTF8_FLAG = 0x1, 0x800
# The exceptions that zipfile raises on archives that are damaged or malicious.
ARCHIVE_ERRORS = (
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
    """Limits on how much of an archive is read.

    Attributes:
        max_archive_bytes: Size of the archive.
        max_directory_bytes: Size of its table of contents, all of which is read into memory.
        max_members: Number of unpacked files, not counting those that are never judged (caches, environments).
        max_file_bytes: Size of one file; a larger one is left out.
        max_total_bytes: Size of all files; a larger archive is refused.
        max_ratio: Unpacked size divided by packed size, once more than a few megabytes were unpacked.
    """

    max_archive_bytes: int = 100 * _MB
    max_directory_bytes: int = 8 * _MB
    max_members: int = 5_000
    max_file_bytes: int = 4 * _MB
    max_total_bytes: int = 60 * _MB
    max_ratio: int = 250


EXPORT_LIMITS = ZipLimits(max_archive_bytes=8_000 * _MB, max_directory_bytes=256 * _MB)
"""Limits of an archive that holds a whole class; each submission in it has the usual limits."""
_MIN_BYTES_FOR_RATIO = 4 * _MB


class Archive:
    """An open archive, with member names that are safe to write.

    Args:
        path: The archive.
        limits: How much of it is read.
        export: Whether it holds a whole class: then a bad name is left out, and the archive isn't refused.

    Raises:
        SubmissionError: It can't be opened, is too large, or has a name that leads out of it.
    """

    def __init__(self, path: Path, limits: ZipLimits | None = None, *, export: bool = False) -> None:
        self.path = path
        self.limits = limits or (EXPORT_LIMITS if export else ZipLimits())
        self.unsafe_names: list[tuple[str, str]] = []
        """Members that are not unpacked because of their names, each with the reason."""
        self.folders: list[str] = []
        """Members that are folders, each ending in a slash."""
        self._skips_folders = not export
        self._file = _open_regular_file(path)
        try:
            _check_directory(path, self._file.fileno(), self.limits, export=export)
            self._zip = zipfile.ZipFile(self._file)
            self.members = self._safe_members(strict=not export)
        except ARCHIVE_ERRORS as error:
            self._file.close()
            raise SubmissionError(f"{_file_name(path)} is not a readable zip archive ({_error_text(error)}).") from None
        except SubmissionError:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the archive's file."""
        self._zip.close()
        self._file.close()

    def _safe_members(self, *, strict: bool) -> dict[str, zipfile.ZipInfo]:
        members: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            name = _decoded_name(info).replace("\\", "/")
            problem = _name_problem(name)
            if problem and strict:
                raise SubmissionError(f"{_file_name(self.path)} is refused: {clean_line(name, 80)!r} {problem}.")
            if problem:
                self.unsafe_names.append((clean_line(name, 80), problem))
            elif info.is_dir():
                self.folders.append(name)
            # A student may be called `build`: in an export of a class, names are checked within each submission.
            if problem or info.is_dir() or (self._skips_folders and is_skipped(name)):
                continue
            members[str(PurePosixPath(name))] = info
        return members

    def read(self, name: str, max_bytes: int) -> bytes:
        """The first bytes of one member.

        Raises:
            SubmissionError: The member can't be read.
        """
        try:
            with self._zip.open(self.members[name]) as member:
                return member.read(max_bytes)
        except ARCHIVE_ERRORS as error:
            raise SubmissionError(
                f"{clean_line(name)} in {_file_name(self.path)} can't be read ({_error_text(error)})."
            ) from None

    def extract(self, target: Path, names: dict[str, str]) -> list[str]:
        """Unpack some members into a folder.

        Args:
            target: An empty folder of ours.
            names: The members to unpack, and the path of each in the folder.

        Returns:
            What was left out, and why.

        Raises:
            SubmissionError: The archive is damaged, encrypted, or unpacks to more than the limits allow.
        """
        left_out: list[str] = []
        packed_bytes = sum(self.members[name].compress_size for name in names)
        unpacked_bytes = 0
        if len(names) > self.limits.max_members:
            raise SubmissionError(f"{_file_name(self.path)} holds more than {self.limits.max_members:,} files.")
        for name, target_name in names.items():
            info = self.members[name]
            reason = self._reason_to_skip(info)
            if reason:
                left_out.append(f"{clean_line(target_name)}: {reason}")
                continue
            unpacked_bytes += self._unpack_member(info, target / target_name, left_out)
            max_bytes_by_ratio = max(_MIN_BYTES_FOR_RATIO, packed_bytes * self.limits.max_ratio)
            if unpacked_bytes > min(self.limits.max_total_bytes, max_bytes_by_ratio):
                raise SubmissionError(f"{_file_name(self.path)} is refused: it unpacks to far more than its size.")
        return left_out

    def _reason_to_skip(self, info: zipfile.ZipInfo) -> str:
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise SubmissionError(f"{_file_name(self.path)} is encrypted.", "Ask for it without a password.")
        if info.compress_type not in _KNOWN_METHODS:
            raise SubmissionError(
                f"{_file_name(self.path)} uses a compression method that isn't supported.", "Plain zip, please."
            )
        mode = info.external_attr >> 16
        if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            return "a link or another special file"
        return (
            "" if info.file_size <= self.limits.max_file_bytes else f"larger than {self.limits.max_file_bytes:,} bytes"
        )

    def _unpack_member(self, info: zipfile.ZipInfo, path: Path, left_out: list[str]) -> int:
        written_bytes = 0
        try:
            with self._zip.open(info) as member:
                target = _new_file(path, left_out)
                if target is None:
                    return 0
                with target:
                    # A header can lie about sizes, so the unpacked bytes are counted.
                    while written_bytes <= self.limits.max_file_bytes and (block := member.read(_BLOCK_BYTES)):
                        written_bytes += len(block)
                        target.write(block)
        except ARCHIVE_ERRORS as error:
            raise SubmissionError(
                f"{clean_line(info.filename)} in {_file_name(self.path)} can't be unpacked ({_error_text(error)})."
            ) from None
        return written_bytes


def _new_file(path: Path, left_out: list[str]) -> BinaryIO | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        return os.fdopen(os.open(path, flags, 0o600), "wb")
    except OSError as error:
        # A duplicate name, one that is too long or a folder's name affects only this file; the others are still good.
        left_out.append(f"{clean_line(path.name)}: {error.strerror}")
        return None


def _open_regular_file(path: Path) -> BinaryIO:
    """Open a regular file, without following a link or waiting for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise SubmissionError(f"{_file_name(path)} can't be read ({error.strerror}).") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SubmissionError(f"{_file_name(path)} is not a regular file.")
    return os.fdopen(descriptor, "rb")


def _check_directory(path: Path, descriptor: int, limits: ZipLimits, *, export: bool) -> None:
    """Check the size of the archive and of its table of contents, before ``zipfile`` loads that.

    The end record is searched for as ``zipfile`` does, so that both find the same one.

    Raises:
        SubmissionError: The archive is too large.
        BadZipFile: The archive has no end record.
    """
    size = os.fstat(descriptor).st_size
    if size > limits.max_archive_bytes:
        raise SubmissionError(f"{_file_name(path)} is larger than {limits.max_archive_bytes // _MB:,} MB.")
    tail_bytes = min(size, _END_RECORD.size + _MAX_COMMENT_BYTES + _LOCATOR_BYTES)
    tail = os.pread(descriptor, tail_bytes, size - tail_bytes)
    start = len(tail) - _END_RECORD.size
    has_no_comment = start >= 0 and tail[start : start + 4] == _END_MARK and tail[-2:] == b"\0\0"
    if not has_no_comment:
        start = tail.rfind(_END_MARK)
    if start < 0 or len(tail) - start < _END_RECORD.size:
        raise zipfile.BadZipFile("File is not a zip file")
    locator_mark = tail[max(0, start - _LOCATOR_BYTES) : start][:4]
    if locator_mark == _LOCATOR_MARK and not export:
        raise SubmissionError(
            f"{_file_name(path)} is a zip archive in the format for more than 4 GB, which isn't supported."
        )
    directory_bytes = _END_RECORD.unpack_from(tail, start)[5]
    is_in_zip64_record = export and directory_bytes == _ZIP64_SIZE
    if directory_bytes > limits.max_directory_bytes and not is_in_zip64_record:
        raise SubmissionError(f"{_file_name(path)} holds too many files.")


def _decoded_name(info: zipfile.ZipInfo) -> str:
    """Decode a member's name. Many tools write UTF-8 without setting the flag for it."""
    if info.flag_bits & _UTF8_FLAG:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _name_problem(name: str) -> str:
    """Return why a name isn't safe to write; empty if it is."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or (len(parts[0]) > 1 and parts[0][1] == ":"):
        return "leads out of the archive"
    if not name.strip("/. ") or "\0" in name:
        return "isn't a valid name"
    return ""


def is_skipped(name: str) -> bool:
    """Whether a path is in a folder that is never judged, such as a cache or an environment."""
    folders = PurePosixPath(name).parts[:-1]
    return any(part in SKIPPED_FOLDERS or part == "__MACOSX" for part in folders)


def _file_name(path: Path) -> str:
    return clean_line(path.name, 120)


def _error_text(error: BaseException) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return clean_line(text, 120) or type(error).__name__
