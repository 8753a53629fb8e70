"""A level set by a person, beside the one that was judged."""

from argparse import Namespace

from evalforge.cli import output
from evalforge.cli.commands.attempts import open_history, pack_of
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text import overrides
from evalforge.history.overriding import LevelOverride, override_level
from evalforge.model.errors import UsageError
from evalforge.model.rubric import BossRubric

TAKEN_BACK = "judged"


def override(arguments: Namespace) -> int:
    """Set a criterion's level with a reason, or take an earlier word back; print the result that follows."""
    reason = " ".join(arguments.reason.split())
    if not reason:
        raise UsageError("--reason needs words: whoever reads this later must know why.")
    with open_history(arguments) as history:
        found = history.get(arguments.id)
        pack = pack_of(found, arguments)
        if pack is None:
            raise UsageError(
                f"The boss {found.boss_id!r} is not at hand, so nothing can be worked out.", "--bosses DIR"
            )
        score = _score(pack.rubric, arguments.criterion, arguments.level)
        override_level(history, found.id, pack.rubric, LevelOverride(arguments.criterion, score, reason))
        overrides.show(history, found, output.console())
    return ExitStatus.SUCCESS


def _score(rubric: BossRubric, criterion_id: str, level: str) -> int | float | None:
    """The score of a level given as a number or by its label; None for the one that was judged."""
    known = {criterion.id: criterion for criterion in rubric.criteria}
    if criterion_id not in known:
        raise UsageError(f"There is no criterion {criterion_id!r}.", f"Criteria: {', '.join(known)}.")
    if level.casefold() == TAKEN_BACK:
        return None
    levels = known[criterion_id].levels
    for one in levels:
        if level.casefold() == one.label.casefold() or _is_number(level, one.score):
            return one.score
    told = ", ".join(f"{one.score:g} ({one.label})" for one in levels)
    raise UsageError(f"{level!r} is no level of {criterion_id}.", f"Levels: {told}; {TAKEN_BACK} takes a word back.")


def _is_number(words: str, score: float) -> bool:
    try:
        return float(words) == score
    except ValueError:
        return False
