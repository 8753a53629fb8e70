"""Instructors' overrides and comments, on one student's submission or on a whole cluster."""

from argparse import Namespace
from dataclasses import dataclass

from evalforge.classroom.cluster_members import cluster_members
from evalforge.cli import output, settings
from evalforge.cli.commands.attempts import open_history
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.overrides import print_overrides
from evalforge.evidence.attempt_reasons import criterion_id
from evalforge.history.class_book import StoredClassRun
from evalforge.history.overriding import LevelOverride, level_choices, override_level
from evalforge.history.store import History
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.number_format import format_count
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack

_WITHDRAW_OVERRIDE = "judged"


@dataclass(frozen=True)
class _Rows:
    """Submissions of one class: their attempt ids, by row."""

    label: str
    boss_id: str
    attempts: dict[str, str]


def override(arguments: Namespace) -> int:
    """Override a criterion's level with a reason, or withdraw an override; print the new result.

    Raises:
        UsageError: The reason is empty, or the level can't be set.
    """
    reason = " ".join(arguments.reason.split())
    if not reason:
        raise UsageError("--reason needs text: the next reader needs to know why.")
    with open_history(arguments) as history:
        if ":" in arguments.id:
            return _override_cluster(arguments, history, reason)
        attempt = history.get(arguments.id)
        rubric = _pack(attempt.boss_id, arguments).rubric
        override_level(history, attempt.id, rubric, _level(arguments, rubric, reason))
        print_overrides(history, attempt, output.console())
    return ExitStatus.SUCCESS


def _override_cluster(arguments: Namespace, history: History, reason: str) -> int:
    """Set a level in every submission of a cluster, and name those where it can't be set."""
    rows = _find_rows(arguments.id, arguments, history)
    rubric = _pack(rows.boss_id, arguments).rubric
    level = _level(arguments, rubric, reason)
    refused: list[str] = []
    for row_id, attempt_id in rows.attempts.items():
        try:
            override_level(history, attempt_id, rubric, level)
        except EvalForgeError as error:
            refused.append(f"{clean_line(row_id)}: {error}")
    done = len(rows.attempts) - len(refused)
    output.console().print(
        f"{level.criterion_id} set in {format_count(done, 'submission')} of {len(rows.attempts)}.", markup=False
    )
    for text in refused:
        output.print_note(text)
    return ExitStatus.SUCCESS if done else ExitStatus.UNUSABLE


def _level(arguments: Namespace, rubric: BossRubric, reason: str) -> LevelOverride:
    name = criterion_id(rubric, arguments.criterion)
    return LevelOverride(name, _score(rubric, name, arguments.level), reason)


def _score(rubric: BossRubric, name: str, text: str) -> int | float | None:
    """Return the score of a level given by its score or label; None for the judged one."""
    criterion = rubric.criterion(name)
    if text.casefold() == _WITHDRAW_OVERRIDE:
        return None
    for level in (*criterion.levels, *criterion.halfway_levels):
        if text.casefold() == level.label.casefold() or _is_number(text, level.score):
            return level.score
    choices = f"{level_choices(criterion)}; {_WITHDRAW_OVERRIDE} removes an override."
    raise UsageError(f"{text!r} is not a level of {name}.", choices)


def _is_number(text: str, score: float) -> bool:
    try:
        return float(text) == score
    except ValueError:
        return False


def comment(arguments: Namespace) -> int:
    """Comment on one student's submission or a cluster, withdraw comments, or save one for later.

    Raises:
        UsageError: The attempt or the text is missing.
    """
    with open_history(arguments) as history:
        if arguments.list:
            return _list_saved(history)
        if arguments.save:
            return _save(arguments, history)
        text = _comment_text(arguments, history)
        if not arguments.target or not (text or arguments.withdraw):
            raise UsageError("comment needs an attempt and a text.", 'evalforge comment ATTEMPT "Well tested."')
        rows = _find_rows(arguments.target, arguments, history)
        if arguments.withdraw:
            count = history.comments.withdraw(rows.label, rows.boss_id, rows.attempts, text)
            message = f"{format_count(count, 'comment')} taken back."
        else:
            history.comments.add(rows.label, rows.boss_id, rows.attempts, text)
            message = f"Written to {format_count(len(rows.attempts), 'submission')}. The next exports show it."
        output.console().print(message, markup=False)
    return ExitStatus.SUCCESS


def _list_saved(history: History) -> int:
    saved = history.comments.saved()
    out = output.console()
    for name, text in saved.items():
        output.print_line(out, (f"{name}  ", "bold"), text)
    if not saved:
        output.print_line(out, "No saved comments. Save one: evalforge comment --save NAME TEXT")
    return ExitStatus.SUCCESS


def _save(arguments: Namespace, history: History) -> int:
    """Save a comment. Without a submission, the first positional argument is the text."""
    text = " ".join((arguments.text or arguments.target).split())
    if not text:
        raise UsageError("--save needs text to save.", "evalforge comment --save NAME TEXT")
    history.comments.save(arguments.save, text)
    output.console().print(f"Saved as {clean_line(arguments.save)}.", markup=False)
    return ExitStatus.SUCCESS


def _comment_text(arguments: Namespace, history: History) -> str:
    if not arguments.saved:
        return " ".join(arguments.text.split())
    saved = history.comments.saved()
    if arguments.saved not in saved:
        raise UsageError(f"No comment is saved as {arguments.saved!r}.", f"Saved: {', '.join(saved) or 'none'}.")
    return saved[arguments.saved]


def _find_rows(target: str, arguments: Namespace, history: History) -> _Rows:
    """Return the submissions that ``ATTEMPT``, ``RUN:CLUSTER`` or ``RUN:ROW`` names.

    Raises:
        UsageError: It names no submission.
    """
    number, colon, name = target.partition(":")
    if not colon:
        attempt = history.get(target)
        slot = history.classes.find_row(attempt.id)
        if slot is None:
            raise UsageError(f"Attempt {attempt.id} belongs to no class.", "Judge one with: evalforge batch")
        return _Rows(slot[0], attempt.boss_id, {slot[1]: attempt.id})
    run = history.classes.run(int(number)) if number.isdecimal() else None
    if run is None:
        raise UsageError(f"There is no run {number!r} of a class.", "Reports of a class name their run.")
    return _Rows(run.label, run.boss_id, _rows_of_run(run, name, arguments, history))


def _rows_of_run(run: StoredClassRun, name: str, arguments: Namespace, history: History) -> dict[str, str]:
    attempts = history.classes.attempts_of_run(run.run)
    if name in attempts:
        return {name: attempts[name]}
    return cluster_members(history, run, _pack(run.boss_id, arguments), name)


def _pack(boss_id: str, arguments: Namespace) -> BossPack:
    try:
        return find_pack(boss_id, settings.load(arguments).bosses)
    except EvalForgeError:
        raise UsageError(
            f"The boss {boss_id!r} is not available, so the score can't be computed.", "--bosses DIR"
        ) from None
