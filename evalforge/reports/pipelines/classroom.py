"""The result of an autograding step in the format of GitHub Classroom's reporter; each criterion is a test.

See https://github.com/classroom-resources/autograding-grading-reporter.
"""

import json
from collections.abc import Sequence
from typing import Any

from evalforge.model.text import clean, clean_line
from evalforge.reports.pipelines.judged_folder import JudgedFolder, Problem


def classroom(folders: Sequence[JudgedFolder]) -> str:
    """Convert one folder to the object that the reporter reads, or several to an object keyed by name."""
    results = {folder.name: _result(folder) for folder in folders}
    document = next(iter(results.values())) if len(results) == 1 else results
    return json.dumps(document, indent=2) + "\n"


def _result(folder: JudgedFolder) -> dict[str, Any]:
    result = folder.result
    if result is None:
        return reporter_error(folder.boss_title, clean(folder.reason))
    tests: list[dict[str, Any]] = []
    for criterion in result.criteria:
        is_full = criterion not in folder.missed_criteria
        located = next(
            (problem for problem in folder.problems_of(criterion) if problem.line is not None and not is_full), None
        )
        label, status = folder.rubric.labels.get(criterion.id, criterion.id), "pass" if is_full else "fail"
        tests.append(reporter_test(label, status, criterion.score, clean(criterion.comment), place=located))
    return reporter_result("pass" if result.passed else "fail", result.score_max, tests)


def reporter_result(status: str, max_score: float, tests: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the object that the reporter reads; ``status`` is ``pass``, ``fail`` or ``error``."""
    return {"version": 1, "status": status, "max_score": max_score, "tests": tests}


def reporter_error(name: str, message: str, *, seconds: float = 0.0) -> dict[str, Any]:
    """Return the object for a submission without a score.

    Only a highest score of 0 makes the reporter report no points; otherwise it would report 0 of the highest score.
    """
    return reporter_result("error", 0, [reporter_test(name, "error", 0, message, seconds=seconds)])


def reporter_test(
    name: str, status: str, score: float, message: str, *, seconds: float = 0.0, place: Problem | None = None
) -> dict[str, Any]:
    """Return one test of the reporter's object."""
    return {
        "name": clean_line(name),
        "status": status,
        "score": score,
        "message": message,
        "test_code": "",
        "filename": place.path if place else "",
        "line_no": place.line if place else 0,
        "execution_time": f"{seconds:g}s",
    }
