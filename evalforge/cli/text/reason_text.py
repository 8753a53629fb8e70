"""The reason for a level on a terminal: the cause, examples in rows, and what to do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalforge.cli import output
from evalforge.model.result import Judgement
from evalforge.reports.reason_lines import NAME_WIDTH, ReasonLine, reason_lines

if TYPE_CHECKING:
    from rich.console import Console

_CLOSING = ("holds", "advice")
_INDENTS = {"trial": "    ", "row": "      ", "more": "    "}


def print_reason_lines(out: "Console", judgement: Judgement, places: Sequence[Sequence[tuple[str, str]]]) -> None:
    """Print why a criterion has its level; as prose if a model judged.

    Args:
        out: Where to print.
        judgement: The judgement.
        places: Lines about places in the code; printed before what is right and what to do.
    """
    if judgement.reason is None:
        output.print_line(out, judgement.comment, indent="  ")
    lines = list(reason_lines(judgement.reason)) if judgement.reason else []
    _print(out, [line for line in lines if line.role not in _CLOSING])
    for place in places:
        output.print_line(out, *place, indent="  ")
    _print(out, [line for line in lines if line.role in _CLOSING])


def _print(out: "Console", lines: Sequence[ReasonLine]) -> None:
    for line in lines:
        output.print_line(out, *_head(line), *_body(line), indent=_INDENTS.get(line.role, "  "))


def _head(line: ReasonLine) -> tuple[tuple[str, str], ...]:
    match line.role:
        case "trial":
            return (("✗ ", "red"),)
        case "row":
            return ((f"{line.name:{NAME_WIDTH}}  ", "dim"),)
        case "holds":
            return (("good  ", "green"),)
        case "advice":
            return (("next  ", "cyan"),)
        case _:
            return ()


def _body(line: ReasonLine) -> tuple[tuple[str, str], ...]:
    plain = "dim" if line.role == "more" else ""
    return tuple((text, "bold" if differs else plain) for text, differs in line.runs)
