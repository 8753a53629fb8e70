"""One fight without the screen."""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from evalforge.cli import output, settings, streams
from evalforge.cli.fight_text import FightText
from evalforge.cli.model_text import ModelTeller, tell_price
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.library.pack import BossPack, find_pack
from evalforge.model.events import Judged, Ungraded

_PASSED, _NOT_PASSED, _UNGRADED = 0, 1, 3


class _Telling:
    """Standard output as long as it takes what is said; without it the fight goes on to its end."""

    def __init__(self) -> None:
        self.failed: streams.OutputError | None = None

    def say(self, words: Callable[..., None], *about: Any) -> None:
        """Have something printed."""
        if self.failed is None:
            try:
                words(*about)
            except streams.OutputError as error:
                self.failed = error


def judge(arguments: Namespace) -> int:
    """Judge a directory and print how it went."""
    chosen = settings.load(arguments)
    pack = find_pack(arguments.boss, chosen.bosses)
    options = FightOptions(
        judge=chosen.judge,
        models=chosen.models,
        notes=arguments.notes,
        python=chosen.python,
        save=not arguments.no_save,
        trusted=chosen.trusted,
    )
    history = History(chosen.history) if options.save else None
    telling = _Telling()
    try:
        end = asyncio.run(_fight(pack, arguments, options, history, telling))
    finally:
        if history is not None:
            history.close()
    if isinstance(end, Judged) and arguments.json:
        telling.say(output.print_json, end.result.model_dump(mode="json"))
    if isinstance(end, Ungraded) and arguments.json:
        output.note(f"ungraded: {end.reason} {end.advice}".strip())
    if telling.failed is not None and not isinstance(telling.failed, streams.UnreadError):
        raise telling.failed
    return _status(end)


def _status(end: Judged | Ungraded | None) -> int:
    if not isinstance(end, Judged):
        return _UNGRADED
    return _PASSED if end.result.passed else _NOT_PASSED


async def _fight(
    pack: BossPack, arguments: Namespace, options: FightOptions, history: History | None, telling: _Telling
) -> Judged | Ungraded | None:
    end: Judged | Ungraded | None = None
    text = None if arguments.json else FightText(pack.rubric, plain=arguments.plain)
    teller = ModelTeller() if options.judge != "forge" else None
    if teller is not None:
        await tell_price([(pack, arguments.directory)], options)
    async with Forge(history) as forge, aclosing(forge.fight(pack, arguments.directory, options)) as events:
        async for event in events:
            if teller is not None and teller.took(event):
                continue
            if text is not None:
                telling.say(text.show, event)
            if isinstance(event, Judged | Ungraded):
                end = event
    if teller is not None:
        teller.bill()
    return end
