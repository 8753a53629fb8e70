"""Commands on past attempts: compare, replay, and export as a card or a report."""

import asyncio
import math
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.cli import output
from evalforge.cli.commands.attempts import open_history, pack_of, rubric_of
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.fight import FightText
from evalforge.model.errors import UsageError
from evalforge.model.events import Event
from evalforge.model.rubric import BossRubric
from evalforge.packs.atomic_files import write_bytes
from evalforge.packs.path_checks import folder_fault

if TYPE_CHECKING:
    from evalforge.reports.export import AttemptExport


def compare(arguments: Namespace) -> int:
    """Print what changed from one attempt to another."""
    from evalforge.reports.comparison import compare as compared

    with open_history(arguments) as history:
        comparison = compared(history.get(arguments.before), history.get(arguments.after))
    if arguments.json:
        output.print_json(comparison.model_dump(mode="json"))
        return ExitStatus.SUCCESS
    from evalforge.cli.text.comparison import print_comparison

    print_comparison(comparison)
    return ExitStatus.SUCCESS


def replay(arguments: Namespace) -> int:
    """Replay a stored fight: with its timing on a terminal, at once into a pipe.

    Raises:
        UsageError: The attempt has nothing to replay.
    """
    from evalforge.reports.replay import AT_ONCE

    if arguments.output is not None:
        return _record(arguments)
    speed = _speed(arguments.speed) if arguments.speed else 1.0 if sys.stdout.isatty() else AT_ONCE
    with open_history(arguments) as history:
        attempt = history.get(arguments.id)
    if not attempt.events:
        raise UsageError(f"Attempt {attempt.id} has nothing to replay ({attempt.state.value}).")
    rubric = None if arguments.json else rubric_of(attempt, arguments)
    asyncio.run(_replay(attempt.events, speed, rubric, as_json=arguments.json))
    return ExitStatus.SUCCESS


def _record(arguments: Namespace) -> int:
    """Write a stored fight as a recording."""
    from evalforge.cli.text.asciicast import draw_asciicast
    from evalforge.reports.export import RECORDINGS

    return _write(arguments, arguments.output, {**RECORDINGS, ".cast": draw_asciicast})


def _write(arguments: Namespace, path: Path, writers: "Mapping[str, Callable[[AttemptExport], bytes]]") -> int:
    """Write an attempt to a file in the format of its extension, and print where it is."""
    from evalforge.reports.export import AttemptExport

    if path.suffix.lower() not in writers:
        raise UsageError(
            f"{path}: this kind of file can't be written.", f"Give a file that ends in {', '.join(writers)}."
        )
    with open_history(arguments) as history:
        attempt = history.get(arguments.id)
        row, receipt = history.row(attempt.id), history.receipt(attempt.id)
    exported = AttemptExport(attempt, pack_of(attempt, arguments), row.own_number if row else 0, receipt)
    content = writers[path.suffix.lower()](exported)
    if fault := folder_fault(path.absolute().parent):
        raise UsageError(f"{path} can't be written: its folder {fault}.")
    write_bytes(path, content)
    output.print_note(f"Written to {path}")
    return ExitStatus.SUCCESS


def _speed(text: str) -> float:
    try:
        speed = float(text.removesuffix("x"))
    except ValueError:
        speed = math.nan
    if not speed > 0:
        raise UsageError(f"--speed can't be {text!r}.", "Use a number above 0, e.g. 2 for twice as fast.")
    return speed


async def _replay(events: tuple[Event, ...], speed: float, rubric: BossRubric | None, *, as_json: bool) -> None:
    from evalforge.reports.replay import replay as replayed

    text = None if as_json else FightText(rubric, full=True)
    async for event in replayed(events, speed):
        if text is None:
            output.print_json_line(event.model_dump(mode="json"))
        else:
            text.show(event)


def card(arguments: Namespace) -> int:
    """Export an attempt to a file: a picture to share, a report, or its data."""
    from evalforge.reports.export import ATTEMPT_FORMATS

    # A recording has the extension .svg, like a card: `replay -o` writes it.
    writers = {ending: writer for ending, writer in ATTEMPT_FORMATS.values() if ending.startswith(".")}
    return _write(arguments, arguments.output, writers)


def progress(arguments: Namespace) -> int:
    """Print rank, best attempts and achievements."""
    from evalforge.cli.text.progress import print_progress, progress_data
    from evalforge.progress.progress import read_tally

    with open_history(arguments) as history:
        player_progress = read_tally(history.tallies.tally(history.hints_read()))
    if arguments.json:
        output.print_json(progress_data(player_progress))
    else:
        print_progress(player_progress)
    return ExitStatus.SUCCESS
