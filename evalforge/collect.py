"""Read a directory into a submission: text files by allow-list, limited, with what was left out and why."""

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
from evalforge.model.submission import LeftOut, Submission, SubmissionFile
from evalforge.model.text import clean_line, sayable

SUFFIXES = frozenset(
    [
        ".py",
        ".pyi",
        ".md",
        ".rst",
        ".txt",
        ".json",
        ".jsonl",
        ".csv",
        ".tsv",
        ".toml",
        ".cfg",
        ".ini",
        ".yaml",
        ".yml",
        ".sql",
        ".html",
        ".css",
        ".xml",
        ".log",
        ".sh",
    ]
)
NAMES = frozenset({"README", "LICENSE", "NOTES", "CHANGELOG", "Makefile", "Dockerfile", ".gitignore"})
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
GOLD = "gold.yaml"
GENERATED = frozenset({"poetry.lock", "uv.lock", "package-lock.json", "yarn.lock", "Pipfile.lock"})
README_NAMES = ("README.md", "README.rst", "README.txt", "README")
_IGNORE_FILE_CAP = 100_000
# Patterns become regular expressions, and each further wildcard multiplies what a long name can take.
_WILDCARDS_MOST = 3
_WILDCARDS = re.compile(r"\*+")
_IGNORING_SECONDS = 10.0
_NOTES_CAP = 8_000
_LEFT_OUT_CAP = 200
_LEFT_OUT_TOLD = 3


@dataclass(frozen=True)
class Limits:
    """How much may be handed in."""

    files: int = 200
    bytes_each: int = 256_000
    bytes_in_all: int = 2_000_000
    entries_seen: int = 20_000


@dataclass
class _Walk:
    root: Path
    limits: Limits
    files: list[SubmissionFile] = field(default_factory=list[SubmissionFile])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    total: int = 0
    seen: int = 0
    ignoring: float = 0.0

    def leave(self, path: str, reason: str) -> None:
        """Note what is left out; the first few hundred are enough to tell."""
        if len(self.left_out) < _LEFT_OUT_CAP:
            self.left_out.append(LeftOut(path=clean_line(path), reason=clean_line(reason)))


def collect(directory: Path, notes: str = "", limits: Limits | None = None) -> Submission:
    """Read what a player hands in.

    Files are taken in order of depth, then name, so a limit cuts the deepest first. A README serves as notes if none
    are given.

    Raises:
        SubmissionError: The directory is missing, unreadable, or holds nothing that can be judged.
    """
    try:
        if not directory.is_dir():
            what = "is not a directory" if directory.exists() else "does not exist"
            raise SubmissionError(f"{directory} {what}.", "Give the folder that holds your solution.")
        walk = _Walk(directory, limits or Limits())
        for path, relative in _candidates(walk):
            _take(walk, path, relative)
    except OSError as error:
        raise SubmissionError(f"{directory} can't be read ({error.strerror}).") from None
    if not any(file.path.endswith(".py") for file in walk.files):
        kinds = "no file that can be judged" if not walk.files else "no Python file"
        raise SubmissionError(
            f"{directory} holds {kinds}.{_told(walk.left_out)}",
            "Hand in the folder with your Python code, or start one with: evalforge new",
        )
    files = tuple(sorted(walk.files, key=lambda file: file.path))
    return Submission(files=files, notes=sayable(notes) or _readme(files), left_out=tuple(walk.left_out))


def _told(left_out: list[LeftOut]) -> str:
    """The first few files that were left out, and why; code before the rest, for it is what is missed."""
    first = sorted(left_out, key=lambda item: not item.path.endswith(".py"))[:_LEFT_OUT_TOLD]
    more = ", …" if len(left_out) > len(first) else ""
    return f" Left out: {', '.join(f'{item.path} ({item.reason})' for item in first)}{more}." if first else ""


def _readme(files: tuple[SubmissionFile, ...]) -> str:
    by_path = {file.path: file.content for file in files}
    return next((by_path[name][:_NOTES_CAP] for name in README_NAMES if name in by_path), "")


