"""A check of a pack as lines of text: stages, exemplars, and the one thing to fix."""

import shlex

from rich.console import Console

from evalforge.cli import output
from evalforge.model.number_format import format_count
from evalforge.pack_check.report import CheckReport

_MAX_NOTES = 3
"""The most notes printed for each stage."""


def print_check(report: CheckReport, out: Console) -> None:
    """Print a check for people.

    Args:
        report: The result of the check.
        out: Where to print it.
    """
    output.print_line(out, (report.boss_id, "bold"))
    for stage in report.stages:
        style = "bold red" if stage.problems else "green"
        seconds = f"  {stage.seconds:.1f} s" if stage.seconds >= 1 else ""
        output.print_line(out, f"{stage.name:<10} ", (stage.summary, style), (seconds, "dim"), indent="  ")
    if report.skipped:
        output.print_line(out, (f"{', '.join(report.skipped)}: not tried yet", "dim"), indent="  ")
    for line in report.exemplars:
        name = line.names[0] if len(line.names) == 1 else ""
        style = "" if line.is_fine else "yellow"
        output.print_line(out, f"{name:<24} " if name else "", (line.summary, style), indent="  ")
    for reason in report.ungraded:
        output.print_line(out, ("not judged: ", "bold yellow"), reason)
    issue = report.next_to_mend
    again = f"evalforge check {shlex.quote(report.folder)}"
    if issue is not None:
        output.print_line(out, ("Fix this: ", "bold red"), (f"{issue.place}: ", "bold"), issue.message)
        output.print_line(out, f"Then again: {again}")
    elif not report.ungraded:
        _print_notes(report, out)
        output.print_line(out, ("Nothing to fix.", "bold green"))


def _print_notes(report: CheckReport, out: Console) -> None:
    """Print the first notes of each stage: worth a look once nothing has to be fixed."""
    for stage in report.stages:
        for note in stage.notes[:_MAX_NOTES]:
            output.print_line(out, ("note: ", "dim"), (f"{note.place}: ", "bold"), note.message)
        if len(stage.notes) > _MAX_NOTES:
            more_count = len(stage.notes) - _MAX_NOTES
            command = f"evalforge lint {shlex.quote(report.folder)}"
            output.print_line(out, (f"{format_count(more_count, 'more note')} of {stage.name}: {command}", "dim"))
