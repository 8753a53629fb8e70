"""A level set by a person, beside the one that was judged."""

from argparse import Namespace

from rich.console import Console

from evalforge.chronicle.labels import labels
from evalforge.cli import output
from evalforge.cli.past import open_history, pack_of
from evalforge.history.correcting import Word, say
from evalforge.history.overrides import Revised
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
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
        say(history, found.id, pack.rubric, Word(arguments.criterion, score, reason))
        show(history, found, output.console())
    return 0


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


def show(history: History, attempt: Attempt, out: Console) -> None:
    """Print what a person set in an attempt, and both results; nothing if nobody did."""
    revised = history.overrides.of(attempt.id)
    result = attempt.result
    if revised is None or result is None:
        return
    words = labels(attempt)
    judged = {one.id: one.score for one in result.criteria}
    out.print()
    output.line(out, ("Set by a person", "bold"))
    for one in revised.said:
        label = words[one.criterion_id].label if one.criterion_id in words else one.criterion_id
        change = "taken back" if one.score is None else f"{judged.get(one.criterion_id, 0):g} → {one.score:g}"
        carried = f" (said of attempt {one.carried_from}: look again)" if one.carried_from else ""
        when = f"{one.made_at.astimezone():%Y-%m-%d %H:%M}"
        output.line(out, f"{when}  {label}: {change}. {one.reason}{carried}", indent="  ")
    now_is, was = _standing(revised), f"judged {result.score_total:g} of {result.score_max:g}"
    output.line(out, ("What counts  ", "bold"), f"{now_is} ({was} {result.verdict.value.replace('_', ' ').upper()})")


def _standing(revised: Revised) -> str:
    result = revised.result
    return f"{result.score_total:g} of {result.score_max:g} {result.verdict.value.replace('_', ' ').upper()}"
