"""Add packs from a folder, an archive, or a git address at a tag. None of their code is run."""

import io
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.added.registry import AddedPack, added_packs, keep_pack, new_entry
from evalforge.packs.file_tree import FileTree, read_tar, read_tree
from evalforge.packs.issue import Issue
from evalforge.packs.lint.lint import lint
from evalforge.packs.locations import added_packs_folder, shipped_bosses
from evalforge.packs.path_checks import expand_home, folder_fault
from evalforge.packs.private_files import make_private_folders
from evalforge.packs.summary import find_packs, read_summary

# A pack from a git repository at a tag: files are read without a checkout, so that no hooks or links take effect.

_ADDRESS = re.compile(r"(?:https|ssh|file)://[^\s-]|[\w.-]+@[\w.-]+:[^\s-]")
_TAG = re.compile(r"[\w][\w.+/-]*\Z")
_TIMEOUT_SECONDS = 180
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "transfer.fsckObjects": "true",
    "fetch.recurseSubmodules": "no",
}


class TaggedTree(NamedTuple):
    """The commit that a tag names, and its files."""

    commit: str
    tree: FileTree


def is_git_address(source: str) -> bool:
    """Whether a source is fetched by git, such as ``https://HOST/NAME.git`` or ``git@HOST:NAME``."""
    return _ADDRESS.match(source) is not None


def fetch_tag(address: str, tag: str) -> TaggedTree:
    """Fetch the files of a repository at a tag.

    Raises:
        UsageError: There is no such tag, it can't be fetched, or it has files that a pack can't have.
    """
    if not _TAG.match(tag):
        raise UsageError(
            f"{tag!r} is not a valid tag." if tag else "A pack from a repository is added at a tag.", "Give --tag TAG."
        )
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder) / "repository"
        clone = ("clone", "--quiet", "--bare", "--depth", "1", "--no-tags", "--template", "", "--branch", tag)
        _git(None, *clone, "--", address, str(repository))
        # A branch of that name isn't accepted: it may name another commit tomorrow.
        commit = _git(repository, "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{commit}}").decode().strip()
        if not commit:
            raise UsageError(f"{address} has no tag {tag}.", "Name a tag, because a branch changes.")
        tree = FileTree()
        read_tar(io.BytesIO(_git(repository, "archive", "--format=tar", commit)), tree)
    return TaggedTree(commit, tree)


def _git(repository: Path | None, *arguments: str) -> bytes:
    """Run git without prompts, without code from the repository, and with known protocols only."""
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    git_dir_option = [f"--git-dir={repository}"] if repository else []
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
        "LC_ALL": "C",
    }
    try:
        ended = subprocess.run(
            ["git", *settings, *git_dir_option, *arguments],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git is not installed.", "Install it, or add the pack from a folder or an archive.") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git did not finish within {_TIMEOUT_SECONDS} s.") from None
    if ended.returncode and arguments[0] != "rev-parse":
        lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git can't fetch it: {clean_line(lines[-1]) if lines else 'no reason given'}")
    return ended.stdout


_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\Z")


def add_packs(source: str, tag: str = "", only: str = "") -> list[tuple[AddedPack, tuple[Issue, ...]]]:
    """Fetch packs, lint them without running code, and add them if all are sound; none is trusted yet.

    Args:
        source: A folder, an archive, or an address that git understands.
        tag: The tag of the repository; empty for a folder or an archive.
        only: The slug of the only pack to add; empty for all.

    Returns:
        Each added pack with lint's notes.

    Raises:
        UsageError: The source can't be fetched, has no pack, or has one with problems.
    """
    tree, commit = _fetch(source, tag)
    origin = source if commit else str(expand_home(source).absolute())
    folder = added_packs_folder()
    make_private_folders(folder)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".adding-") as name:
        fetched, ready = Path(name) / "fetched", Path(name) / "ready"
        make_private_folders(ready)
        tree.write(fetched)
        candidates = [pack for pack in _packs_below(fetched, source) if only in ("", read_summary(pack).slug)]
        if not candidates:
            raise UsageError(f"{source} has no pack {only}.")
        # All are checked before any is added: a source is added completely or not at all.
        packs = [pack.rename(ready / _check_slug(pack, origin)) for pack in candidates]
        notes = [_lint(pack) for pack in packs]
        entries = [new_entry(pack.name, origin, tag, commit, pack) for pack in packs]
        for entry, pack in zip(entries, packs, strict=True):
            keep_pack(entry, pack)
    return list(zip(entries, notes, strict=True))


def _fetch(source: str, tag: str) -> tuple[FileTree, str]:
    if is_git_address(source):
        commit, tree = fetch_tag(source, tag)
        return tree, commit
    if tag:
        raise UsageError("--tag is for a git address.", "Leave it out for a folder or an archive.")
    path = expand_home(source)
    if not path.exists():
        raise UsageError(
            f"{source} {folder_fault(path)}, and is not a git address.", "git: https://..., ssh://..., git@..."
        )
    return read_tree(path), ""


def _packs_below(fetched: Path, source: str) -> list[Path]:
    """The packs in a folder: itself, those in it or in its ``bosses``, or those in the only folder that it has."""
    folder = fetched
    for _ in range(3):
        if packs := find_packs(folder) or find_packs(folder / "bosses"):
            return packs
        entries = list(folder.iterdir())
        if len(entries) != 1 or not entries[0].is_dir():
            break
        folder = entries[0]
    raise UsageError(f"{source} contains no boss pack.", "A pack is a folder with a boss.yaml.")


def _check_slug(pack: Path, origin: str) -> str:
    slug = read_summary(pack).slug
    if not _SLUG.match(slug):
        raise UsageError(f"{slug!r} can't be a boss's id: use lower-case letters, digits and hyphens.")
    if (shipped_bosses() / slug).exists():
        raise UsageError(f"{slug} is a boss that ships with EvalForge.", "A pack with that id would replace it.")
    for other in added_packs():
        if other.slug == slug and other.source != origin:
            raise UsageError(
                f"{slug} was added from {other.source}.", f"Remove it first: evalforge packs remove {slug}"
            )
    return slug


def _lint(pack: Path) -> tuple[Issue, ...]:
    issues = lint(pack)
    problems = [issue for issue in issues if issue.is_problem]
    if problems:
        first = problems[0]
        more = f" There are {len(problems)} problems in all." if len(problems) > 1 else ""
        raise UsageError(f"{pack.name} has problems. {first.place(pack)}: {first.message}{more}", "It was not added.")
    return issues
