"""Gradebooks for import into Moodle, Canvas, Blackboard and Brightspace. A row without a score has no grade.

Sources of the formats: Moodle's offline grading worksheet (``mod/assign/feedback/offline/importgradeslib.php``: a
participant's number under *Identifier*, then *Grade* and a column for each kind of feedback); Canvas's gradebook CSV
(https://community.canvaslms.com, "How do I import grades in the Gradebook?": *Student, ID, SIS User ID, SIS Login ID,
Section*, a column for each assignment, and a row *Points Possible*); Blackboard's upload of grades
(https://help.blackboard.com, "Work Offline with Grade Data": *Username* and a column for each item, every cell quoted);
Brightspace's import of grades (https://community.d2l.com/brightspace/kb/articles/3538-importing-grades: *OrgDefinedId*
or *Username*, and the grade item's name before *Points Grade*; https://kb.wisc.edu/4330 on the ``#`` before ids, which
keeps a spreadsheet from changing them, and in the last column, which ends a row without a grade).
"""

import html
import re
from collections.abc import Iterable, Iterator

from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.export.student_text import summary_sentences
from evalforge.classroom.export.tables import quoted_csv
from evalforge.classroom.hand_in import Person
from evalforge.classroom.report import ClassReport
from evalforge.model.text import clean_whole
from evalforge.reports.spreadsheet import FORMULA_START, Cell

_CODE_SPAN = re.compile(r"`([^`]+)`")
_SEPARATOR_AND_SIGN = re.compile(rf"(?:{FORMULA_START.pattern})" + r"(?P<lead>[\s\"]*)(?P<sign>.)", re.DOTALL)


def moodle_csv(report: ClassReport) -> str:
    """Moodle's grading worksheet."""
    headings = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
    return quoted_csv(
        headings, (cells for row in report.rows for cells in _moodle_cells(row, report)), raw_columns=(5,)
    )


def _moodle_cells(row: ClassRow, report: ClassReport) -> Iterator[list[Cell]]:
    comments = _html_comments(summary_sentences(row, report))
    for person in people_of(row):
        identifier = f"Participant {person.number}" if person.number else person.student_id or row.row_id
        yield [identifier, person.name or row.title, person.email, *_grade(row, report), comments]


def _html_comments(sentences: Iterable[str]) -> str:
    """Sentences as HTML, which is how Moodle shows them; none begins like a spreadsheet formula."""
    text = "<br>".join(
        _CODE_SPAN.sub(r"<code>\1</code>", html.escape(clean_whole(message), quote=False)) for message in sentences
    )
    # Each sign as an entity: Moodle shows the sign itself, but would also show an apostrophe before it.
    while match := _SEPARATOR_AND_SIGN.search(text):
        start, end = match.span("sign")
        text = f"{text[:start]}&#{ord(match['sign'])};{text[end:]}"
    return text


def canvas_csv(report: ClassReport) -> str:
    """Canvas's gradebook, for import there; people are identified by Canvas's own id, SIS id or login."""
    assignment = report.boss_title
    headings = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment]
    highest = report.grading.maximum if report.grading else report.score_max
    possible: list[Cell] = ["    Points Possible", "", "", "", "", float(highest)]
    rows = ([*_canvas_person(row, person), _grade(row, report)[0]] for row in report.rows for person in people_of(row))
    return quoted_csv(headings, [possible, *rows])


def _canvas_person(row: ClassRow, person: Person) -> list[Cell]:
    own_id = person.number if row.platform == "canvas" else ""
    return [person.name or row.title, own_id, person.student_id, person.email, ""]


def blackboard_csv(report: ClassReport) -> str:
    """A file of grades for Blackboard's upload; people are identified by user name."""
    headings = ["Username", "Name", report.boss_title, "Feedback to Learner", "Feedback Format"]
    rows: list[list[Cell]] = []
    for row in report.rows:
        comments = _html_comments(summary_sentences(row, report))
        for person in people_of(row):
            identity = [person.student_id or row.row_id, person.name or row.title]
            rows.append([*identity, _grade(row, report)[0], comments, "HTML"])
    return quoted_csv(headings, rows, raw_columns=(3,))


def brightspace_csv(report: ClassReport) -> str:
    """Build a file of grades for Brightspace. An id of digits is taken for the *OrgDefinedId*, others for the login."""
    headings = ["OrgDefinedId", "Username", f"{report.boss_title} Points Grade", "End-of-Line Indicator"]
    rows: list[list[Cell]] = []
    for row in report.rows:
        for person in people_of(row):
            identifier = f"#{person.student_id or row.row_id}"
            ids: tuple[Cell, Cell] = (identifier, "") if identifier[1:].isdecimal() else ("", identifier)
            rows.append([*ids, _grade(row, report)[0], "#"])
    return quoted_csv(headings, rows)


def people_of(row: ClassRow) -> tuple[Person, ...]:
    """Everybody who gets the grade of a row: each member of a group."""
    return row.members or (Person(row.name, row.student_id, row.email, number=row.number),)


def _grade(row: ClassRow, report: ClassReport) -> tuple[Cell, Cell]:
    """The grade (None without a score), and the highest possible grade."""
    if row.grade:
        return row.grade.points, row.grade.maximum
    return (row.result.score_total if row.result else None), report.score_max
