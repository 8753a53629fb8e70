"""A class as tables: one row for each hand-in, whatever happened to it."""

import csv
import html
import io
from collections.abc import Iterable, Sequence

from evalforge.batch.classroom.report import ClassReport
from evalforge.batch.classroom.rows import ClassRow
from evalforge.model.result import BossEvalResult
from evalforge.model.text import clean_line

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CELL_CAP = 2_000
Cell = str | int | float | bool | None


def cell(value: Cell) -> str | int | float:
    """A value as a spreadsheet may see it: words that would be a formula become words again."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return value
    line = clean_line(value, _CELL_CAP)
    return f"'{line}" if line.lstrip(" ").startswith(_FORMULA) else line


def _csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell(name) for name in head])
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def class_csv(report: ClassReport) -> str:
    """Everything a spreadsheet asks about a class.

    ``score`` and its like are what counts; ``judged_*`` is the judge's word where a person set another level.
    """
    criteria = [criterion.id for criterion in report.criteria]
    head = [
        *("row", "name", "student_id", "email", "on_roster", "outcome", "reason"),
        *("score", "score_max", "integrity", "passed", "verdict"),
        *(name for criterion in criteria for name in (criterion, f"{criterion} judged")),
        *("judged_score", "judged_verdict", "set_by_a_person", "flags", "cluster"),
        *("earlier_score", "earlier_verdict", "changed", "attempt", "earlier_attempt", "submission", "source"),
    ]
    clusters = {member: one.title for one in (*report.clusters, *report.singletons) for member in one.members}
    return _csv(head, (_line(row, criteria, clusters) for row in report.rows))


def _line(row: ClassRow, criteria: list[str], clusters: dict[str, str]) -> list[Cell]:
    counts, judged, earlier = row.result, row.judged, row.earlier
    said = row.revised.in_force if row.revised else ()
    set_levels = "; ".join(f"{one.criterion_id} {one.score:g}: {one.reason}" for one in said)
    scores, first_scores = _scores(counts), _scores(judged)
    return [
        *(row.row_id, row.name, row.student_id, row.email, row.on_roster, row.outcome.value, row.reason),
        *((counts.score_total, counts.score_max, counts.integrity, counts.passed) if counts else (None,) * 4),
        counts.verdict.value if counts else None,
        *(value for name in criteria for value in (scores.get(name), first_scores.get(name))),
        *((judged.score_total, judged.verdict.value) if judged else (None, None)),
        *(set_levels, "; ".join(row.flags), clusters.get(row.row_id)),
        *((earlier.score_total, earlier.verdict, "; ".join(earlier.causes)) if earlier else (None,) * 3),
        *(row.attempt_id, earlier.attempt_id if earlier else None, row.content_hash, row.source),
    ]


def _scores(result: BossEvalResult | None) -> dict[str, int | float]:
    return {one.id: one.score for one in result.criteria} if result else {}


def moodle_csv(report: ClassReport) -> str:
    """Moodle's grading worksheet: who has no score gets no grade."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
    return _csv(head, (_grade(row, report) for row in report.rows))


def _grade(row: ClassRow, report: ClassReport) -> list[Cell]:
    result = row.result
    identifier = f"Participant {row.number}" if row.number else row.student_id or row.row_id
    told = [result.summary, *result.improvements] if result else [row.reason]
    # Moodle shows comments as HTML.
    comments = "<br>".join(html.escape(clean_line(words, _CELL_CAP)) for words in told)
    return [identifier, row.title, row.email, result.score_total if result else None, report.score_max, comments]
