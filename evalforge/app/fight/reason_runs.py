"""The reason for a level on a screen: the cause, examples in rows, and what to do."""

from collections.abc import Iterator

from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run
from evalforge.model.result import Judgement
from evalforge.model.text import clean, clean_line
from evalforge.reports.reason_lines import NAME_WIDTH, ReasonLine, reason_lines


def reason_runs(judgement: Judgement, failed: str) -> list[Run]:
    """Return why a criterion has its level; as prose if a model judged.

    Args:
        judgement: The judgement.
        failed: The sign of a trial that failed.
    """
    if judgement.reason is None:
        return [*spans(clean(judgement.comment), "ash"), ("\n", "")]
    runs: list[Run] = []
    before = ""
    for line in reason_lines(judgement.reason):
        begins_example = line.role == "trial" or (line.role == "row" and before in ("cause", "remark"))
        if begins_example or (before in ("row", "trial", "more") and line.role in ("holds", "advice")):
            runs.append(("\n", ""))
        runs += [*_line(line, failed), ("\n", "")]
        before = line.role
    return runs


def _line(line: ReasonLine, failed: str) -> Iterator[Run]:
    match line.role:
        case "trial":
            yield f"{failed} ", "blood"
            yield clean_line(line.text), "ash"
        case "row":
            yield f"  {line.name:{NAME_WIDTH}}  ", "dim"
            differing = "bold blood" if line.name == "got" else "bold ash"
            for text, differs in line.runs:
                yield clean(text), differing if differs else "steel" if line.name == "ended at" else "ash"
        case "more":
            yield f"  {line.text}", "dim"
        case "holds":
            yield "Good: ", "bold verdigris"
            yield from spans(clean(line.text), "ash")
        case "advice":
            yield "Next: ", "bold ember"
            yield from spans(clean(line.text), "ash")
        case _:
            yield from spans(clean(line.text), "ash")
