"""Pack a boss as a zip, for students or colleagues."""

from argparse import Namespace

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.packs.atomic_files import write_bytes
from evalforge.packs.calibrated import is_calibrated
from evalforge.packs.find_pack import find_pack
from evalforge.packs.lint.lint import first_fault
from evalforge.packs.packing import Release, pack_for_colleagues, pack_for_students
from evalforge.packs.release import Audience


def pack(arguments: Namespace) -> int:
    """Write the zip.

    Raises:
        PackError: The boss is broken.
    """
    boss = find_pack(arguments.boss, settings.load(arguments).bosses)
    if (fault := first_fault(boss.path)) is not None:
        raise fault
    out, title = output.console(), boss.definition.title
    if arguments.audience == Audience.STUDENTS:
        write_bytes(arguments.output, pack_for_students(boss))
        output.print_line(out, f"{arguments.output} holds {title} for students: mission, contract, rubric, starter.")
        output.print_line(out, f"They open it with: evalforge --bosses {arguments.output.name}")
        return ExitStatus.SUCCESS
    content, release = pack_for_colleagues(boss)
    write_bytes(arguments.output, content)
    output.print_line(out, f"{arguments.output} holds {title}, version {release.version}.")
    for line in _release_lines(release):
        output.print_line(out, line, indent="  ")
    if not is_calibrated(boss):
        output.print_note(f"Not calibrated: evalforge check {boss.path}")
    return ExitStatus.SUCCESS


def _release_lines(release: Release) -> tuple[str, ...]:
    if not release.changes:
        return ()
    scores = "may get another level" if release.changes_scores else "gets the same level"
    return (f"Since version {release.version - 1}; a submission {scores}:", *release.changes)
