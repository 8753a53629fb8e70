"""One fight without the screen."""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from evalforge.cli import output, settings, streams
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.fight import FightText
from evalforge.cli.text.model_judging import ModelProgressPrinter, print_price
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History, count_tries
from evalforge.model.events import Judged, Ungraded
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack


class OutputGuard:
    """Prints while standard output can be written; once it can't, the fight still goes on to its end."""

    def __init__(self) -> None:
        self.error: streams.OutputError | None = None

    def call(self, print_text: Callable[..., None], *about: Any) -> None:
        """Call a printing function; the first error is kept, and ends all further printing."""
        if self.error is None:
            try:
                print_text(*about)
            except streams.OutputError as error:
                self.error = error


def judge(arguments: Namespace) -> int:
    """Judge a directory and print how it went."""
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    options = FightOptions(
        judge=config.judge,
        models=config.models,
        notes=arguments.notes,
        python=config.python,
        save=not arguments.no_save,
        tries=count_tries(config.history, pack.boss_id),
        trusted=config.trusted,
    )
    history = History(config.history) if options.save else None
    guard = OutputGuard()
    try:
        end = asyncio.run(_fight(pack, arguments, options, history, guard))
    finally:
        if history is not None:
            history.close()
    if isinstance(end, Judged) and arguments.json:
        guard.call(output.print_json, end.result.model_dump(mode="json"))
    if isinstance(end, Ungraded) and arguments.json:
        output.print_note(f"ungraded: {end.reason} {end.advice}".strip())
    if guard.error is not None and not isinstance(guard.error, streams.ReaderGoneError):
        raise guard.error
    return _status(end)


def _status(end: Judged | Ungraded | None) -> int:
    if not isinstance(end, Judged):
        return ExitStatus.UNGRADED
    return ExitStatus.SUCCESS if end.result.passed else ExitStatus.NOT_PASSED


async def _fight(
    pack: BossPack, arguments: Namespace, options: FightOptions, history: History | None, guard: OutputGuard
) -> Judged | Ungraded | None:
    end: Judged | Ungraded | None = None
    text = None if arguments.json else FightText(pack.rubric, plain=arguments.plain)
    printer = ModelProgressPrinter() if options.judge != "forge" else None
    if printer is not None:
        await print_price([(pack, arguments.directory)], options)
    async with Forge(history) as forge, aclosing(forge.fight(pack, arguments.directory, options)) as events:
        async for event in events:
            if printer is not None and printer.print_event(event):
                continue
            if text is not None:
                guard.call(text.show, event)
            if isinstance(event, Judged | Ungraded):
                end = event
    if printer is not None:
        printer.print_total_cost()
    return end
