"""Past attempts told again: compared, replayed, made into a card or a report."""

import asyncio
import math
import sys
from argparse import Namespace
from pathlib import Path

from evalforge.cli import output
from evalforge.cli.commands.attempts import open_history, pack_of, rubric_of
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.fight import FightText
from evalforge.model.errors import UsageError
from evalforge.model.events import Event
from evalforge.model.rubric import BossRubric
from evalforge.packs.atomic_files import write_text
from evalforge.packs.path_checks import folder_fault


def compare(arguments: Namespace) -> int:
    """Say what changed from one attempt to another."""
    from evalforge.reports.comparison import compare as compared

    with open_history(arguments) as history:
        comparison = compared(history.get(arguments.before), history.get(arguments.after))
    if arguments.json:
        output.print_json(comparison.model_dump(mode="json"))
        return ExitStatus.SUCCESS
    from evalforge.cli.text.comparison import show

    show(comparison)
    return ExitStatus.SUCCESS


def replay(arguments: Namespace) -> int:
    """Play a stored fight again: in its own time on a terminal, at once into a pipe."""
    from evalforge.reports.replay import AT_ONCE

    speed = _speed(arguments.speed) if arguments.speed else 1.0 if sys.stdout.isatty() else AT_ONCE
    with open_history(arguments) as history:
        found = history.get(arguments.id)
    if not found.events:
        raise UsageError(f"Attempt {found.id} has nothing to replay ({found.state.value}).")
    rubric = None if arguments.json else rubric_of(found, arguments)
    asyncio.run(_replay(found.events, speed, rubric, as_json=arguments.json))
    return ExitStatus.SUCCESS


def _speed(text: str) -> float:
    try:
        speed = float(text.removesuffix("x"))
    except ValueError:
        speed = math.nan
    if not speed > 0:
        raise UsageError(f"--speed can't be {text!r}.", "It is a number above 0, e.g. 2 for twice as fast.")
    return speed


async def _replay(events: tuple[Event, ...], speed: float, rubric: BossRubric | None, *, as_json: bool) -> None:
    from evalforge.reports.replay import replay as replayed

    text = None if as_json else FightText(rubric)
    async for event in replayed(events, speed):
        if text is None:
            output.print_json_line(event.model_dump(mode="json"))
        else:
            text.show(event)


def card(arguments: Namespace) -> int:
    """Write an attempt to a file: a picture to share, a report, or its data."""
    from evalforge.reports.export import ATTEMPT_FORMATS, AttemptExport

    path: Path = arguments.output
    writers = dict(ATTEMPT_FORMATS.values())
    if path.suffix.lower() not in writers:
        raise UsageError(f"{path}: no such kind of card.", f"Give a file that ends in {', '.join(writers)}.")
    with open_history(arguments) as history:
        found = history.get(arguments.id)
        row, receipt = history.row(found.id), history.receipt(found.id)
    exported = AttemptExport(found, pack_of(found, arguments), row.own_number if row else 0, receipt)
    content = writers[path.suffix.lower()](exported)
    if fault := folder_fault(path.absolute().parent):
        raise UsageError(f"{path} can't be written: its folder {fault}.")
    write_text(path, content)
    output.print_note(f"Written to {path}")
    return ExitStatus.SUCCESS


def progress(arguments: Namespace) -> int:
    """Print rank, best tries and achievements."""
    from evalforge.cli.text import progress
    from evalforge.progress.progress import work_out_progress as worked_out

    with open_history(arguments) as history:
        player_progress = worked_out(history.progress.judged_attempts(), history.hints_read())
    if arguments.json:
        output.print_json(progress.data(player_progress))
    else:
        progress.show(player_progress)
    return ExitStatus.SUCCESS
