"""The files of a new boss pack, from templates: a program or a library, with three to five criteria.

In a template, ``{{word}}`` stands for a value, and ``{{#name}} ... {{/name}}`` for a part that is written only if
``name`` is among the pack's criteria. ``{{#keep}}`` marks parts that suit any boss. The rest is about the sample, and
lint reports it once the pack has a contract of its own.
"""

import keyword
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.model.scoring import verdict_of

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_SUFFIX = ".template"
_CRITERIA = ("counts_right", "refuses_words", "parts", "proof", "catches")
_WEIGHTS = {3: (0.4, 0.3, 0.3), 4: (0.4, 0.2, 0.2, 0.2), 5: (0.3, 0.2, 0.2, 0.15, 0.15)}
MIN_CRITERIA, MAX_CRITERIA, DEFAULT_CRITERIA = 3, 5, 4
_PASSING_SHARE = Fraction(6, 10)
_NUMBER_WORDS = ("No", "One", "Two", "Three", "Four", "five", "six")
_KEEP = "keep"
# "{{#proof}}", "{{/proof}}" on lines of their own, or within a line
_BLOCK = re.compile(r"^\{\{#(\w+)\}\}\n(.*?)^\{\{/\1\}\}\n", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"\{\{#(\w+)\}\}(.*?)\{\{/\1\}\}")
_GOLD_LEVELS = re.compile(r"^levels: \{(.*)\}$", re.MULTILINE)


class SkeletonKind(StrEnum):
    """The kinds of things that a new boss's players build."""

    CLI = "cli"
    LIBRARY = "library"


@dataclass(frozen=True)
class Skeleton:
    """The layout of a new pack.

    Attributes:
        slug: The boss's id.
        kind: What its players build.
        entry: The program's file, such as ``subnet.py``; empty for one named like the boss.
        criteria: How many criteria its rubric has.
    """

    slug: str
    kind: SkeletonKind = SkeletonKind.CLI
    entry: str = ""
    criteria: int = DEFAULT_CRITERIA

    @property
    def module(self) -> str:
        """The program's name without ``.py``."""
        return Path(self.entry).stem if self.entry else module_name(self.slug)

    @property
    def highest_total(self) -> int:
        """The sum of the highest levels: the first criterion has one more than the others."""
        return self.criteria + 1

    @property
    def threshold(self) -> int:
        """The total at which a submission passes."""
        return math.ceil(_PASSING_SHARE * self.highest_total)


def check_skeleton(skeleton: Skeleton) -> None:
    """Refuse a skeleton from which no valid pack can be made.

    Raises:
        UsageError: The entry isn't a valid program name, or there are too few or too many criteria.
    """
    name, dot, ending = skeleton.entry.rpartition(".")
    if skeleton.entry and ((dot, ending) != (".", "py") or not name.isidentifier() or module_name(name) != name):
        raise UsageError(
            f"--entry {skeleton.entry}: players can't import a file of that name.",
            "Name a Python file that isn't a standard module or a test, such as subnet.py.",
        )
    if not MIN_CRITERIA <= skeleton.criteria <= MAX_CRITERIA:
        raise UsageError(
            f"--criteria {skeleton.criteria}: a new boss has {MIN_CRITERIA} to {MAX_CRITERIA}.",
            "Add others by hand: each is a block in rubric.yaml, evidence.yaml, codex/hints.yaml and every gold.yaml.",
        )


def module_name(slug: str) -> str:
    """The program's name without ``.py``: one that Python can import and that hides no existing module."""
    name = slug.replace("-", "_")
    is_taken = keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("pytest", "conftest", "setup")
    # A name like test_x would make the program look like one of its tests.
    is_test = re.match(r"tests?(_|$)", name) or name.endswith("_test")
    return f"boss_{name}" if is_taken or is_test or not name.isidentifier() else name


def skeleton_files(skeleton: Skeleton) -> Iterator[tuple[str, str]]:
    """Every file of a new pack: its path within the pack, and its text."""
    criteria = _CRITERIA[: skeleton.criteria]
    for path, text in _templates(skeleton):
        filled = _fill(_choose_parts(text, {_KEEP, *criteria}), skeleton)
        yield path, _set_verdict(filled, skeleton)


def sample_files(skeleton: Skeleton) -> Iterator[tuple[str, str]]:
    """The same files without the parts that suit any boss, so that only text about the sample is left."""
    for path, text in _templates(skeleton):
        yield path, _fill(_choose_parts(text, set(_CRITERIA)), skeleton)


def _templates(skeleton: Skeleton) -> Iterator[tuple[str, str]]:
    for folder in (_TEMPLATES / "shared", _TEMPLATES / skeleton.kind):
        for template in sorted(folder.rglob(f"*{_SUFFIX}")):
            path = template.relative_to(folder).as_posix().removesuffix(_SUFFIX)
            path = path.replace("__slug__", skeleton.slug).replace("__module__", skeleton.module)
            yield path, template.read_text("utf-8")


def _choose_parts(text: str, names: set[str]) -> str:
    """Keep the parts of a template that have one of the names, and remove all others."""
    for pattern in (_BLOCK, _BLOCK, _INLINE):  # parts for criteria may be nested in parts to keep
        text = pattern.sub(lambda part: part[2] if part[1] in names else "", text)
    return text


def _fill(text: str, skeleton: Skeleton) -> str:
    weights = _WEIGHTS[skeleton.criteria]
    values = {
        "slug": skeleton.slug,
        "title": " ".join(name.capitalize() for name in re.split(r"[-_]+", skeleton.slug) if name),
        "module": skeleton.module,
        "threshold": str(skeleton.threshold),
        "max": str(skeleton.highest_total),
        "threshold_word": _NUMBER_WORDS[skeleton.threshold],
        "max_word": _NUMBER_WORDS[skeleton.highest_total].lower(),
        "fail_word": f"{_NUMBER_WORDS[skeleton.threshold // 2]} {'point' if skeleton.threshold < 4 else 'points'}",
        **{f"weight_{index}": str(weight) for index, weight in enumerate(weights, start=1)},
    }
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _set_verdict(text: str, skeleton: Skeleton) -> str:
    """Fill in the verdict of a gold file from the sum of its levels; other texts stay as they are."""
    levels = _GOLD_LEVELS.search(text)
    if levels is None:
        return text
    total = sum(int(level) for level in re.findall(r": (\d)", levels[1]))
    verdict = verdict_of(Fraction(total), Fraction(skeleton.highest_total), Fraction(skeleton.threshold))
    return text.replace("{{verdict}}", verdict.value)
