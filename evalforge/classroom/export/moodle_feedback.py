"""The zip that Moodle distributes: each student's page as a feedback file of their submission.

Moodle finds the student by the folder's name, which is that of its own download: full name, participant's number and
plugin, separated by underscores (``is_valid_filename_for_import`` in ``mod/assign/feedback/file/importziplib.php``).
"""

import re

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.export.gradebooks import people_of
from evalforge.classroom.export.html_page import student_page
from evalforge.classroom.hand_in import Person
from evalforge.classroom.report import ClassReport
from evalforge.model.errors import UsageError
from evalforge.packs.zip_files import zip_files

_FILE_NAME = "feedback.html"
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f_/\\:*?"<>|]+')


def moodle_feedback_zip(report: ClassReport) -> bytes:
    """Build the zip with a page for everybody whose participant's number is known.

    Raises:
        UsageError: Nobody's is.
    """
    files: dict[str, bytes] = {}
    for row in report.rows:
        if people := _participants(row):
            page = student_page(row, report).encode()
            files |= {f"{_folder_name(person, row)}/{_FILE_NAME}": page for person in people}
    if not files:
        raise UsageError(
            "No participant's number is known, so Moodle can't match any feedback: judge the folder that"
            " Moodle downloads, or give its grading worksheet as --roster."
        )
    return zip_files(files)


def has_participants(report: ClassReport) -> bool:
    """Whether anybody's participant's number is known."""
    return any(map(_participants, report.rows))


def _participants(row: ClassRow) -> list[Person]:
    # Another platform's number would be a stranger's in Moodle.
    if row.platform not in ("moodle", "") or not row.attempt_id:
        return []
    return [person for person in people_of(row) if person.number.isdecimal()]


def _folder_name(person: Person, row: ClassRow) -> str:
    name = " ".join(_NOT_IN_A_NAME.sub(" ", person.name or row.title).split()).lstrip(". ") or "Participant"
    return f"{name}_{person.number}_assignsubmission_file_"
