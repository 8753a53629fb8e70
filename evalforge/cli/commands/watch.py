"""Judge on save: practice that never becomes an attempt."""

import asyncio
from argparse import Namespace
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path

from evalforge.cli import settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.practice import PracticeJsonPrinter, PracticePrinter, PracticeTextPrinter
from evalforge.collect import collect
from evalforge.fight import FightOptions, Forge
from evalforge.judges.registry import make_judge
from evalforge.llm.budget import Budget
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Judged, Ungraded
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault
from evalforge.watcher import Watcher, cancel_task


def watch(arguments: Namespace) -> int:
    """Judge a directory now and after every save, until Ctrl+C; the exit status is that of the last verdict."""
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    directory: Path = arguments.directory
    if fault := folder_fault(directory):
        raise UsageError(f"{directory} {fault}.", "Give the folder that holds your solution.")
    # A judge that costs money is never asked on every save unless it was named here.
    judge = getattr(arguments, "judge", None) or "forge"
    make_judge(judge, config.models, Budget())
    options = FightOptions(judge=judge, models=config.models, save=False, python=config.python, trusted=config.trusted)
    printer = PracticeJsonPrinter() if arguments.json else PracticeTextPrinter(plain=arguments.plain)
    practice = Practice(pack, directory, options, printer)
    with suppress(KeyboardInterrupt):
        asyncio.run(practice.run())
    printer.close(practice.last)
    return _status(practice.last)


def _status(last: Judged | Ungraded | None) -> int:
    if isinstance(last, Judged):
        return ExitStatus.SUCCESS if last.result.passed else ExitStatus.NOT_PASSED
    return ExitStatus.UNGRADED if last else ExitStatus.INTERRUPTED


class Practice:
    """One directory judged again and again. A judging under way is dropped when a newer save comes.

    Args:
        pack: The boss.
        directory: The solution.
        options: How to judge; nothing is saved whatever they say.
        printer: Prints how it goes.
    """

    def __init__(self, pack: BossPack, directory: Path, options: FightOptions, printer: PracticePrinter) -> None:
        self.last: Judged | Ungraded | None = None
        """How the last judging that was finished ended."""
        self._pack = pack
        self._directory = directory
        self._options = options
        self._printer = printer
        self._judged_hash = ""

    async def run(self) -> None:
        """Judge now and after every change; ends only by being cancelled."""
        watcher = Watcher(self._directory)
        self._printer.open(self._pack, self._directory)
        async with Forge() as forge, asyncio.TaskGroup() as group, aclosing(watcher.changes()) as changes:
            judging: asyncio.Task[None] | None = None
            async for change in changes:
                await cancel_task(judging)
                judging = group.create_task(self._judge(forge, change.paths))

    async def _judge(self, forge: Forge, paths: tuple[str, ...]) -> None:
        try:
            content = collect(self._directory).content_hash
            if content == self._judged_hash:
                self._printer.unchanged(datetime.now().astimezone(), paths)
                return
            self._printer.begin(datetime.now().astimezone(), paths)
            end: Judged | Ungraded | None = None
            async with aclosing(forge.fight(self._pack, self._directory, self._options)) as events:
                async for event in events:
                    self._printer.print_event(event)
                    end = event if isinstance(event, Judged | Ungraded) else end
        except EvalForgeError as error:
            self._judged_hash = ""
            self._printer.error(str(error))
            return
        self._judged_hash = content if isinstance(end, Judged) else ""
        self.last = end or self.last
