"""Results in the formats of autograders for Gradescope and GitHub Classroom. A row without a score exports none."""

from typing import Any

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.report import ClassReport
from evalforge.model.result import BossEvalResult, CriterionResult, verdict_words
from evalforge.model.text import clean, clean_line


def gradescope_results(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    """A ``results.json``; each criterion is a test.

    A hand-in that has no score gets none here either: Gradescope then shows staff that grading failed.
    """
    shared: dict[str, Any] = {
        "output": _summary(row),
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
            "output": clean(criterion.comment),
            "visibility": "visible",
        }
        for number, criterion in enumerate(result.criteria, start=1)
    ]
    return {**shared, "score": result.score_total, "execution_time": row.seconds, "tests": tests}


def github_results(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    """The result of an autograding step, as GitHub Classroom's reporter reads it; each criterion is a test."""
    result = row.result
    if result is None:
        error = _test(report.boss_title, "error", 0, row.reason, row.seconds)
        return {"version": 1, "status": "error", "max_score": report.score_max, "tests": [error]}
    tests = [
        _test(
            _label(criterion, report),
            "pass" if _is_full(criterion) else "fail",
            criterion.score,
            criterion.comment,
            0.0,
        )
        for criterion in result.criteria
    ]
    status = "pass" if result.passed else "fail"
    return {"version": 1, "status": status, "max_score": result.score_max, "tests": tests}


def _test(name: str, status: str, score: float, message: str, seconds: float) -> dict[str, Any]:
    return {
        "name": clean_line(name),
        "status": status,
        "score": score,
        "message": clean(message),
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "execution_time": f"{seconds:g}s",
    }


def _is_full(criterion: CriterionResult) -> bool:
    return criterion.score >= criterion.max_score


def _label(criterion: CriterionResult, report: ClassReport) -> str:
    return report.labels.get(criterion.id, criterion.id)


def _summary(row: ClassRow) -> str:
    result = row.result
    if result is None:
        return clean(row.reason)
    return clean("\n".join([_headline(result), result.summary, *(f"- {words}" for words in result.improvements)]))


def _headline(result: BossEvalResult) -> str:
    verdict = verdict_words(result.verdict).upper()
    return f"{verdict}: {result.score_total:g} of {result.score_max:g}"


def _extra_data(row: ClassRow, report: ClassReport) -> dict[str, Any]:
    overrides = row.revised.in_force if row.revised else ()
    return {
        "row": row.row_id,
        "outcome": row.outcome.value,
        "attempt": row.attempt_id,
        "rubric_hash": report.rubric_hash,
        "judge": report.judge.model_dump(mode="json"),
        "judged_score": row.judged.score_total if row.judged else None,
        "set_by_a_person": [override.model_dump(mode="json") for override in overrides],
    }
