"""A declared scale turns scores into the institution's points, and no rubric's sum changes by it."""

from pathlib import Path

import pytest

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.grading import grade_words, read_grading
from evalforge.model.errors import UsageError
from tests.classroom.test_exports import result, row

SCALE = """
points: {0: 0, 2: 10, 4: 20}
round_to: 0.5
late:
  deadline: 2026-01-31 23:59
  grace_minutes: 15
  percent_per_day: 10
  at_most_percent: 30
  percent_if_marked: 5
"""


def graded(tmp_path: Path, one: ClassRow, scale: str = SCALE) -> tuple[float, float, str]:
    (tmp_path / "scale.yaml").write_text(scale)
    grade = read_grading(tmp_path / "scale.yaml").grade(one)
    assert grade is not None
    return grade.points, grade.before_penalty, grade.late


@pytest.mark.parametrize(("scores", "points"), [((0, 0), 0), ((1, 0), 5), ((1, 1), 10), ((2, 1), 15), ((2, 2), 20)])
def test_points_between_those_declared_lie_on_a_line(tmp_path: Path, scores: tuple[int, int], points: float) -> None:
    assert graded(tmp_path, row("ann", result(*scores))) == (points, points, "")


@pytest.mark.parametrize(
    ("handed_in", "is_late", "points", "late"),
    [
        ("2026-01-31 23:59:00", False, 20, ""),
        ("2026-02-01 00:14:00", False, 20, ""),
        ("2026-02-01 00:14:01", False, 18, "1 day late"),
        ("2026-02-02 12:00", False, 16, "2 days late"),
        ("2026-03-02 12:00", False, 14, "30 days late"),
        ("", True, 19, "marked as late"),
        ("", False, 20, ""),
    ],
)
def test_lateness_costs_what_was_declared(tmp_path, handed_in: str, is_late: bool, points: float, late: str) -> None:  # type: ignore[no-untyped-def]
    one = row("ann", result(2, 2), handed_in=handed_in, is_late=is_late)
    assert graded(tmp_path, one) == (points, 20, late)


def test_a_grade_is_never_below_nothing_and_says_why(tmp_path: Path) -> None:
    one = row("ann", result(0, 1), handed_in="2026-03-02 12:00")
    (tmp_path / "scale.yaml").write_text(SCALE.replace("at_most_percent: 30", "at_most_percent: 100"))
    grade = read_grading(tmp_path / "scale.yaml").grade(one)
    assert grade is not None
    assert (grade.points, grade_words(grade)) == (0, "Grade: 0 of 20 (5 less 100 % of 20: 30 days late).")
    assert read_grading(tmp_path / "scale.yaml").grade(row("bob")) is None


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("points: {0: 0}", "two scores"),
        ("points: {0: 10, 7: 5}", "must not fall"),
        ("points: [1, 2]", "points"),
        ("points: {0: 0, 7: 5}\nlate: {deadline: soon, percent_per_day: 10}", "late.deadline"),
        ("points: {0: 0, 7: 5}\nlate: {deadline: '2026-01-31T23:59Z', percent_per_day: 10}", "without a time zone"),
        ("points: {0: 0, 7: 5}\nextra: 1", "extra"),
        ("points: {0: 0", "not valid YAML"),
    ],
)
def test_a_scale_that_can_not_hold_is_refused(tmp_path: Path, scale: str, words: str) -> None:
    (tmp_path / "scale.yaml").write_text(scale)
    with pytest.raises(UsageError, match=words):
        read_grading(tmp_path / "scale.yaml")
