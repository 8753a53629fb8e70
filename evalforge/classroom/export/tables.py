"""Exports a class as CSV: one row for each hand-in, whatever happened to it."""

import csv
import html
import io
import re
from collections.abc import Iterable, Sequence

from evalforge.classroom.class_impostors import SuiteCount
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.report import ClassReport
from evalforge.model.result import BossEvalResult
from evalforge.model.text import clean_line

_SIGNS = "=+@\t\r\uff1d\uff0b\uff0d\uff20-"
# At the beginning, or after what separates cells somewhere, maybe behind spaces and quotes: `;=1`, `; "=1"`, `a,=1`.
_FORMULA_START = re.compile(rf"(?:^|[;|\t\uff1b])(?=[\s\"]*[{_SIGNS}])|,(?=[{_SIGNS}])")
_MAX_CELL_CHARS = 2_000
Cell = str | int | float | bool | None


def spreadsheet_cell(value: Cell) -> str | int | float:
    """A value that is safe in a spreadsheet: text that would be read as a formula is quoted (``=1+1`` as ``'=1+1``).

    Where a spreadsheet splits at semicolons or tabs, what follows one begins a cell (``;=1+1`` becomes ``;'=1+1``).
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return value
    line = clean_line(value, _MAX_CELL_CHARS)
    return _FORMULA_START.sub(r"\g<0>'", line)


def _csv(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([spreadsheet_cell(name) for name in headings])
    writer.writerows([spreadsheet_cell(value) for value in row] for row in rows)
    return out.getvalue()


def class_csv(report: ClassReport) -> str:
    """The table of a class.

    ``score`` and the columns beside it hold what counts; ``judged_*`` what the judge gave, where a person set a level.
    """
    criteria = [criterion.id for criterion in report.criteria]
    headings = [
        *("row", "name", "student_id", "email", "on_roster", "outcome", "reason"),
        *("score", "score_max", "integrity", "passed", "verdict"),
        *(name for criterion in criteria for name in (criterion, f"{criterion} judged")),
        *("judged_score", "judged_verdict", "set_by_a_person", "flags", "cluster"),
        *("earlier_score", "earlier_verdict", "changed", "attempt", "earlier_attempt", "submission", "source"),
        *("impostors_unmasked", "impostors_met", "wrong_expectations"),
    ]
    groups = (*report.clusters, *report.singletons)
    cluster_titles = {row_id: group.title for group in groups for row_id in group.members}
    suites = report.impostors.by_row
    return _csv(
        headings,
        ([*_row_cells(row, criteria, cluster_titles), *_suite_cells(suites.get(row.row_id))] for row in report.rows),
    )


def _row_cells(row: ClassRow, criteria: list[str], cluster_titles: dict[str, str]) -> list[Cell]:
    result, judged, earlier = row.result, row.judged, row.earlier
    overrides = row.revised.in_force if row.revised else ()
    set_levels = "; ".join(f"{one.criterion_id} {one.score:g}: {one.reason}" for one in overrides)
    scores, judged_scores = _scores(result), _scores(judged)
    return [
        *(row.row_id, row.name, row.student_id, row.email, row.on_roster, row.outcome.value, row.reason),
        *((result.score_total, result.score_max, result.integrity, result.passed) if result else (None,) * 4),
        result.verdict.value if result else None,
        *(value for name in criteria for value in (scores.get(name), judged_scores.get(name))),
        *((judged.score_total, judged.verdict.value) if judged else (None, None)),
        *(set_levels, "; ".join(row.flags), cluster_titles.get(row.row_id)),
        *((earlier.score_total, earlier.verdict, "; ".join(earlier.causes)) if earlier else (None,) * 3),
        *(row.attempt_id, earlier.attempt_id if earlier else None, row.content_hash, row.source),
    ]


def _suite_cells(suite: SuiteCount | None) -> tuple[Cell, ...]:
    return (suite.unmasked, suite.met, suite.wrong_expectations) if suite else (None,) * 3


def _scores(result: BossEvalResult | None) -> dict[str, int | float]:
    return {one.id: one.score for one in result.criteria} if result else {}


def moodle_csv(report: ClassReport) -> str:
    """Moodle's grading worksheet; a row without a score has no grade."""
    headings = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
    return _csv(headings, (_grade_cells(row, report) for row in report.rows))


def _grade_cells(row: ClassRow, report: ClassReport) -> list[Cell]:
    result = row.result
    identifier = f"Participant {row.number}" if row.number else row.student_id or row.row_id
    texts = [result.summary, *result.improvements] if result else [row.reason]
    # Moodle shows comments as HTML.
    comments = "<br>".join(html.escape(clean_line(text, _MAX_CELL_CHARS)) for text in texts)
    return [identifier, row.title, row.email, result.score_total if result else None, report.score_max, comments]
