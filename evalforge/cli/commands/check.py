"""One command for every check of a pack."""

import asyncio
from argparse import Namespace

from evalforge.cli import output, settings
from evalforge.cli.commands.authoring import find_folder
from evalforge.cli.exit_status import ExitStatus


def check(arguments: Namespace) -> int:
    """Check a pack; the exit status is 2 if something must be fixed, and 3 if it can't be tested here."""
    from evalforge.cli.text.check import check_data, print_check
    from evalforge.pack_check.check import check_pack
    from evalforge.packs.calibrated import note_calibrated
    from evalforge.packs.pack import load_pack

    config = settings.load(arguments)
    folder = find_folder(arguments.pack, config.bosses)
    report = asyncio.run(check_pack(folder, config.home, output.print_note))
    if arguments.json:
        output.print_json(check_data(report))
    else:
        print_check(report, output.console())
    if report.next_to_mend is not None:
        return ExitStatus.UNUSABLE
    if report.ungraded:
        return ExitStatus.UNGRADED
    note_calibrated(load_pack(folder))
    return ExitStatus.SUCCESS
