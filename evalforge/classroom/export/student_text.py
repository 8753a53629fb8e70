"""The text that students read, the same in every export, without anything about this machine."""

import re
from collections.abc import Callable
from pathlib import Path

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.grading import grade_words
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number
from evalforge.model.result import verdict_words
from evalforge.model.text import clean_whole

_CODE_SPAN = re.compile(r"`([^`]+)`")


def instructor_sentences(row: ClassRow) -> tuple[str, ...]:
    """The grade and the instructor's comments; they come before everything else."""
    grade = (grade_words(row.grade),) if row.grade else ()
    return (*grade, *(f"Your instructor: {comment}" for comment in row.comments))


def headline(row: ClassRow) -> str:
    """Verdict and score, such as ``PASS: 6 of 7``; the outcome if there is no score."""
    result = row.result
    if result is None:
        return row.outcome.value.upper()
    score, highest = format_number(result.score_total), format_number(result.score_max)
    return f"{verdict_words(result.verdict).upper()}: {score} of {highest}"


def summary_sentences(row: ClassRow, report: ClassReport) -> tuple[str, ...]:
    """Everything about a row as a whole: the instructor's comments, the summary, what to do next."""
    result = row.result
    texts = (result.summary, *result.improvements) if result else (row.reason,)
    return tuple(map(machine_names_removed(report), (*instructor_sentences(row), *texts)))


def plain_text(text: str) -> str:
    """A text without its backticks, for places that show no markup."""
    return clean_whole(_CODE_SPAN.sub(r"\1", text))


def machine_names_removed(report: ClassReport) -> Callable[[str], str]:
    """Return a function that removes the folders of the instructor's machine from a text."""
    home = str(Path.home())
    folders = [folder for folder in (report.source, str(Path(report.source).parent), home) if len(folder) > 1]

    def without_folders(text: str) -> str:
        for folder in folders:
            text = text.replace(f"{folder}/", "").replace(folder, "the class's folder")
        return text

    return without_folders
