"""Unpacks a submission into a directory that can be judged, whatever its packaging."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from evalforge.classroom.archive import Archive, ZipLimits
from evalforge.classroom.hand_in import DiskPiece, HandIn, ZipPiece
from evalforge.model.errors import SubmissionError
from evalforge.model.text import clean_line
from evalforge.submissions.collect import SKIPPED_FOLDERS

_MAX_NESTED_ARCHIVES = 3
_MAX_ENTRIES = 20_000
_MAX_WRAPPERS = 8
_UNSUPPORTED_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class UnpackedHandIn:
    """The directory of a submission, and what was left out of it, one sentence each."""

    directory: Path
    left_out: tuple[str, ...] = ()


def unpack_hand_in(hand_in: HandIn, scratch: Path) -> UnpackedHandIn:
    """Unpack the submission of one row into a folder.

    A plain folder is used in place; anything else is unpacked or copied. An archive is opened if there is no Python
    file next to it, and a folder that only wraps another is skipped.

    Args:
        hand_in: The submission.
        scratch: An empty folder of ours, for this submission alone.

    Raises:
        SubmissionError: It can't be unpacked.
    """
    if hand_in.problem:
        raise SubmissionError(hand_in.problem)
    try:
        return _unpack(hand_in, scratch)
    except OSError as error:
        name = clean_line(hand_in.entry_name or hand_in.row_id)
        raise SubmissionError(f"{name} can't be read or unpacked ({error.strerror or error}).") from None


def _unpack(hand_in: HandIn, scratch: Path) -> UnpackedHandIn:
    left_out: list[str] = []
    directory = _gather_pieces(hand_in.pieces, scratch, left_out)
    for depth in range(_MAX_NESTED_ARCHIVES):
        files = _files(directory)
        archives = [path for path in files if path.suffix.lower() == ".zip"]
        if _has_python(files) or not archives:
            _refuse_unsupported_archives(files)
            break
        if len(archives) > 1:
            names = ", ".join(clean_line(path.name, 60) for path in archives[:3])
            raise SubmissionError(
                f"{len(archives)} archives and no Python file, so it isn't clear which one counts ({names})"
            )
        target = scratch / f"unpacked-{depth}"
        left_out += _unpack_archive(archives[0], target)
        directory = target
    return UnpackedHandIn(_inside_wrappers(directory), tuple(left_out))


def _gather_pieces(pieces: tuple[DiskPiece | ZipPiece, ...], scratch: Path, left_out: list[str]) -> Path:
    """Collect all pieces in one folder; if the submission is a single folder on disk, that one is returned."""
    only = pieces[0] if len(pieces) == 1 else None
    if isinstance(only, DiskPiece) and not only.name and not only.path.is_symlink():
        return only.path
    target = scratch / "gathered"
    target.mkdir()
    for piece in pieces:
        if isinstance(piece, ZipPiece):
            left_out += piece.archive.extract(target, piece.members)
        elif piece.path.is_symlink():
            raise SubmissionError(f"{clean_line(piece.path.name)} is a link, which is not followed.")
        elif piece.name:
            _copy_file(piece, target, left_out)
        else:
            shutil.copytree(piece.path, target, symlinks=True, dirs_exist_ok=True, ignore=_names_to_skip)
    return target


def _copy_file(piece: DiskPiece, target: Path, left_out: list[str]) -> None:
    limits = ZipLimits()
    # Reading a pipe or a device might block forever.
    if not piece.path.is_file():
        left_out.append(f"{clean_line(piece.name)}: not a regular file")
    elif piece.path.stat().st_size > limits.max_archive_bytes:
        raise SubmissionError(
            f"{clean_line(piece.path.name)} is larger than {limits.max_archive_bytes // 1_000_000} MB."
        )
    else:
        # The archive's author chose the name: any path in it is dropped.
        name = piece.name.replace("\\", "/").rpartition("/")[2] or "file"
        shutil.copyfile(piece.path, target / name, follow_symlinks=False)


def _names_to_skip(folder: str, names: list[str]) -> list[str]:
    """Names that are not copied: caches and environments, and anything that is neither file nor folder."""
    return [name for name in names if name in SKIPPED_FOLDERS or not _is_plain(Path(folder) / name)]


def _is_plain(path: Path) -> bool:
    return not path.is_symlink() and (path.is_dir() or path.is_file())


def _unpack_archive(path: Path, target: Path) -> list[str]:
    target.mkdir()
    archive = Archive(path)
    try:
        return archive.extract(target, {name: name for name in archive.members})
    finally:
        archive.close()


def _files(directory: Path) -> list[Path]:
    """Regular files, without hidden ones; only the first of very many."""
    files: list[Path] = []
    entry_count = 0
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS and name[0] != ".")
        entry_count += len(names) + len(folders)
        base = Path(folder)
        files += [base / name for name in sorted(names) if not name.startswith(".") and not (base / name).is_symlink()]
        if entry_count > _MAX_ENTRIES:
            break
    return files


def _has_python(files: list[Path]) -> bool:
    return any(path.suffix.lower() == ".py" for path in files)


def _refuse_unsupported_archives(files: list[Path]) -> None:
    if _has_python(files):
        return
    for path in files:
        if path.suffix.lower() in _UNSUPPORTED_ARCHIVES:
            raise SubmissionError(f"{clean_line(path.name, 60)}: only zip archives are opened.", "Ask for a zip.")


def _inside_wrappers(directory: Path) -> Path:
    """The innermost folder of folders that each contain only one other."""
    for _ in range(_MAX_WRAPPERS):
        visible = [path for path in directory.iterdir() if path.name[0] != "." and path.name != "__MACOSX"]
        if len(visible) != 1 or visible[0].is_symlink() or not visible[0].is_dir() or _is_package(visible[0]):
            return directory
        directory = visible[0]
    return directory


def _is_package(folder: Path) -> bool:
    """Whether Python code depends on the folder's name."""
    return folder.name == "src" or any((folder / name).exists() for name in ("__init__.py", "__main__.py"))
