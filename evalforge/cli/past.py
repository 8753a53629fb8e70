"""Past attempts, as lists and in full."""

from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager

from evalforge.cli import output, settings
from evalforge.cli.fight_text import FightText
from evalforge.history.store import Filter, History
from evalforge.library.pack import find_pack
from evalforge.model.attempt import Attempt, AttemptRow, AttemptState
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.rubric import BossRubric


@contextmanager
def _history(arguments: Namespace) -> Generator[History]:
    with History(settings.load(arguments).history) as history:
        yield history


def attempts(arguments: Namespace) -> int:
    """List attempts, newest first."""
    if arguments.limit < 1:
        raise UsageError("--limit needs a number above 0.")
    with _history(arguments) as history:
        rows = history.page(Filter(boss_id=arguments.boss), limit=arguments.limit)
        total = history.count(Filter(boss_id=arguments.boss))
    if arguments.json:
        output.print_json([row.model_dump(mode="json") for row in rows])
        return 0
    out = output.console()
    if not rows:
        output.line(out, "No attempts yet. Fight one: evalforge judge BOSS DIR")
    for row in rows:
        when = f"{row.started_at.astimezone():%Y-%m-%d %H:%M}"
        words = f"{when}  {row.boss_id:<22} try {row.number:<4} {_standing(row):<24} "
        output.line(out, (f"{row.id}  ", "bold"), words, (row.directory, "dim"))
    if total > len(rows):
        output.note(f"{total - len(rows)} older attempts: give --limit")
    return 0


def _standing(row: AttemptRow) -> str:
    if row.state is not AttemptState.JUDGED or row.score_total is None or row.score_max is None:
        return row.state.value
    return f"{row.score_total:g}/{row.score_max:g} {(row.verdict or '').replace('_', ' ')}"


def attempt(arguments: Namespace) -> int:
    """Print one attempt in full."""
    with _history(arguments) as history:
        found = history.get(arguments.id)
    if arguments.json:
        output.print_json(found.model_dump(mode="json"))
        return 0
    out = output.console()
    output.line(
        out,
        (f"Attempt {found.id}", "bold"),
        f"  {found.started_at.astimezone():%Y-%m-%d %H:%M}  {found.state.value}",
    )
    text = FightText(_rubric_of(found, arguments))
    for event in found.events:
        text.show(event)
    if found.state is AttemptState.INTERRUPTED:
        output.line(out, "The judging was interrupted; nothing was scored.")
    return 0


def _rubric_of(found: Attempt, arguments: Namespace) -> BossRubric | None:
    try:
        pack = find_pack(found.boss_id, settings.load(arguments).bosses)
    except EvalForgeError:
        return None
    return pack.rubric if pack.rubric_hash == found.rubric_hash else None
