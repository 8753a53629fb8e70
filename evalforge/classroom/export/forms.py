"""Every form in which a class is exported, for both the command line and the game."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.cluster_items import items_jsonl
from evalforge.classroom.export.gradebooks import blackboard_csv, brightspace_csv, canvas_csv, moodle_csv
from evalforge.classroom.export.html_page import class_page, student_page
from evalforge.classroom.export.moodle_feedback import has_participants, moodle_feedback_zip
from evalforge.classroom.export.platform_results import (
    github_results,
    gradescope_results,
    junit_xml,
    prairielearn_results,
)
from evalforge.classroom.export.student_text import instructor_sentences, machine_names_removed
from evalforge.classroom.export.tables import class_csv
from evalforge.classroom.report import ClassReport
from evalforge.history.store import History
from evalforge.model.exact_numbers import to_fraction
from evalforge.packs.atomic_files import read_json_object, write_bytes, write_text
from evalforge.reports.markdown import InstructorView, escape_markdown, escape_prose
from evalforge.reports.markdown import report as attempt_report

# A folder of exported files, without leftovers of earlier exports.

_LIST = ".evalforge-export.json"
"""Lists the files of an export with their hashes, so that the next export knows which are unchanged files of ours."""


class ExportFolder:
    """Writes files, and at the end removes files of the previous export that weren't written again.

    A file that has been changed since is kept.

    Args:
        folder: The folder; it is created with the first file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hashes: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def write(self, name: str, text: str) -> None:
        """Write one file.

        Raises:
            UsageError: It can't be written.
        """
        write_text(self._folder / name, text)
        self._hashes[name] = _hash(text.encode("utf-8", "replace"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        for name, stored_hash in read_json_object(self._folder / _LIST).items():
            if name not in self._hashes and ".." not in Path(name).parts and not Path(name).is_absolute():
                self._remove(self._folder / name, stored_hash)
        if self._hashes:
            write_text(self._folder / _LIST, json.dumps(self._hashes, indent=1) + "\n")

    def _remove(self, path: Path, stored_hash: object) -> None:
        with suppress(OSError):
            if not path.is_symlink() and _hash(path.read_bytes()) == stored_hash:
                path.unlink()
                if path.parent != self._folder:
                    path.parent.rmdir()  # Only if no other files are in it.


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME_BYTES = 120
"""Every file system allows names of this length plus an extension."""


@dataclass(frozen=True)
class ClassExport:
    """The content of a class's exports. Each form writes a file or a folder, and raises UsageError if it can't.

    Attributes:
        history: The store with the class's attempts.
    """

    report: ClassReport
    history: History

    @cached_property
    def _names(self) -> dict[str, str]:
        return file_names(row.row_id for row in self.report.rows)

    def page(self, target: Path) -> None:
        """Write the class as an HTML page with plots."""
        write_text(target, class_page(self.report))

    def table(self, target: Path) -> None:
        """Write a table, one row for each submission."""
        # With a byte order mark, or spreadsheets misread non-ASCII names.
        write_text(target, class_csv(self.report), "utf-8-sig")

    @property
    def everything_known(self) -> dict[str, Any]:
        """The whole report as data."""
        return self.report.model_dump(mode="json")

    def data(self, target: Path) -> None:
        """Write the whole report as JSON."""
        write_json(target, self.everything_known)

    def moodle(self, target: Path) -> None:
        """Write a grading worksheet for Moodle."""
        write_text(target, moodle_csv(self.report))

    def canvas(self, target: Path) -> None:
        """Write a gradebook for Canvas."""
        write_text(target, canvas_csv(self.report))

    def blackboard(self, target: Path) -> None:
        """Write a file of grades for Blackboard."""
        write_text(target, blackboard_csv(self.report))

    def brightspace(self, target: Path) -> None:
        """Write a file of grades for Brightspace."""
        write_text(target, brightspace_csv(self.report))

    def moodle_feedback(self, target: Path) -> None:
        """Write a zip of feedback files for Moodle."""
        write_bytes(target, moodle_feedback_zip(self.report))

    def junit(self, target: Path) -> None:
        """Write JUnit XML, one suite per submission."""
        write_text(target, junit_xml(self.report.rows, self.report))

    def items(self, target: Path) -> None:
        """Write submissions with their clusters, to be evaluated."""
        write_text(target, items_jsonl(self.report))

    def feedback(self, target: Path) -> None:
        """Write a Markdown file for each student."""
        with ExportFolder(target) as folder:
            for row in self.report.rows:
                folder.write(f"{self._names[row.row_id]}.md", _feedback(row, self.report, self.history))

    def student_pages(self, target: Path) -> None:
        """Write a page for each student."""
        with ExportFolder(target) as folder:
            for row in self.report.rows:
                folder.write(f"{self._names[row.row_id]}.html", student_page(row, self.report))

    def gradescope(self, target: Path) -> None:
        """Write a folder with a ``results.json`` for each submission."""
        self._results(target, gradescope_results)

    def prairielearn(self, target: Path) -> None:
        """Write a folder with a ``results.json`` for each submission."""
        self._results(target, prairielearn_results)

    def _results(self, target: Path, results_of: Callable[[ClassRow, ClassReport], dict[str, Any]]) -> None:
        with ExportFolder(target) as folder:
            for row in self.report.rows:
                if row.outcome is not RowOutcome.ABSENT:
                    folder.write(f"{self._names[row.row_id]}/results.json", as_json(results_of(row, self.report)))

    def github(self, target: Path) -> None:
        """Write results for GitHub Classroom: all in a ``.json`` file, or each in its own file within a folder."""
        results = {row.row_id: github_results(row, self.report) for row in self.report.rows}
        if target.suffix == ".json":
            write_json(target, results)
            return
        with ExportFolder(target) as folder:
            for row_id, result in results.items():
                folder.write(f"{self._names[row_id]}.json", as_json(result))

    def platforms(self, target: Path) -> None:
        """Write results for Gradescope, GitHub Classroom and PrairieLearn."""
        self.gradescope(target / "gradescope")
        self.prairielearn(target / "prairielearn")
        self.github(target / "github")

    def everything(self, target: Path) -> None:
        """Write all of these to a folder."""
        self.page(target / "class.html")
        self.table(target / "class.csv")
        self.data(target / "class.json")
        self.moodle(target / "moodle.csv")
        self.canvas(target / "canvas.csv")
        self.blackboard(target / "blackboard.csv")
        self.brightspace(target / "brightspace.csv")
        if has_participants(self.report):
            self.moodle_feedback(target / "moodle-feedback.zip")
        self.junit(target / "junit.xml")
        self.feedback(target / "feedback")
        self.student_pages(target / "pages")
        self.platforms(target)


CLASS_FORMS: dict[str, tuple[str, Callable[[ClassExport, Path], None]]] = {
    "page": (".html", ClassExport.page),
    "table": (".csv", ClassExport.table),
    "data": (".json", ClassExport.data),
    "moodle": ("-moodle.csv", ClassExport.moodle),
    "canvas": ("-canvas.csv", ClassExport.canvas),
    "blackboard": ("-blackboard.csv", ClassExport.blackboard),
    "brightspace": ("-brightspace.csv", ClassExport.brightspace),
    "moodle_feedback": ("-moodle-feedback.zip", ClassExport.moodle_feedback),
    "junit": (".xml", ClassExport.junit),
    "items": (".jsonl", ClassExport.items),
    "feedback": ("-feedback", ClassExport.feedback),
    "student_pages": ("-pages", ClassExport.student_pages),
    "gradescope": ("-gradescope", ClassExport.gradescope),
    "github": ("-github", ClassExport.github),
    "prairielearn": ("-prairielearn", ClassExport.prairielearn),
    "platforms": ("-platforms", ClassExport.platforms),
    "everything": ("", ClassExport.everything),
}
"""The forms of an export: the end of each one's name, and the method that writes it."""


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON.

    Raises:
        UsageError: It can't be written.
    """
    write_text(path, as_json(data))


def as_json(data: Any) -> str:
    """Format data as JSON, for people and programs."""
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"


def file_names(row_ids: Iterable[str]) -> dict[str, str]:
    """Return a file name for each row: without folders, not hidden, and distinct even if case is ignored."""
    names: dict[str, str] = {}
    used_names: set[str] = set()
    for row_id in row_ids:
        base = name = _shorten(_UNSAFE.sub("_", row_id).strip("._")) or "row"
        count = 1
        while name.casefold() in used_names:
            count += 1
            name = f"{base}-{count}"
        used_names.add(name.casefold())
        names[row_id] = name
    return names


def _shorten(name: str) -> str:
    """Return as many whole characters as fit."""
    return name.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")


def _feedback(row: ClassRow, report: ClassReport, history: History) -> str:
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
