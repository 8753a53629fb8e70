"""Read a directory into a submission: text files on an allow-list, within limits, with a list of what was left out."""

import codecs
import os
import re
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pathspec import GitIgnoreSpec

from evalforge.model.errors import SubmissionError
from evalforge.model.source_encoding import decode_source
from evalforge.model.submission import LeftOut, Submission, SubmissionFile
from evalforge.model.text import clean_line, replace_unencodable
from evalforge.packs.boss_marker import MARKER

ALLOWED_SUFFIXES = frozenset(
    ".py .pyi .md .rst .txt .json .jsonl .csv .tsv .toml .cfg .ini .yaml .yml .sql .html .css .xml .log .sh".split()
)
ALLOWED_NAMES = frozenset({"README", "LICENSE", "NOTES", "CHANGELOG", "Makefile", "Dockerfile", ".gitignore"})
SKIPPED_FOLDERS = frozenset(
    [
        "__pycache__",
        ".git",
        ".hg",
        ".svn",
        ".venv",
        "venv",
        "env",
        ".env",
        "node_modules",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".idea",
        ".vscode",
        "dist",
        "build",
        "site-packages",
        ".eggs",
        "htmlcov",
    ]
)
GOLD_FILE_NAME = "gold.yaml"
GENERATED_FILES = frozenset({"poetry.lock", "uv.lock", "package-lock.json", "yarn.lock", "Pipfile.lock"})
README_NAMES = ("README.md", "README.rst", "README.txt", "README")
_SETTINGS_SUFFIXES = (".toml", ".cfg", ".ini")
_MAX_IGNORE_FILE_BYTES = 100_000
# Patterns become regular expressions, and each further wildcard multiplies what a long name can take.
_MAX_WILDCARDS = 3
_WILDCARDS = re.compile(r"\*+")
_MAX_IGNORE_SECONDS = 10.0
_MAX_NOTES_CHARS = 8_000
_MAX_LEFT_OUT = 200
_MAX_LEFT_OUT_LISTED = 3


@dataclass(frozen=True)
class CollectLimits:
    """The limits of a submission.

    Attributes:
        max_files: The most files.
        max_file_bytes: The largest file; larger ones are left out.
        max_total_bytes: The most that all files may hold together.
        max_entries: The most files and folders that are looked at.
    """

    max_files: int = 200
    max_file_bytes: int = 256_000
    max_total_bytes: int = 2_000_000
    max_entries: int = 20_000


@dataclass
class _Walk:
    """A walk through a directory: the files collected and left out so far, and what the walk has cost."""

    root: Path
    limits: CollectLimits
    files: list[SubmissionFile] = field(default_factory=list[SubmissionFile])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    left_out_count: int = 0
    total_bytes: int = 0
    entry_count: int = 0
    ignore_seconds: float = 0.0

    def leave_out(self, path: str, reason: str) -> None:
        """Note a file that is left out, and why. All are counted; only the first few hundred are listed."""
        self.left_out_count += 1
        if len(self.left_out) < _MAX_LEFT_OUT:
            self.left_out.append(LeftOut(path=clean_line(path), reason=clean_line(reason)))


def collect(directory: Path, notes: str = "", limits: CollectLimits | None = None) -> Submission:
    """Collect the files of a directory as a submission.

    Python files are taken first, then settings and READMEs, then data; each in order of depth, then name. So a limit
    cuts data before code, and the deepest first.

    Args:
        directory: The folder with the solution.
        notes: The player's notes on the approach; if empty, a README is used.
        limits: How much is read; the default limits if None.

    Raises:
        SubmissionError: The directory is missing, unreadable, or holds nothing that can be judged.
    """
    try:
        if not directory.is_dir():
            problem = "is not a directory" if directory.exists() else "does not exist"
            raise SubmissionError(f"{directory} {problem}.", "Give the folder that holds your solution.")
        walk = _Walk(directory, limits or CollectLimits())
        for path, relative in sorted(_candidate_files(walk), key=lambda candidate: _rank(candidate[1])):
            _add_file(walk, path, relative)
    except OSError as error:
        raise SubmissionError(f"{directory} can't be read ({error.strerror}).") from None
    if not any(file.path.endswith(".py") for file in walk.files):
        missing = "no file that can be judged" if not walk.files else "no Python file"
        raise SubmissionError(
            f"{directory} holds {missing}.{_left_out_words(walk.left_out)}",
            "Choose the folder with your Python code, or create one with: evalforge new",
        )
    files = tuple(sorted(walk.files, key=lambda file: file.path))
    return Submission(
        files=files,
        notes=replace_unencodable(notes) or _readme(files),
        left_out=tuple(walk.left_out),
        left_out_count=walk.left_out_count,
    )


def _rank(path: str) -> int:
    """Return when a file is taken: code before settings and READMEs, and those before data."""
    if path.endswith(".py"):
        return 0
    return 1 if path.endswith(_SETTINGS_SUFFIXES) or path in README_NAMES else 2


def _left_out_words(left_out: list[LeftOut]) -> str:
    """The first few files that were left out, and why; Python files first, because players miss those most."""
    first = sorted(left_out, key=lambda item: not item.path.endswith(".py"))[:_MAX_LEFT_OUT_LISTED]
    more = ", …" if len(left_out) > len(first) else ""
    return f" Left out: {', '.join(f'{item.path} ({item.reason})' for item in first)}{more}." if first else ""


def _readme(files: tuple[SubmissionFile, ...]) -> str:
    by_path = {file.path: file.content for file in files}
    return next((by_path[name][:_MAX_NOTES_CHARS] for name in README_NAMES if name in by_path), "")


