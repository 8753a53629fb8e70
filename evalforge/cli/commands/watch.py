"""Judge on save: practice that never becomes an attempt."""

import asyncio
from argparse import Namespace
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path

from evalforge.cli import settings
from evalforge.cli.commands.impostors import check_has_impostors, impostor_status
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.target import fill_in_target
from evalforge.cli.text.practice import PracticeJsonPrinter, PracticePrinter, PracticeTextPrinter
from evalforge.cli.text.suite_practice import SuiteJsonPrinter, SuiteTextPrinter
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import read_voice
from evalforge.judges.registry import make_judge
from evalforge.llm.budget import Budget
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Event
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault
from evalforge.submissions.collect import collect
from evalforge.watcher import changes


def watch(arguments: Namespace) -> int:
    """Judge a directory now and after every save, until Ctrl+C; the exit status is that of the last verdict.

    Raises:
        UsageError: The directory can't be used.
    """
    fill_in_target(arguments)
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    directory: Path = arguments.directory
    if fault := folder_fault(directory):
        raise UsageError(f"{directory} {fault}.", "Give the folder that holds your solution.")
    practice = (_test_practice if arguments.tests else _fight_practice)(pack, arguments, config)
    with suppress(KeyboardInterrupt):
        asyncio.run(practice.run())
    practice.close()
    if arguments.tests:
        return impostor_status(practice.last) if practice.last else ExitStatus.INTERRUPTED
    return _status(practice.last)


def _fight_practice(pack: BossPack, arguments: Namespace, config: settings.Settings) -> "Practice":
    # A judge that costs money judges every save only if it was named here.
    judge = getattr(arguments, "judge", None) or "forge"
    make_judge(judge, config.models, Budget())
    options = FightOptions(
        judge=judge,
        models=config.models,
        python=config.python,
        save=False,
        tries=read_voice(config.history, pack.boss_id).earlier_count,
        trusted=config.trusted,
    )
    printer = PracticeJsonPrinter() if arguments.json else PracticeTextPrinter(plain=arguments.plain)
    directory: Path = arguments.directory
    return Practice(pack, directory, lambda forge: forge.fight(pack, directory, options), printer)


def _test_practice(pack: BossPack, arguments: Namespace, config: settings.Settings) -> "Practice":
    if getattr(arguments, "judge", None):
        raise UsageError("--tests and --judge don't go together.", "Impostors need no judge.")
    check_has_impostors(pack)
    options = FightOptions(python=config.python, trusted=config.trusted)
    printer = SuiteJsonPrinter() if arguments.json else SuiteTextPrinter(plain=arguments.plain)
    directory: Path = arguments.directory
    return Practice(pack, directory, lambda forge: forge.meet_impostors(pack, directory, options), printer)


def _status(last: FightRecord | None) -> int:
    if last is None:
        return ExitStatus.INTERRUPTED
    if last.result is None:
        return ExitStatus.UNGRADED
    return ExitStatus.SUCCESS if last.result.passed else ExitStatus.NOT_PASSED


class Practice:
    """One directory judged again and again. A running judging is cancelled when a newer save arrives.

    Args:
        directory: The solution.
        start: Starts one judging, which is not stored; returns its events.
        printer: Prints the results.
    """

    def __init__(
        self,
        pack: BossPack,
        directory: Path,
        start: Callable[[Forge], AsyncGenerator[Event]],
        printer: PracticePrinter,
    ) -> None:
        self.last: FightRecord | None = None
        """The last finished judging."""
        self._pack = pack
        self._directory = directory
        self._start = start
        self._printer = printer
        self._judged_hash = ""

    def close(self) -> None:
        """Print that watching ends."""
        self._printer.close(self.last)

    async def run(self) -> None:
        """Judge now and after every change, until cancelled."""
        self._printer.open(self._pack, self._directory)
        async with Forge() as forge, asyncio.TaskGroup() as group, aclosing(changes(self._directory)) as saves:
            judging: asyncio.Task[None] | None = None
            async for paths in saves:
                if judging is not None:
                    judging.cancel()
                    await asyncio.wait({judging})
                judging = group.create_task(self._judge(forge, paths))

    async def _judge(self, forge: Forge, paths: tuple[str, ...]) -> None:
        try:
            content = collect(self._directory).content_hash
            if content == self._judged_hash:
                self._printer.unchanged(datetime.now().astimezone(), paths)
                return
            self._printer.begin(datetime.now().astimezone(), paths)
            record = await record_fight(self._start(forge))
        except EvalForgeError as error:
            self._judged_hash = ""
            self._printer.error(str(error))
            return
        self._judged_hash = "" if record.ungraded else content
        self.last = record
        self._printer.finish(record)
