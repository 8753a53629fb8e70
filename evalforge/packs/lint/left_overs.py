"""A check for parts of the sample that a new boss starts with, once its contract is the author's own."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from evalforge.model.number_format import format_count
from evalforge.packs.issue import Issue
from evalforge.packs.lint.unchecked_pack import UncheckedPack
from evalforge.packs.skeleton import MAX_CRITERIA, Skeleton, SkeletonKind, sample_files, skeleton_files
from evalforge.packs.yaml12 import Loader

_FEWEST_WORDS = 5
"""Shorter lines, such as ``check: "== 1.0"``, occur in many packs."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = frozenset({"- id: counts_right", "- id: refuses_words", "label: Counts right", "realm: the Gate"})
"""Short lines that nevertheless can only come from the sample."""
_QUOTES = ("says: ", "clause: ")
"""Lines that quote the contract are skipped here; another check compares them with the contract."""
_OWN_CONTRACT_SHARE = 0.5


class _Sample(NamedTuple):
    """What belongs to the sample: lines of texts and whole programs by file, and the lines of its contracts."""

    lines: dict[str, set[str]]
    programs: dict[str, set[str]]
    contract: set[str]


def check_left_overs(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield an issue for each file with parts of the sample; none while the contract is still the sample's."""
    if pack.boss is None:
        return
    metadata = pack.boss.value.metadata
    sample = _read_sample(pack.path.resolve().name, next(iter(metadata.entry_files), ""))
    contract = _stripped_lines(metadata.contract)
    if sum(line not in sample.contract for line in contract) < _OWN_CONTRACT_SHARE * len(contract):
        return
    for name, sample_lines in sorted(sample.lines.items()):
        left = [(number, line.strip()) for number, line in enumerate(_read(pack.path / name).splitlines(), 1)]
        left = [(number, line) for number, line in left if line in sample_lines - sample.contract]
        if left:
            number, line = left[0]
            lines, verb = format_count(len(left), "line"), "is" if len(left) == 1 else "are"
            message = f"{lines} of this file {verb} still the sample's: {line!r}. Write your own"
            yield Issue(pack.path / name, number, message)
    for name, programs in sorted(sample.programs.items()):
        if _read(pack.path / name) in programs:
            message = "this is still the sample's program: replace it, or delete its folder"
            yield Issue(pack.path / name, 1, message)


@lru_cache(maxsize=16)
def _read_sample(slug: str, entry: str) -> _Sample:
    """Everything of the sample that a new pack with this name and entry file could have."""
    sample = _Sample(defaultdict(set), defaultdict(set), set())
    for kind in SkeletonKind:
        for program in {entry, ""}:
            skeleton = Skeleton(slug, kind, program, MAX_CRITERIA)
            sample.contract.update(_contract_lines(skeleton))
            for name, text in sample_files(skeleton):
                if name.startswith("trials/"):
                    sample.lines[name].update(line for line in _stripped_lines(text) if line.startswith('"""'))
                elif name.endswith(".py"):
                    sample.programs[name].add(text)
                elif name.endswith((".yaml", ".md")):
                    sample.lines[name].update(filter(_is_telling, _stripped_lines(text)))
    return sample


def _contract_lines(skeleton: Skeleton) -> list[str]:
    text = next(text for path, text in skeleton_files(skeleton) if path == "boss.yaml")
    document: dict[str, Any] = yaml.load(text, Loader=Loader)  # noqa: S506 - our own text and a safe loader
    return _stripped_lines(document["metadata"]["contract"])


def _is_telling(line: str) -> bool:
    """Whether nobody would write a line again by chance."""
    return line in _NAMES or (len(_WORD.findall(line)) >= _FEWEST_WORDS and not line.startswith(_QUOTES))


def _stripped_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _read(path: Path) -> str:
    """The text of a file; empty if there is none or it can't be read, which other checks report."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""