def _candidate_files(walk: _Walk) -> Iterator[tuple[Path, str]]:
    """Yield every regular file that no rule leaves out, shallow ones first. Links are never followed."""
    level: list[tuple[Path, str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [(walk.root, "", ())]
    while level:
        deeper: list[tuple[Path, str, tuple[tuple[str, GitIgnoreSpec], ...]]] = []
        for folder, prefix, inherited in level:
            rules = (*inherited, *_ignore_rules(walk, folder, prefix))
            for entry in _folder_entries(walk, folder, prefix):
                relative = f"{prefix}{entry.name}"
                if entry.is_symlink():
                    walk.leave_out(relative, "a link")
                elif entry.is_dir(follow_symlinks=False):
                    reason = _folder_skip_reason(walk, entry.name, relative, rules)
                    if reason:
                        walk.leave_out(f"{relative}/", reason)
                    else:
                        deeper.append((Path(entry.path), f"{relative}/", rules))
                elif relative == MARKER:
                    continue
                elif _is_ignored(walk, relative, rules):
                    walk.leave_out(relative, "ignored by .gitignore")
                else:
                    yield Path(entry.path), relative
        level = deeper


def _folder_entries(walk: _Walk, folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scan:
            entries: list[os.DirEntry[str]] = []
            for entry in scan:
                walk.entry_count += 1
                if walk.entry_count > walk.limits.max_entries:
                    walk.leave_out(f"{prefix}…", f"more than {walk.limits.max_entries:,} entries in the folder")
                    break
                entries.append(entry)
    except OSError as error:
        if not prefix:
            raise
        walk.leave_out(prefix, f"unreadable: {error.strerror}")
        return []
    return sorted(entries, key=lambda entry: entry.name)


def _ignore_rules(walk: _Walk, folder: Path, prefix: str) -> tuple[tuple[str, GitIgnoreSpec], ...]:
    path = folder / ".gitignore"
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_IGNORE_FILE_BYTES:
            return ()
        lines = path.read_text("utf-8", errors="replace").splitlines()
        simple_lines = [line for line in lines if len(_WILDCARDS.findall(line)) <= _MAX_WILDCARDS]
        if len(simple_lines) < len(lines):
            walk.leave_out(f"{prefix}.gitignore", f"of this, patterns with more than {_MAX_WILDCARDS} wildcards")
        return ((prefix, GitIgnoreSpec.from_lines(simple_lines)),)
    except (OSError, ValueError):
        return ()


def _is_ignored(walk: _Walk, relative: str, rules: tuple[tuple[str, GitIgnoreSpec], ...]) -> bool:
    """Return whether a path is ignored; the nearest ``.gitignore`` with a pattern for it decides, as in git.

    Raises:
        SubmissionError: Matching patterns takes too long over all files.
    """
    began = time.monotonic()
    checked = (spec.check_file(relative[len(prefix) :]).include for prefix, spec in reversed(rules))
    is_ignored = next((include for include in checked if include is not None), False)
    walk.ignore_seconds += time.monotonic() - began
    if walk.ignore_seconds > _MAX_IGNORE_SECONDS:
        raise SubmissionError(f"{walk.root} has a .gitignore that takes too long to apply.", "Make it simpler.")
    return is_ignored


def _folder_skip_reason(walk: _Walk, name: str, relative: str, rules: tuple[tuple[str, GitIgnoreSpec], ...]) -> str:
    if name in SKIPPED_FOLDERS or name.endswith(".egg-info"):
        return "caches, environments and version control are left out"
    if name.startswith("."):
        return "a hidden folder"
    return "ignored by .gitignore" if _is_ignored(walk, f"{relative}/", rules) else ""


def _add_file(walk: _Walk, path: Path, relative: str) -> None:
    name = PurePosixPath(relative).name
    if name in GENERATED_FILES:
        walk.leave_out(relative, "a generated file")
    elif relative == GOLD_FILE_NAME:
        walk.leave_out(relative, "gold levels are hidden from the judge")
    elif PurePosixPath(name).suffix.lower() not in ALLOWED_SUFFIXES and name not in ALLOWED_NAMES:
        walk.leave_out(relative, "not a type of text file that is judged")
    elif _has_unsafe_name(relative):
        walk.leave_out(relative, "its name holds control or invisible characters")
    elif len(walk.files) >= walk.limits.max_files:
        walk.leave_out(relative, f"more than {walk.limits.max_files} files")
    else:
        _read_file(walk, path, relative)


def _has_unsafe_name(relative: str) -> bool:
    return clean_line(relative, cap=400) != relative


def _read_file(walk: _Walk, path: Path, relative: str) -> None:
    limits = walk.limits
    try:
        # O_NOFOLLOW and O_NONBLOCK: a link swapped in meanwhile must not lead elsewhere, and a fifo must not block us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return walk.leave_out(relative, "not a regular file")
            raw = file.read(limits.max_file_bytes + 1)
    except OSError as error:
        return walk.leave_out(relative, f"unreadable: {error.strerror}")
    if len(raw) > limits.max_file_bytes:
        return walk.leave_out(relative, f"larger than {limits.max_file_bytes:,} bytes")
    if walk.total_bytes + len(raw) > limits.max_total_bytes:
        return walk.leave_out(relative, f"beyond {limits.max_total_bytes:,} bytes in all")
    try:
        text = decode_source(raw) if relative.endswith(".py") else raw.decode("utf-8")
    except UnicodeDecodeError:
        # Windows PowerShell writes UTF-16; a player who reads that can convert the file.
        is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return walk.leave_out(relative, f"not UTF-8 text{' but UTF-16' if is_utf16 else ''}")
    if "\0" in text:
        return walk.leave_out(relative, "binary")
    walk.total_bytes += len(raw)
    walk.files.append(SubmissionFile(path=relative, content=text))
    return None
