"""Lint: all checks of a pack that run no code."""

from pathlib import Path

from evalforge.packs.lint.boss_checks import check_boss, check_codex, check_starter
from evalforge.packs.lint.clause_checks import check_clauses
from evalforge.packs.lint.drawn_trials import check_drawn_trials
from evalforge.packs.lint.exemplar_checks import check_exemplars
from evalforge.packs.lint.form_checks import check_form
from evalforge.packs.lint.impostor_checks import check_impostors
from evalforge.packs.lint.issue import LintIssue, sort_issues
from evalforge.packs.lint.left_overs import check_left_overs
from evalforge.packs.lint.rubric_checks import check_rubric
from evalforge.packs.lint.rubric_gaps import check_rubric_gaps
from evalforge.packs.lint.rule_checks import check_rules
from evalforge.packs.lint.sentence_checks import check_sentences
from evalforge.packs.lint.trial_imports import import_faults
from evalforge.packs.lint.trial_titles import check_trials
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack
from evalforge.packs.lint.wording_checks import check_wording
from evalforge.packs.lint.words_and_rules import check_words_and_rules
from evalforge.packs.path_checks import folder_fault

_CHECKS = (
    check_boss,
    check_rubric,
    check_wording,
    check_rules,
    check_sentences,
    check_form,
    check_trials,
    import_faults,
    check_drawn_trials,
    check_codex,
    check_exemplars,
    check_starter,
    check_impostors,
    check_clauses,
    check_rubric_gaps,
    check_left_overs,
    check_words_and_rules,
)


def lint(path: Path) -> tuple[LintIssue, ...]:
    """All issues of a pack, by file and line; a broken pack yields issues and raises nothing.

    Args:
        path: The pack's folder.
    """
    if fault := folder_fault(path):
        return (LintIssue(path, None, f"this pack {fault}"),)
    pack = read_unchecked_pack(path)
    return sort_issues([*pack.issues, *(issue for check in _CHECKS for issue in check(pack))])
