"""The zip that Moodle distributes: each student's page as a feedback file of their submission.

Moodle finds the student by the folder's name, which is that of its own download: full name, participant's number and
plugin, separated by underscores (``is_valid_filename_for_import`` in ``mod/assign/feedback/file/importziplib.php``).
"""

import io
import re
import zipfile

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.export.gradebooks import people_of
from evalforge.classroom.export.html_page import student_page
from evalforge.classroom.hand_in import Person
from evalforge.classroom.report import ClassReport
from evalforge.model.errors import UsageError

_FILE_NAME = "feedback.html"
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f_/\\:*?"<>|]+')
_WRITTEN_AT = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold: the same feedback gives the same bytes."""


def moodle_feedback_zip(report: ClassReport) -> bytes:
    """Build the zip with a page for everybody whose participant's number is known.

    Raises:
        UsageError: Nobody's is.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in report.rows:
            for person in _participants(row):
                info = zipfile.ZipInfo(f"{_folder_name(person, row)}/{_FILE_NAME}", _WRITTEN_AT)
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, student_page(row, report))
        is_empty = not archive.namelist()
    if is_empty:
        raise UsageError(
            "No participant's number is known, so Moodle can't match any feedback: judge the folder that"
            " Moodle downloads, or give its grading worksheet as --roster."
        )
    return packed.getvalue()


def has_participants(report: ClassReport) -> bool:
    """Whether anybody's participant's number is known."""
    return any(True for row in report.rows for _ in _participants(row))


def _participants(row: ClassRow) -> list[Person]:
    # Another platform's number would be a stranger's in Moodle.
    if row.platform not in ("moodle", "") or not row.attempt_id:
        return []
    return [person for person in people_of(row) if person.number.isdecimal()]


def _folder_name(person: Person, row: ClassRow) -> str:
    name = " ".join(_NOT_IN_A_NAME.sub(" ", person.name or row.title).split()).lstrip(". ") or "Participant"
    return f"{name}_{person.number}_assignsubmission_file_"
