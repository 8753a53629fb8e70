"""The player's tests alone, run on a boss's right programs and impostors."""

import asyncio
from argparse import Namespace
from contextlib import aclosing
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.target import fill_in_target
from evalforge.cli.text.impostor_suite import impostor_data, print_impostors
from evalforge.fight import FightOptions, Forge
from evalforge.model.errors import UsageError
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.packs.find_pack import find_pack
from evalforge.packs.impostors import impostors_file
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault, is_file


def impostors(arguments: Namespace) -> int:
    """Run a directory's tests on impostors and print which ones they catch.

    Returns:
        0 if every impostor is caught and no right program is rejected, 1 if not, 3 if nothing could be run.

    Raises:
        UsageError: There is no such directory or boss, or the boss has no impostors.
    """
    fill_in_target(arguments)
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    directory: Path = arguments.directory
    if fault := folder_fault(directory):
        raise UsageError(f"{directory} {fault}.", "Give the folder that holds your tests.")
    check_has_impostors(pack)
    record = asyncio.run(meet_impostors(pack, directory, FightOptions(python=config.python, trusted=config.trusted)))
    if arguments.json:
        output.print_json(impostor_data(record))
    else:
        print_impostors(output.plain_console() if arguments.plain else output.console(), pack, record)
    return impostor_status(record)


def check_has_impostors(pack: BossPack) -> None:
    """Refuse a boss that has no impostors.

    Raises:
        UsageError: The boss has none.
    """
    if not is_file(impostors_file(pack.path)):
        raise UsageError(f"{pack.definition.title} has no impostors.", "The authoring guide explains how to add some.")


async def meet_impostors(pack: BossPack, directory: Path, options: FightOptions) -> FightRecord:
    """Run a directory's tests against a boss's impostors."""
    async with Forge() as forge, aclosing(forge.meet_impostors(pack, directory, options)) as events:
        return await record_fight(events)


def impostor_status(record: FightRecord) -> ExitStatus:
    """Return the exit status of the result."""
    unmasked = record.evidence.fact("tests.unmasked")
    wrong = record.evidence.fact("tests.wrong_expectations")
    if record.ungraded is not None or unmasked is None or unmasked.value is None:
        return ExitStatus.UNGRADED
    return ExitStatus.SUCCESS if unmasked.value == 1.0 and wrong and not wrong.value else ExitStatus.NOT_PASSED
