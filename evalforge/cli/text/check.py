"""A check of a pack as lines of text or as data: stages, exemplars, and the one thing to fix."""

import shlex

from rich.console import Console

from evalforge.cli import output
from evalforge.model.number_format import format_count
from evalforge.pack_check.check import CheckReport
from evalforge.packs.issue import Issue

_MAX_NOTES = 3
"""The most notes printed for each stage."""


def print_check(report: CheckReport, out: Console) -> None:
    """Print a check for people."""
    output.print_line(out, (report.pack.resolve().name, "bold"))
    for stage in report.stages:
        style = "bold red" if stage.problems else "green"
        seconds = f"  {stage.seconds:.1f} s" if stage.seconds >= 1 else ""
        output.print_line(out, f"{stage.name:<10} ", (stage.summary, style), (seconds, "dim"), indent="  ")
    if report.skipped:
        output.print_line(out, (f"{', '.join(report.skipped)}: not tried yet", "dim"), indent="  ")
    for name, (summary, is_fine) in report.exemplars.items():
        output.print_line(out, f"{name:<24} ", (summary, "" if is_fine else "yellow"), indent="  ")
    for reason in report.ungraded:
        output.print_line(out, ("not judged: ", "bold yellow"), reason)
    issue = report.next_to_mend
    again = f"evalforge check {shlex.quote(str(report.pack))}"
    if issue is not None:
        output.print_line(out, ("Fix this: ", "bold red"), (f"{issue.place(report.pack)}: ", "bold"), issue.message)
        output.print_line(out, f"Then again: {again}")
    elif not report.ungraded:
        _print_notes(report, out)
        output.print_line(out, ("Nothing to fix.", "bold green"))


def _print_notes(report: CheckReport, out: Console) -> None:
    """Print the first notes of each stage: worth a look once nothing has to be fixed."""
    for stage in report.stages:
        for note in stage.notes[:_MAX_NOTES]:
            output.print_line(out, ("note: ", "dim"), (f"{note.place(report.pack)}: ", "bold"), note.message)
        if len(stage.notes) > _MAX_NOTES:
            more_count = len(stage.notes) - _MAX_NOTES
            more = f"{format_count(more_count, 'more note')} of {stage.name}"
            option = "" if stage.name == "text" else " --json"
            command = f"evalforge {'check' if option else 'lint'} {shlex.quote(str(report.pack))}{option}"
            output.print_line(out, (f"{more}: {command}", "dim"))


def check_data(report: CheckReport) -> dict[str, object]:
    """A check as data, for programs."""

    def issue_data(issue: Issue) -> dict[str, object]:
        return {"file": issue.file(report.pack), "line": issue.line, "message": issue.message}

    return {
        "boss_id": report.pack.resolve().name,
        "folder": str(report.pack),
        "stages": [
            {
                "name": stage.name,
                "summary": stage.summary,
                "seconds": stage.seconds,
                "problems": [issue_data(issue) for issue in stage.problems],
                "notes": [issue_data(issue) for issue in stage.notes],
            }
            for stage in report.stages
        ],
        "skipped": report.skipped,
        "exemplars": [
            {"names": [name], "summary": summary, "is_fine": is_fine}
            for name, (summary, is_fine) in report.exemplars.items()
        ],
        "ungraded": report.ungraded,
        "next_to_mend": issue_data(report.next_to_mend) if report.next_to_mend else None,
    }
