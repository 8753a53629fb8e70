"""Checks of the rubric's words: criteria must not repeat, be vague, or ask two things at once.

Readers agree on a rubric as far as its levels name what can be seen, each criterion asks one thing, and no two ask the
same: S. M. Brookhart, How to Create and Use Rubrics (ASCD, 2013), chapters 1 to 3.
"""

import re
from collections.abc import Iterator
from itertools import combinations

from evalforge.model.rubric import BossRubric, Criterion, Level
from evalforge.packs.level_words import level_location
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack

_WORD = re.compile(r"[a-z][a-z'-]*")
_VAGUE = frozenset(
    "acceptable adequate adequately appropriate appropriately average bad badly best better clean cleanly decent "
    "effective effectively efficient elegant etc excellent exceptional fair fairly fine good great high ideal low "
    "mediocre moderate nice nicely okay outstanding perfect poor poorly proper properly pythonic quality quite "
    "readable reasonable reasonably robust satisfactory significant solid somehow somewhat strong suitable sufficient "
    "sufficiently superb terrible unsatisfactory very weak well well-structured well-written".split()
)
_EMPTY = frozenset(
    "a all also an and any are as at be been but by can code could do does for from had has have if in into is it its "
    "level more most much no none not of on only or overall part program shows so solution some still student "
    "submission than that the their them there these they this to was way were which while with work works would  "
    "few little mostly partly fully completely entirely".split()
)
_FEWEST_ANCHORS = 3
_ALIKE = 0.8
_SUBJECTS = {
    "behaviour": ("correct", "semantic", "behavio", "result", "accura"),
    "structure": ("structur", "design", "separation", "architect", "modular"),
    "errors": ("error", "robust", "exception", "resilien", "logging"),
    "tests": ("test", "verification", "coverage"),
    "documentation": ("docstring", "documentation", "docs", "readme", "comments"),
    "style": ("naming", "style", "formatting", "readab"),
    "speed": ("performance", "speed", "memory", "efficien"),
    "security": ("secur",),
}
_SETTLES = re.compile(
    r"\b(both|(each|either) half|weak(er|est)|whichever|low(er|est) of|all of them|must hold|at least one of)\b",
    re.IGNORECASE,
)


def check_wording(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that every criterion asks one thing, in definite words, and that no other asks the same."""
    rubric = draft.rubric
    if rubric is None:
        return
    for index, criterion in enumerate(rubric.value.criteria):
        yield from _criterion(rubric, index, criterion)
        yield from _levels(rubric, index, criterion)
    for (_, first), (second, other) in combinations(enumerate(rubric.value.criteria), 2):
        what = _repeated(first, other)
        if what:
            yield rubric.issue(("criteria", second), f"{other.id} and {first.id} have {what}")
    yield from _same_rules(draft)


def _criterion(rubric: PackFile[BossRubric], index: int, criterion: Criterion) -> Iterator[LintIssue]:
    location = ("criteria", index)
    if not criterion.description.strip():
        yield rubric.issue(location, f"{criterion.id} has no description: what does it ask?")
    if not (criterion.signals.strong_positive and criterion.signals.strong_negative):
        yield rubric.issue(location, f"{criterion.id} needs signals for it and against it")
    subjects = _subjects(f"{criterion.label} {criterion.id}")
    settled = _SETTLES.search(criterion.description)
    if len(subjects) > 1 and not settled:
        yield rubric.issue(
            (*location, "label"),
            f"{criterion.id} asks two things ({' and '.join(subjects)}): split it, or say in its description which "
            "half decides (for instance: both must reach a level)",
        )
    elif criterion.description.count("?") > 2 and not settled:
        yield rubric.issue(
            (*location, "description"),
            f"{criterion.id} asks {criterion.description.count('?')} questions: ask one, or say which decides",
        )


def _subjects(text: str) -> list[str]:
    tokens = _WORD.findall(text.lower().replace("_", " "))
    return [name for name, stems in _SUBJECTS.items() if any(token.startswith(stems) for token in tokens)]


def _levels(rubric: PackFile[BossRubric], index: int, criterion: Criterion) -> Iterator[LintIssue]:
    levels_by_words: dict[frozenset[str], Level] = {}
    for level in criterion.levels:
        location = level_location(rubric.document, index, level)
        anchors = _anchors(level.full_description) - _anchors(criterion.label)
        other = levels_by_words.setdefault(anchors, level)
        if len(anchors) < _FEWEST_ANCHORS:
            yield rubric.issue(
                location, f"level {level.score} of {criterion.id} is vague: say what can be seen in the code"
            )
        elif other is not level:
            yield rubric.issue(
                location,
                f"levels {other.score} and {level.score} of {criterion.id} differ only in how good they sound: "
                "say what one has that the other lacks",
            )


def _anchors(text: str) -> frozenset[str]:
    """The words that have a definite meaning."""
    return frozenset(_WORD.findall(text.lower())) - _VAGUE - _EMPTY


def _repeated(one: Criterion, other: Criterion) -> str:
    if one.label.casefold().strip() == other.label.casefold().strip():
        return "the same label"
    if _alike(one.description, other.description):
        return "nearly the same description"
    levels = [" ".join(level.full_description for level in criterion.levels) for criterion in (one, other)]
    return "nearly the same levels" if _alike(*levels) else ""


def _alike(one: str, other: str) -> bool:
    first, second = _anchors(one), _anchors(other)
    return bool(first and second) and len(first & second) / len(first | second) >= _ALIKE


def _same_rules(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield pairs of criteria decided by the same facts, since these would count twice."""
    if draft.rules is None:
        return
    deciding: dict[tuple[tuple[tuple[str, str], ...], ...], str] = {}
    for name, steps in draft.rules.value.root.items():
        conditions = tuple(
            tuple(sorted((check.fact, check.check) for condition in step.requires for check in condition.checks))
            for step in steps
        )
        other = deciding.setdefault(conditions, name)
        if other != name:
            yield draft.rules.issue((name,), f"{name} and {other} are decided by the same facts: they count twice")
