"""A pack from a git repository at a tag: files are read without a checkout, so that no hooks or links take effect."""

import io
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.file_tree import FileTree, read_tar

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
