"""Lint: all checks of a pack that only read it, and those among them without which it judges nobody."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from evalforge.model.errors import PackError
from evalforge.packs.fingerprint import FileStates, file_states
from evalforge.packs.issue import Issue, sort_issues
from evalforge.packs.lint.boss_checks import check_boss, check_codex, check_starter
from evalforge.packs.lint.exemplar_checks import check_exemplars
from evalforge.packs.lint.impostor_checks import check_impostors, check_known_mistakes, impostor_faults
from evalforge.packs.lint.left_overs import check_left_overs
from evalforge.packs.lint.rubric_checks import check_rubric, rubric_faults
from evalforge.packs.lint.rule_checks import check_rules, rule_faults
from evalforge.packs.lint.trial_checks import (
    check_clauses,
    check_drawn_trials,
    check_trials,
    import_faults,
    trial_faults,
)
from evalforge.packs.lint.unchecked_pack import UncheckedPack, read_unchecked_pack
from evalforge.packs.path_checks import folder_fault, is_file
from evalforge.packs.release import FOR_STUDENTS, is_for_students

_Check = Callable[[UncheckedPack], Iterator[Issue]]
_FAULTS: tuple[_Check, ...] = (rubric_faults, rule_faults, trial_faults, import_faults, impostor_faults)
"""Checks for what would make verdicts wrong without anybody noticing."""
_OTHERS: tuple[_Check, ...] = (
    *(check_boss, check_codex, check_starter, check_left_overs),
    *(check_rubric, check_rules, check_trials, check_drawn_trials, check_clauses),
    *(check_exemplars, check_impostors, check_known_mistakes),
)
"""Checks for what makes a pack unfair or unclear to its players, or of no use to its author."""


def lint(path: Path) -> tuple[Issue, ...]:
    """All issues of a pack, as they are best fixed; a broken pack yields issues and raises nothing.

    Args:
        path: The pack's folder.
    """
    if fault := folder_fault(path):
        return (Issue(path, None, f"this pack {fault}"),)
    pack = read_unchecked_pack(path)
    return sort_issues(path, [*pack.issues, *(issue for check in (*_FAULTS, *_OTHERS) for issue in check(pack))])


@lru_cache(maxsize=64)
def _verdict_faults(path: Path, _states: FileStates) -> tuple[Issue, ...]:
    pack = read_unchecked_pack(path)
    # A pack without hints can be fought, but hints that can't be read are a fault like any other.
    unreadable = [issue for issue in pack.issues if issue.path.parent.name != "codex" or is_file(issue.path)]
    return sort_issues(path, [*unreadable, *(issue for check in _FAULTS for issue in check(pack) if issue.is_problem)])


def first_fault(path: Path) -> PackError | None:
    """The first of a pack's faults, with the others as its ``further`` ones; None if the pack can judge."""
    if is_for_students(path):
        return PackError(path, None, f"this boss is {FOR_STUDENTS}", "Judge with the pack that it was made of.")
    faults = [PackError(fault.path, fault.line, fault.message) for fault in _verdict_faults(path, file_states(path))]
    return PackError.of_all(faults) if faults else None
