"""Feedback for students: a Markdown file for each row."""

from collections.abc import Iterator

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.report import ClassReport
from evalforge.history.store import History
from evalforge.model.result import verdict_words
from evalforge.reports.markdown import escape_markdown
from evalforge.reports.markdown import report as attempt_report


def feedback(row: ClassRow, report: ClassReport, history: History) -> str:
    """A student's result with every reason, or why there is none."""
    if not row.attempt_id:
        outcome = row.outcome.value.upper()
        return f"# {escape_markdown(report.boss_title)}\n\n**{outcome}**  {escape_markdown(row.reason)}\n"
    attempt = history.get(row.attempt_id)
    judged = attempt_report(attempt, receipt=history.receipt(row.attempt_id))
    overridden = "\n".join(_override_lines(row, report))
    return f"{overridden}\n{judged}" if overridden else judged


def _override_lines(row: ClassRow, report: ClassReport) -> Iterator[str]:
    """The levels a person set, which count; they come before what was judged."""
    revised, judged = row.revised, row.judged
    if revised is None or judged is None or not revised.in_force:
        return
    result = revised.result
    labels = report.labels
    judged_scores = {criterion.id: criterion.score for criterion in judged.criteria}
    verdict = verdict_words(result.verdict).upper()
    yield f"**A person has looked at this. What counts is {verdict}, {result.score_total:g} of {result.score_max:g}:**"
    yield ""
    for override in revised.in_force:
        label = escape_markdown(labels.get(override.criterion_id, override.criterion_id))
        judged_score = judged_scores.get(override.criterion_id, 0)
        yield f"- {label}: {override.score:g} instead of {judged_score:g}. {escape_markdown(override.reason)}"
    yield ""
    yield "Below stands what was judged before."
    yield ""
