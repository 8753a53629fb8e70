"""Results in autograder formats: Gradescope, GitHub Classroom, PrairieLearn, JUnit XML. Without a score, no points.

Sources of the formats: https://gradescope-autograders.readthedocs.io/en/latest/specs/ (Gradescope) and
https://docs.prairielearn.com/externalGrading/ (PrairieLearn); those of GitHub Classroom and JUnit XML are named where
the formats are written.
"""

from collections.abc import Sequence
from typing import Any

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.export.student_text import (
    headline,
    instructor_sentences,
    machine_names_removed,
    plain_text,
    summary_sentences,
)
from evalforge.classroom.report import ClassReport
from evalforge.model.result import CriterionResult
from evalforge.reports.junit_document import JUnitCase, JUnitSuite, junit_document
from evalforge.reports.pipelines.classroom import reporter_error, reporter_result, reporter_test


def gradescope_results(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    """A ``results.json``; each criterion is a test.

    A submission without a score gets none here either: Gradescope then shows staff that grading failed.
    """
    shared: dict[str, Any] = {
        "output": _overview(row, report),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": _extra_data(row, report),
    }
    result = row.result
    if result is None:
        return {**shared, "tests": []}
    tests = [
        {
            "name": _label(criterion, report),
            "number": str(number),
            "score": criterion.score,
            "max_score": criterion.max_score,
            "status": "passed" if _is_full(criterion) else "failed",
            "output": plain_text(criterion.comment),
            "visibility": "visible",
        }
        for number, criterion in enumerate(result.criteria, start=1)
    ]
    points = row.grade.points if row.grade else result.score_total
    return {**shared, "score": points, "execution_time": row.seconds, "tests": tests}


def github_results(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    """The result of an autograding step for GitHub Classroom's reporter; each criterion is a test."""
    result = row.result
    if result is None:
        text = " ".join(map(plain_text, summary_sentences(row, report)))
        return reporter_error(report.boss_title, text, seconds=row.seconds)
    # The format has no field for remarks on the whole: the instructor's come before the first criterion's.
    first = " ".join(map(plain_text, instructor_sentences(row)))
    comments = [plain_text(criterion.comment) for criterion in result.criteria]
    messages = [f"{first} {comments[0]}".strip(), *comments[1:]] if comments else []
    tests = [
        reporter_test(_label(criterion, report), "pass" if _is_full(criterion) else "fail", criterion.score, message)
        for criterion, message in zip(result.criteria, messages, strict=True)
    ]
    return reporter_result("pass" if result.passed else "fail", result.score_max, tests)


def prairielearn_results(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    """A ``results.json`` as from PrairieLearn's external graders; without a score it is marked ungradable."""
    result = row.result
    overview = _overview(row, report)
    if result is None:
        return {"gradable": False, "message": overview, "format_errors": [overview]}
    highest = float(row.grade.maximum if row.grade else result.score_max)
    points = float(row.grade.points if row.grade else result.score_total)
    tests = [
        {
            "name": _label(criterion, report),
            "description": "",
            "points": criterion.score,
            "max_points": criterion.max_score,
            "message": plain_text(criterion.comment),
            "output": "",
        }
        for criterion in result.criteria
    ]
    share = min(1.0, max(0.0, points / highest)) if highest else 0.0
    return {"gradable": True, "score": round(share, 6), "message": headline(row), "output": overview, "tests": tests}


def junit_xml(rows: Sequence[ClassRow], report: ClassReport) -> str:
    """JUnit XML: a suite for each submission, a case for each criterion; one below its highest level fails."""
    return junit_document(plain_text(report.boss_title), (_junit_suite(row, report) for row in rows))


def _junit_suite(row: ClassRow, report: ClassReport) -> JUnitSuite:
    cases = [_junit_case(criterion, report) for criterion in row.result.criteria] if row.result else []
    if not cases:
        reason = plain_text(machine_names_removed(report)(row.reason))
        outcome = row.outcome.value
        cases = [JUnitCase(plain_text(report.boss_title), "error", outcome, outcome, reason)]
    seconds, overview = f"{row.seconds:.3f}", plain_text(_overview(row, report))
    return JUnitSuite(plain_text(row.title), plain_text(row.row_id), cases, seconds, overview)


def _junit_case(criterion: CriterionResult, report: ClassReport) -> JUnitCase:
    label = plain_text(_label(criterion, report))
    if _is_full(criterion):
        return JUnitCase(label)
    message = f"{criterion.score:g} of {criterion.max_score:g}"
    return JUnitCase(label, "failure", message, "level", plain_text(criterion.comment))


def _is_full(criterion: CriterionResult) -> bool:
    return criterion.score >= criterion.max_score


def _label(criterion: CriterionResult, report: ClassReport) -> str:
    return report.labels.get(criterion.id, criterion.id)


def _overview(row: ClassRow, report: ClassReport) -> str:
    """Everything about a row as a whole, as plain text: the suggestions as a list."""
    sentences = [plain_text(text) for text in summary_sentences(row, report)]
    if row.result is None:
        return "\n".join(sentences)
    count = len(row.result.improvements)
    said, suggestions = sentences[: len(sentences) - count], sentences[len(sentences) - count :]
    return "\n".join([headline(row), *said, *(f"- {text}" for text in suggestions)])


def _extra_data(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    overrides = row.revised.in_force if row.revised else ()
    return {
        "row": row.row_id,
        "outcome": row.outcome.value,
        "attempt": row.attempt_id,
        "rubric_hash": report.rubric_hash,
        "judge": report.judge.model_dump(mode="json"),
        "judged_score": row.judged.score_total if row.judged else None,
        "grade": row.grade.model_dump(mode="json") if row.grade else None,
        "set_by_a_person": [override.model_dump(mode="json") for override in overrides],
    }
