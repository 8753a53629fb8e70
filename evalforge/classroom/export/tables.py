"""Exports a class as CSV: one row for each submission, whatever happened to it."""

import csv
import io
from collections.abc import Iterable, Sequence

from evalforge.classroom.class_impostors import SuiteCount
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.report import ClassReport
from evalforge.model.result import BossEvalResult
from evalforge.reports.spreadsheet import Cell, spreadsheet_cell


def quoted_csv(headings: Sequence[str], rows: Iterable[Sequence[Cell]], raw_columns: Sequence[int] = ()) -> str:
    """Write a table in which every cell is quoted and none is a formula; cells of raw columns are already safe."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([spreadsheet_cell(name) for name in headings])
    for row in rows:
        writer.writerow([value if at in raw_columns else spreadsheet_cell(value) for at, value in enumerate(row)])
    return out.getvalue()


def class_csv(report: ClassReport) -> str:
    """The table of a class.

    ``score`` and the columns next to it hold what counts; ``judged_*`` the judge's result if a person set a level.
    """
    criteria = [criterion.id for criterion in report.criteria]
    headings = [
        *("row", "name", "student_id", "email", "on_roster", "outcome", "reason"),
        *("score", "score_max", "integrity", "passed", "verdict"),
        *(name for criterion in criteria for name in (criterion, f"{criterion} judged")),
        *("judged_score", "judged_verdict", "set_by_a_person", "flags", "cluster"),
        *("earlier_score", "earlier_verdict", "changed", "attempt", "earlier_attempt", "submission", "source"),
        *("impostors_unmasked", "impostors_met", "wrong_expectations"),
        *("grade", "grade_max", "late", "penalty_percent", "comments", "platform", "handed_in"),
    ]
    groups = (*report.clusters, *report.singletons)
    titles = {row.row_id: [group.title for group in groups if row.row_id in group.members] for row in report.rows}
    cluster_titles = {row_id: "; ".join(own_titles) for row_id, own_titles in titles.items() if own_titles}
    suites = report.impostors.by_row
    return quoted_csv(
        headings,
        (
            [*_row_cells(row, criteria, cluster_titles), *_suite_cells(suites.get(row.row_id)), *_instructor_cells(row)]
            for row in report.rows
        ),
    )


def _row_cells(row: ClassRow, criteria: list[str], cluster_titles: dict[str, str]) -> list[Cell]:
    result, judged, earlier = row.result, row.judged, row.earlier
    overrides = row.revised.in_force if row.revised else ()
    set_levels = "; ".join(f"{override.criterion_id} {override.score:g}: {override.reason}" for override in overrides)
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


def _instructor_cells(row: ClassRow) -> list[Cell]:
    grade = row.grade
    cells = [grade.points, grade.maximum, grade.late, grade.penalty_percent] if grade else [None] * 4
    return [*cells, "; ".join(row.comments), row.platform, row.handed_in]


def _scores(result: BossEvalResult | None) -> dict[str, int | float]:
    return {criterion.id: criterion.score for criterion in result.criteria} if result else {}
