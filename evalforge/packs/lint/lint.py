"""Lint: all checks of a pack that run no code."""

import ast
from collections.abc import Iterator
from pathlib import Path

from evalforge.packs.lint.boss_checks import check_boss, check_codex, check_starter
from evalforge.packs.lint.clause_checks import check_clauses
from evalforge.packs.lint.exemplar_checks import check_exemplars
from evalforge.packs.lint.form_checks import check_form
from evalforge.packs.lint.impostor_checks import check_impostors
from evalforge.packs.lint.issue import LintIssue, sort_issues
from evalforge.packs.lint.known_mistake_checks import check_known_mistakes
from evalforge.packs.lint.left_overs import check_left_overs
from evalforge.packs.lint.rubric_checks import check_rubric
from evalforge.packs.lint.rubric_gaps import check_rubric_gaps
from evalforge.packs.lint.rule_checks import check_rules
from evalforge.packs.lint.sentence_checks import check_sentences
from evalforge.packs.lint.trial_files import arguments_of, parse_trial_file
from evalforge.packs.lint.trial_imports import import_faults
from evalforge.packs.lint.trial_titles import check_trials
from evalforge.packs.lint.unchecked_pack import UncheckedPack, read_unchecked_pack
from evalforge.packs.lint.wording_checks import check_wording
from evalforge.packs.lint.words_and_rules import check_words_and_rules
from evalforge.packs.path_checks import folder_fault

# A check for criteria whose trials are the same for every submission: a program may know their constants.

_SOURCE = "rng"
"""The fixture that all random draws come from."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def check_drawn_trials(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield a warning for each criterion whose trials never draw anything, directly or through fixtures."""
    if draft.rules is None:
        return
    drawing, is_all_drawn = _drawing_fixtures(draft.path / "trials")
    trials = [trial for file in draft.trials for trial in file.trials]
    for criterion_id in () if is_all_drawn else draft.rules.value.root:
        groups = draft.rules.value.trial_groups(criterion_id)
        arguments = [trial.arguments for trial in trials if trial.group in groups]
        if arguments and all(drawing.isdisjoint(names) for names in arguments):
            message = (
                f"every trial of {criterion_id} is the same for all submissions, so a table of answers passes: "
                f"draw names, values, sizes or order with `{_SOURCE}`"
            )
            yield draft.rules.issue((criterion_id,), message, is_problem=False)


def _drawing_fixtures(folder: Path) -> tuple[set[str], bool]:
    """The fixtures of a folder that draw, including ``rng``, and whether one of them applies to every trial."""
    fixtures = [(node, decorator) for path in sorted(folder.rglob("*.py")) for node, decorator in _fixtures(path)]
    drawing, is_all_drawn = {_SOURCE}, False
    for _ in fixtures:  # repeated: fixtures may use each other, and ``def player(player, rng)`` overrides one
        drawing |= {node.name for node, _ in fixtures if not drawing.isdisjoint(arguments_of(node))}
    for node, decorator in fixtures:
        is_all_drawn = is_all_drawn or (node.name in drawing and "autouse=True" in ast.unparse(decorator))
    return drawing, is_all_drawn


def _fixtures(path: Path) -> Iterator[tuple[_Function, ast.expr]]:
    tree, _, _ = parse_trial_file(path)
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, _Function) else ():
            if isinstance(node, _Function) and "fixture" in ast.unparse(decorator):
                yield node, decorator


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
    check_known_mistakes,
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