def _candidates(walk: _Walk) -> Iterator[tuple[Path, str]]:
    """Every regular file that no rule leaves out, shallow ones first. Links are never followed."""
    level: list[tuple[Path, str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [(walk.root, "", ())]
    while level:
        deeper: list[tuple[Path, str, tuple[tuple[str, GitIgnoreSpec], ...]]] = []
        for folder, prefix, inherited in level:
            rules = (*inherited, *_ignore_rules(walk, folder, prefix))
            for entry in _entries(walk, folder, prefix):
                relative = f"{prefix}{entry.name}"
                if entry.is_symlink():
                    walk.leave(relative, "a link")
                elif entry.is_dir(follow_symlinks=False):
                    reason = _folder_reason(walk, entry.name, relative, rules)
                    if reason:
                        walk.leave(f"{relative}/", reason)
                    else:
                        deeper.append((Path(entry.path), f"{relative}/", rules))
                elif _ignored(walk, relative, rules):
                    walk.leave(relative, "ignored by .gitignore")
                else:
                    yield Path(entry.path), relative
        level = deeper


def _entries(walk: _Walk, folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scan:
            found: list[os.DirEntry[str]] = []
            for entry in scan:
                walk.seen += 1
                if walk.seen > walk.limits.entries_seen:
                    walk.leave(f"{prefix}…", f"more than {walk.limits.entries_seen:,} entries in the folder")
                    break
                found.append(entry)
    except OSError as error:
        if not prefix:
            raise
        walk.leave(prefix, f"unreadable: {error.strerror}")
        return []
    return sorted(found, key=lambda entry: entry.name)


def _ignore_rules(walk: _Walk, folder: Path, prefix: str) -> tuple[tuple[str, GitIgnoreSpec], ...]:
    path = folder / ".gitignore"
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _IGNORE_FILE_CAP:
            return ()
        lines = path.read_text("utf-8", errors="replace").splitlines()
        plain = [line for line in lines if len(_WILDCARDS.findall(line)) <= _WILDCARDS_MOST]
        if len(plain) < len(lines):
            walk.leave(f"{prefix}.gitignore", f"of this, patterns with more than {_WILDCARDS_MOST} wildcards")
        return ((prefix, GitIgnoreSpec.from_lines(plain)),)
    except (OSError, ValueError):
        return ()


def _ignored(walk: _Walk, relative: str, rules: tuple[tuple[str, GitIgnoreSpec], ...]) -> bool:
    """Whether a path is ignored; the rule nearest to the file that speaks of it decides, as in git.

    Raises:
        SubmissionError: To find out takes too long, for all files together.
    """
    began = time.monotonic()
    checked = (spec.check_file(relative[len(prefix) :]).include for prefix, spec in reversed(rules))
    verdict = next((include for include in checked if include is not None), False)
    walk.ignoring += time.monotonic() - began
    if walk.ignoring > _IGNORING_SECONDS:
        raise SubmissionError(f"{walk.root} has a .gitignore that takes too long to follow.", "Make it simpler.")
    return verdict


def _folder_reason(walk: _Walk, name: str, relative: str, rules: tuple[tuple[str, GitIgnoreSpec], ...]) -> str:
    if name in SKIPPED_FOLDERS or name.endswith(".egg-info"):
        return "caches, environments and version control are left out"
    if name.startswith("."):
        return "a hidden folder"
    return "ignored by .gitignore" if _ignored(walk, f"{relative}/", rules) else ""


def _take(walk: _Walk, path: Path, relative: str) -> None:
    name = PurePosixPath(relative).name
    if name in GENERATED:
        walk.leave(relative, "a generated file")
    elif relative == GOLD:
        walk.leave(relative, "an exemplar's gold levels are not for the judge's eyes")
    elif PurePosixPath(name).suffix.lower() not in SUFFIXES and name not in NAMES:
        walk.leave(relative, "not a kind of text file that is judged")
    elif _is_unsayable(relative):
        walk.leave(relative, "its name holds control or invisible characters")
    elif len(walk.files) >= walk.limits.files:
        walk.leave(relative, f"more than {walk.limits.files} files")
    else:
        _read(walk, path, relative)


def _is_unsayable(relative: str) -> bool:
    return clean_line(relative, cap=400) != relative


def _read(walk: _Walk, path: Path, relative: str) -> None:
    limits = walk.limits
    try:
        # O_NOFOLLOW and O_NONBLOCK: neither a link swapped in meanwhile nor a fifo may lead us elsewhere or hold us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return walk.leave(relative, "not a regular file")
            raw = file.read(limits.bytes_each + 1)
    except OSError as error:
        return walk.leave(relative, f"unreadable: {error.strerror}")
    if len(raw) > limits.bytes_each:
        return walk.leave(relative, f"larger than {limits.bytes_each:,} bytes")
    if walk.total + len(raw) > limits.bytes_in_all:
        return walk.leave(relative, f"beyond {limits.bytes_in_all:,} bytes in all")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        # Windows PowerShell writes so, and whoever is told can mend it.
        is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return walk.leave(relative, f"not UTF-8 text{' but UTF-16' if is_utf16 else ''}")
    if "\0" in text:
        return walk.leave(relative, "binary")
    walk.total += len(raw)
    walk.files.append(SubmissionFile(path=relative, content=text))
    return None
