"""Sections of a report for people: a heading, one line for each entry, and how many more there are."""

from collections.abc import Sequence

from rich.console import Console

from evalforge.cli import output

Entry = Sequence[str | tuple[str, str]]
"""The parts of a line, plain or with a style."""


def print_section(
    out: Console, heading: str, entries: Sequence[Entry], *, remark: Entry = (), shown: int = 0, total: int = 0
) -> None:
    """Print a section after an empty line; nothing if it has no entries.

    Args:
        out: Where to print.
        heading: Its first line.
        entries: Its lines.
        remark: What follows the heading on its line.
        shown: The most lines printed; 0 prints all of them.
        total: How many entries there are, if that is more than were given.
    """
    if not entries:
        return
    out.print()
    output.print_line(out, (heading, "bold"), *remark)
    for entry in entries[: shown or None]:
        output.print_line(out, *entry, indent="  ")
    more_count = max(total, len(entries)) - shown
    if shown and more_count > 0:
        output.print_line(out, (f"and {more_count:,} more", "dim"), indent="  ")
