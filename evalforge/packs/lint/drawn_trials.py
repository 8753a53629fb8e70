"""A check for criteria whose trials are the same for every submission: a program may know their constants."""

import ast
from collections.abc import Iterator
from pathlib import Path

from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.trial_files import arguments_of, parse_trial_file
from evalforge.packs.lint.unchecked_pack import UncheckedPack

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
