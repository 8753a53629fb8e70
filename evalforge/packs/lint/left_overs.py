"""A check for parts of the sample that a new boss starts with, once its contract is the author's own."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from evalforge.model.number_format import format_count
from evalforge.packs.issue import Issue
from evalforge.packs.lint.unchecked_pack import UncheckedPack
from evalforge.packs.path_checks import is_file
from evalforge.packs.skeleton import MAX_CRITERIA, Skeleton, SkeletonKind, sample_files, skeleton_files
from evalforge.packs.yaml12 import Loader

_PROGRAM_FOLDERS = ("exemplars", "impostors", "starter")
_FEWEST_WORDS = 5
"""Shorter lines, such as ``check: "== 1.0"``, occur in many packs."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = frozenset({"- id: counts_right", "- id: refuses_words", "label: Counts right", "realm: the Gate"})
"""Short lines that nevertheless can only come from the sample."""
# Matches a trial with its title: '"""A few numbers are counted."""' right below its first line.
_TITLE = re.compile(r'^def test_.*:\n    """(.+)"""', re.MULTILINE)
_QUOTES = ("says: ", "clause: ")
"""Lines that quote the contract are skipped here; another check compares them with the contract."""
_OWN_CONTRACT_SHARE = 0.5


class _Sample(NamedTuple):
    """Everything that belongs to the sample: lines of texts and titles, whole programs, and lines of its contracts."""

    lines: frozenset[str]
    programs: frozenset[str]
    contract: frozenset[str]


def check_left_overs(draft: UncheckedPack) -> Iterator[Issue]:
    """Yield an issue for each file with parts of the sample; none while the contract is still the sample's."""
    if draft.boss is None:
        return
    metadata = draft.boss.value.metadata
    sample = _read_sample(draft.path.resolve().name, next(iter(metadata.entry_files), ""))
    contract = _stripped_lines(metadata.contract)
    own_lines = [line for line in contract if line not in sample.contract]
    if len(own_lines) < _OWN_CONTRACT_SHARE * len(contract):
        return
    programs = set[Path]()
    for folder in _PROGRAM_FOLDERS:
        for path in sorted((draft.path / folder).rglob("*.py")):
            if path.parent not in programs and _read(path) in sample.programs:
                programs.add(path.parent)
                yield Issue(path, 1, "this is still the sample's program: replace it, or delete its folder")
    yield from _left_titles(draft, sample)
    for path in _texts(draft.path):
        if path.parent not in programs:
            yield from _left_lines(path, sample.lines)


def _left_lines(path: Path, sample_lines: frozenset[str]) -> Iterator[Issue]:
    """Yield at most one issue for a file, however many of its lines are the sample's."""
    sample_left = [(number, line.strip()) for number, line in enumerate(_read(path).splitlines(), 1)]
    sample_left = [(number, line) for number, line in sample_left if line in sample_lines]
    if sample_left:
        number, line = sample_left[0]
        count = format_count(len(sample_left), "line")
        verb = "is" if len(sample_left) == 1 else "are"
        yield Issue(path, number, f"{count} of this file {verb} still the sample's: {line!r}. Write your own")


def _left_titles(draft: UncheckedPack, sample: _Sample) -> Iterator[Issue]:
    for file in draft.trial_files:
        left = [trial for trial in file.trials if trial.title in sample.lines]
        if left:
            trials = format_count(len(left), "trial")
            message = f"{trials} of the sample left: {left[0].title!r}. Write trials of your contract"
            yield Issue(file.path, left[0].line, message)


def _texts(pack: Path) -> Iterator[Path]:
    names = ("boss.yaml", "rubric.yaml", "evidence.yaml", "codex/hints.yaml", "impostors/impostors.yaml")
    candidates = [pack / name for name in (*names, "starter/README.md")]
    candidates += sorted((pack / "codex").glob("*.md"))
    candidates += sorted((pack / "exemplars").glob("*/gold.yaml"))
    return filter(is_file, candidates)


@lru_cache(maxsize=16)
def _read_sample(slug: str, entry: str) -> _Sample:
    """Everything of the sample that a new pack with this name and entry file could have."""
    lines, programs, contract = set[str](), set[str](), set[str]()
    for kind in SkeletonKind:
        for program in {entry, ""}:
            skeleton = Skeleton(slug, kind, program, MAX_CRITERIA)
            contract |= _contract_lines(skeleton)
            for path, text in sample_files(skeleton):
                if not path.endswith(".py"):
                    lines |= _telling_lines(text)
                elif path.startswith("trials/"):
                    lines.update(_TITLE.findall(text))
                else:
                    programs.add(text)
    return _Sample(frozenset(lines - contract), frozenset(programs), frozenset(contract))


def _contract_lines(skeleton: Skeleton) -> set[str]:
    text = next(text for path, text in skeleton_files(skeleton) if path == "boss.yaml")
    document: dict[str, Any] = yaml.load(text, Loader=Loader)  # noqa: S506 - our own text and a safe loader
    return set(_stripped_lines(document["metadata"]["contract"]))


def _telling_lines(text: str) -> set[str]:
    """The lines that nobody would write again by chance."""
    lines = (line for line in _stripped_lines(text) if not line.startswith(_QUOTES))
    return {line for line in lines if line in _NAMES or len(_WORD.findall(line)) >= _FEWEST_WORDS}


def _stripped_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _read(path: Path) -> str:
    """The text of a file; empty if it can't be read, which other checks report."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""
