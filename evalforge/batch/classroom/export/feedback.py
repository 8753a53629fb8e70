"""What a student is told: a Markdown file for each row."""

from collections.abc import Iterator

from evalforge.batch.classroom.report import ClassReport
from evalforge.batch.classroom.rows import ClassRow
from evalforge.chronicle.report import escaped
from evalforge.chronicle.report import report as attempt_report
from evalforge.history.store import History


def feedback(row: ClassRow, report: ClassReport, history: History) -> str:
    """A student's result with every reason, or why there is none."""
    if not row.attempt_id:
        return f"# {escaped(report.boss_title)}\n\n**{row.outcome.value.upper()}**  {escaped(row.reason)}\n"
    attempt = history.get(row.attempt_id)
    told = attempt_report(attempt, receipt=history.receipt(row.attempt_id))
    said = "\n".join(_said(row, report))
    return f"{said}\n{told}" if said else told


def _said(row: ClassRow, report: ClassReport) -> Iterator[str]:
    """What a person set, before what was judged: this is what counts."""
    revised, judged = row.revised, row.judged
    if revised is None or judged is None or not revised.in_force:
        return
    result = revised.result
    labels = {criterion.id: criterion.label for criterion in report.criteria}
    before = {one.id: one.score for one in judged.criteria}
    verdict = result.verdict.value.replace("_", " ").upper()
    yield f"**A person has looked at this. What counts is {verdict}, {result.score_total:g} of {result.score_max:g}:**"
    yield ""
    for one in revised.in_force:
        label = escaped(labels.get(one.criterion_id, one.criterion_id))
        yield f"- {label}: {one.score:g} instead of {before.get(one.criterion_id, 0):g}. {escaped(one.reason)}"
    yield ""
    yield "Below stands what was judged before."
    yield ""
