"""Feedback for students: a Markdown file for each row."""

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.export.student_text import instructor_sentences, machine_names_removed
from evalforge.classroom.report import ClassReport
from evalforge.history.store import History
from evalforge.model.exact_numbers import to_fraction
from evalforge.reports.markdown import InstructorView, escape_markdown, escape_prose
from evalforge.reports.markdown import report as attempt_report


def feedback(row: ClassRow, report: ClassReport, history: History) -> str:
    """Return a student's result with every reason, or why there is none."""
    lines = tuple(escape_prose(text) for text in instructor_sentences(row))
    if not row.attempt_id:
        outcome = row.outcome.value.upper()
        reason = escape_prose(machine_names_removed(report)(row.reason))
        heading = f"# {escape_markdown(report.boss_title)}\n\n**{outcome}**  {reason}\n"
        return heading + "".join(f"\n{line}\n" for line in lines)
    attempt = history.get(row.attempt_id)
    view = InstructorView(row.result, _set_levels(row, report), lines) if row.result else None
    return attempt_report(attempt, receipt=None if row.revised else history.receipt(row.attempt_id), view=view)


def _set_levels(row: ClassRow, report: ClassReport) -> dict[str, str]:
    """The labels of the levels that a person set, by criterion."""
    labels = {
        (criterion.id, to_fraction(level.score)): level.label
        for criterion in report.criteria
        for level in criterion.levels
    }
    overrides = row.revised.in_force if row.revised else ()
    return {
        override.criterion_id: labels.get((override.criterion_id, to_fraction(override.score or 0)), "")
        for override in overrides
    }
