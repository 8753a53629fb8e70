"""A boss as an autograder for a course platform."""

from argparse import Namespace

from evalforge.classroom.export.gradescope_autograder import gradescope_autograder
from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.packs.atomic_files import write_bytes
from evalforge.packs.find_pack import find_pack


def export_autograder(arguments: Namespace) -> int:
    """Write the autograder's files."""
    pack = find_pack(arguments.boss, settings.load(arguments).bosses)
    write_bytes(arguments.output, gradescope_autograder(pack))
    output.print_line(output.console(), f"Upload {arguments.output} as the autograder of {pack.definition.title}.")
    return ExitStatus.SUCCESS
