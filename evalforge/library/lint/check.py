"""All checks that need no run, in one go."""

from pathlib import Path

from evalforge.library.lint.boss import check_boss, check_codex, check_starter
from evalforge.library.lint.draft import read_draft
from evalforge.library.lint.exemplars import check_exemplars
from evalforge.library.lint.remark import Remark, in_order
from evalforge.library.lint.rubric import check_rubric
from evalforge.library.lint.rules import check_rules
from evalforge.library.lint.trials import check_trials
from evalforge.library.lint.wording import check_wording
from evalforge.library.looking import no_folder

_CHECKS = (
    check_boss,
    check_rubric,
    check_wording,
    check_rules,
    check_trials,
    check_codex,
    check_exemplars,
    check_starter,
)


def lint(path: Path) -> tuple[Remark, ...]:
    """Everything there is to say about a pack, by file and line; never raises for a broken one.

    Args:
        path: The pack's folder.
    """
    if fault := no_folder(path):
        return (Remark(path, None, f"this pack {fault}"),)
    draft = read_draft(path)
    return in_order([*draft.remarks, *(remark for check in _CHECKS for remark in check(draft))])
