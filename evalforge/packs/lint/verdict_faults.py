"""Faults that keep a pack from judging anybody, because verdicts would be wrong and nobody would notice.

Lint finds more, but faults such as a short codex or gold that doesn't add up make no verdict wrong.
"""

from functools import lru_cache
from itertools import chain
from pathlib import Path

from evalforge.model.errors import PackError
from evalforge.packs.fingerprint import FileStates, file_states
from evalforge.packs.lint.impostor_checks import impostor_faults
from evalforge.packs.lint.issue import LintIssue, sort_issues
from evalforge.packs.lint.rubric_checks import rubric_faults
from evalforge.packs.lint.rule_checks import rule_faults
from evalforge.packs.lint.trial_imports import import_faults
from evalforge.packs.lint.trial_titles import trial_faults
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack
from evalforge.packs.path_checks import is_file
from evalforge.packs.release import FOR_STUDENTS, is_for_students

_CHECKS = (rubric_faults, rule_faults, trial_faults, import_faults, impostor_faults)


def verdict_faults(path: Path) -> tuple[LintIssue, ...]:
    """Every fault of a pack that would make its verdicts wrong, by file and line; empty if it can judge.

    Args:
        path: The pack's folder.
    """
    return _faults(path, file_states(path))


@lru_cache(maxsize=64)
def _faults(path: Path, _states: FileStates) -> tuple[LintIssue, ...]:
    draft = read_unchecked_pack(path)
    # A pack without hints can be fought, but hints that can't be read are a fault like any other.
    unreadable = (issue for issue in draft.issues if issue.path.parent.name != "codex" or is_file(issue.path))
    all_issues = chain(unreadable, *(check(draft) for check in _CHECKS))
    return sort_issues(issue for issue in all_issues if issue.is_problem)


def first_fault(path: Path) -> PackError | None:
    """The first of a pack's faults, with the others as its ``further`` ones; None if the pack can judge."""
    if is_for_students(path):
        return PackError(path, None, f"this boss is {FOR_STUDENTS}", "Judge with the pack that it was made of.")
    faults = [
        PackError(verdict_fault.path, verdict_fault.line, verdict_fault.message)
        for verdict_fault in verdict_faults(path)
    ]
    return PackError.of_all(faults) if faults else None
