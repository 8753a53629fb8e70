"""A hand-in laid down as a directory that can be judged, whatever it was packed in."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from evalforge.batch.classroom.archive import Archive, ZipLimits
from evalforge.batch.classroom.handin import DiskPiece, HandIn, ZipPiece
from evalforge.collect import SKIPPED_FOLDERS
from evalforge.model.errors import SubmissionError
from evalforge.model.text import clean_line

_ARCHIVES_IN_ARCHIVES = 3
_ENTRIES_MOST = 20_000
_OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class Laid:
    """Where a hand-in lies, and what of it was left out on the way there."""

    directory: Path
    left_out: tuple[str, ...] = ()


def lay_out(hand_in: HandIn, scratch: Path) -> Laid:
    """Lay a hand-in down.

    A plain folder stays where it is; anything else is unpacked or copied. An archive is opened where there is no Python
    file beside it, and a folder that only wraps another is stepped into.

    Args:
        hand_in: What was handed in.
        scratch: An empty folder of ours, for this hand-in alone.

    Raises:
        SubmissionError: It can't be laid down; says why.
    """
    if hand_in.problem:
        raise SubmissionError(hand_in.problem)
    try:
        return _laid(hand_in, scratch)
    except OSError as error:
        what = clean_line(hand_in.source)
        raise SubmissionError(f"{what} can't be read or unpacked ({error.strerror or error}).") from None


def _laid(hand_in: HandIn, scratch: Path) -> Laid:
    left: list[str] = []
    directory = _gathered(hand_in.pieces, scratch, left)
    for depth in range(_ARCHIVES_IN_ARCHIVES):
        files = _files(directory)
        archives = [path for path in files if path.suffix.lower() == ".zip"]
        if any(path.suffix.lower() == ".py" for path in files) or not archives:
            _refuse_other_archives(files)
            break
        if len(archives) > 1:
            names = ", ".join(clean_line(path.name, 60) for path in archives[:3])
            raise SubmissionError(f"{len(archives)} archives and no Python file: which one counts? ({names})")
        target = scratch / f"unpacked-{depth}"
        left += _unpacked(archives[0], target)
        directory = target
    return Laid(_stepped_in(directory), tuple(left))


def _gathered(pieces: tuple[DiskPiece | ZipPiece, ...], scratch: Path, left: list[str]) -> Path:
    first = pieces[0] if pieces else None
    if len(pieces) == 1 and isinstance(first, DiskPiece) and not first.name and not first.path.is_symlink():
        return first.path
    target = scratch / "gathered"
    target.mkdir()
    for piece in pieces:
        if isinstance(piece, ZipPiece):
            left += piece.archive.extract(target, piece.members)
        elif piece.path.is_symlink():
            raise SubmissionError(f"{clean_line(piece.path.name)} is a link, which is not followed.")
        elif piece.name:
            _copy(piece, target, left)
        else:
            shutil.copytree(piece.path, target, symlinks=True, dirs_exist_ok=True, ignore=_skipped)
    return target


def _copy(piece: DiskPiece, target: Path, left: list[str]) -> None:
    limits = ZipLimits()
    # A pipe or a device would never end.
    if not piece.path.is_file():
        left.append(f"{clean_line(piece.name)}: not a regular file")
    elif piece.path.stat().st_size > limits.archive:
        raise SubmissionError(f"{clean_line(piece.path.name)} is larger than {limits.archive // 1_000_000} MB.")
    else:
        # Moodle's names come from the archive's author: only the last part is used.
        name = piece.name.replace("\\", "/").rpartition("/")[2] or "file"
        shutil.copyfile(piece.path, target / name, follow_symlinks=False)


def _skipped(folder: str, names: list[str]) -> list[str]:
    """What is not copied: caches and environments, and whatever is neither file nor folder."""
    return [
        name
        for name in names
        if name in SKIPPED_FOLDERS
        or not ((Path(folder) / name).is_dir() or (Path(folder) / name).is_file())
        or (Path(folder) / name).is_symlink()
    ]


def _unpacked(path: Path, target: Path) -> list[str]:
    target.mkdir()
    archive = Archive(path)
    try:
        return archive.extract(target, {name: name for name in archive.members})
    finally:
        archive.close()


def _files(directory: Path) -> list[Path]:
    """Regular files that may matter, the first of very many."""
    found: list[Path] = []
    seen = 0
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS and name[0] != ".")
        seen += len(names) + len(folders)
        base = Path(folder)
        found += [base / name for name in sorted(names) if not name.startswith(".") and not (base / name).is_symlink()]
        if seen > _ENTRIES_MOST:
            break
    return found


def _refuse_other_archives(files: list[Path]) -> None:
    if any(path.suffix.lower() == ".py" for path in files):
        return
    for path in files:
        if path.suffix.lower() in _OTHER_ARCHIVES:
            raise SubmissionError(f"{clean_line(path.name, 60)}: only zip archives are opened.", "Ask for a zip.")


def _stepped_in(directory: Path) -> Path:
    """The folder below folders that hold nothing but one other."""
    for _ in range(8):
        visible = [path for path in directory.iterdir() if path.name[0] != "." and path.name != "__MACOSX"]
        if len(visible) != 1 or visible[0].is_symlink() or not visible[0].is_dir() or _is_package(visible[0]):
            return directory
        directory = visible[0]
    return directory


def _is_package(folder: Path) -> bool:
    """Whether a folder's name means something to Python."""
    return folder.name == "src" or any((folder / name).exists() for name in ("__init__.py", "__main__.py"))
