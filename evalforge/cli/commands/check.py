"""One command for every check of a pack."""

import asyncio
from argparse import Namespace

from evalforge.cli import output, settings
from evalforge.cli.commands.authoring import find_folder
from evalforge.cli.exit_status import ExitStatus


def check(arguments: Namespace) -> int:
    """Check a pack; the exit status is 2 if something must be fixed, and 3 if it can't be tested here."""
    from evalforge.cli.text.check import print_check
    from evalforge.pack_check.check import check_pack
    from evalforge.packs.calibrated import note_calibrated
    from evalforge.packs.pack import load_pack

    config = settings.load(arguments)
    folder = find_folder(arguments.pack, config.bosses)
    report = asyncio.run(check_pack(folder, config.home, output.print_note))
    if arguments.json:
        output.print_json({**report.model_dump(mode="json"), "next_to_mend": _as_data(report.next_to_mend)})
    else:
        print_check(report, output.console())
    if report.next_to_mend is not None:
        return ExitStatus.UNUSABLE
    if report.ungraded:
        return ExitStatus.UNGRADED
    note_calibrated(load_pack(folder))
    return ExitStatus.SUCCESS


def _as_data(issue: object) -> object:
    from evalforge.model.base import Frozen

    return issue.model_dump(mode="json") if isinstance(issue, Frozen) else None
