"""Judge on save: practice that never becomes an attempt."""

import asyncio
from argparse import Namespace
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path

from evalforge.cli import settings
from evalforge.cli.practice_text import PracticeJson, PracticeText, Teller
from evalforge.collect import collect
from evalforge.fight import FightOptions, Forge
from evalforge.judges.choice import make_judge
from evalforge.judges.money import Purse
from evalforge.library.looking import no_folder
from evalforge.library.pack import BossPack, find_pack
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Judged, Ungraded
from evalforge.watcher import Watcher

_PASSED, _NOT_PASSED, _UNGRADED, _INTERRUPTED = 0, 1, 3, 130


def watch(arguments: Namespace) -> int:
    """Judge a directory now and after every save, until Ctrl+C; the exit status is that of the last verdict."""
    chosen = settings.load(arguments)
    pack = find_pack(arguments.boss, chosen.bosses)
    directory: Path = arguments.directory
    if fault := no_folder(directory):
        raise UsageError(f"{directory} {fault}.", "Give the folder that holds your solution.")
    # A judge that costs money is never asked on every save unless it was named here.
    judge = getattr(arguments, "judge", None) or "forge"
    make_judge(judge, chosen.models, Purse())
    options = FightOptions(judge=judge, models=chosen.models, save=False, python=chosen.python, trusted=chosen.trusted)
    teller = PracticeJson() if arguments.json else PracticeText(plain=arguments.plain)
    practice = Practice(pack, directory, options, teller)
    with suppress(KeyboardInterrupt):
        asyncio.run(practice.run())
    teller.close(practice.last)
    return _status(practice.last)


def _status(last: Judged | Ungraded | None) -> int:
    if isinstance(last, Judged):
        return _PASSED if last.result.passed else _NOT_PASSED
    return _UNGRADED if last else _INTERRUPTED


class Practice:
    """One directory judged again and again. A judging under way is dropped when a newer save comes.

    Args:
        pack: The boss.
        directory: The solution.
        options: How to judge; nothing is saved whatever they say.
        teller: Who says how it goes.
    """

    def __init__(self, pack: BossPack, directory: Path, options: FightOptions, teller: Teller) -> None:
        self.last: Judged | Ungraded | None = None
        """How the last judging that was finished ended."""
        self._pack = pack
        self._directory = directory
        self._options = options
        self._teller = teller
        self._judged = ""

    async def run(self) -> None:
        """Judge now and after every change; ends only by being cancelled."""
        watcher = Watcher(self._directory)
        self._teller.open(self._pack, self._directory)
        async with Forge() as forge, asyncio.TaskGroup() as group, aclosing(watcher.changes()) as changes:
            judging: asyncio.Task[None] | None = None
            async for change in changes:
                if judging is not None:
                    await _dropped(judging)
                judging = group.create_task(self._judge(forge, change.paths))

    async def _judge(self, forge: Forge, paths: tuple[str, ...]) -> None:
        try:
            content = collect(self._directory).content_hash
            if content == self._judged:
                self._teller.unchanged(datetime.now().astimezone(), paths)
                return
            self._teller.begin(datetime.now().astimezone(), paths)
            end: Judged | Ungraded | None = None
            async with aclosing(forge.fight(self._pack, self._directory, self._options)) as events:
                async for event in events:
                    self._teller.take(event)
                    end = event if isinstance(event, Judged | Ungraded) else end
        except EvalForgeError as error:
            self._judged = ""
            self._teller.error(str(error))
            return
        self._judged = content if isinstance(end, Judged) else ""
        self.last = end or self.last


async def _dropped(task: "asyncio.Task[None]") -> None:
    """Cancel a task and wait until all it started is gone."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
