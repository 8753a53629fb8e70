"""A class handed out, each time under a name of its own: nothing that is there is written over."""

from collections.abc import Callable
from pathlib import Path

from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.export.feedback import feedback
from evalforge.classroom.export.files import file_names, write, write_json
from evalforge.classroom.export.html_page import class_page
from evalforge.classroom.export.platform_results import github_results, gradescope_results
from evalforge.classroom.export.tables import class_csv, moodle_csv
from evalforge.classroom.report import ClassReport
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.packs.path_checks import exists

Writer = Callable[[Path, ClassReport, History], None]
_NAMES_TRIED = 1_000


def export_class(kind: str, folder: Path, place: Path, report: ClassReport, history: History) -> Path:
    """Write a class in one form.

    Args:
        kind: One of ``KINDS``.
        folder: Where to; beside the class where that would lie within it, or it would be taken for a hand-in.
        place: Where the class lies.
        report: The class.
        history: Where its attempts are.

    Returns:
        The file or folder.

    Raises:
        UsageError: It can't be written.
    """
    ending, writer = KINDS[kind]
    if place.absolute() in (folder.absolute(), *folder.absolute().parents):
        folder = place.absolute().parent
    target = _fresh(folder, f"evalforge-class-{report.boss_id}-{report.run}", ending)
    writer(target, report, history)
    return target


def _fresh(folder: Path, stem: str, ending: str) -> Path:
    for count in range(1, _NAMES_TRIED):
        path = folder / f"{stem}{f'-{count}' if count > 1 else ''}{ending}"
        if not exists(path):
            return path
    raise UsageError(f"{stem} was exported too often.", f"Make room in {folder}.")


def _page(target: Path, report: ClassReport, _: History) -> None:
    write(target, class_page(report))


def _table(target: Path, report: ClassReport, _: History) -> None:
    # With a mark, or spreadsheets take names for another alphabet.
    write(target, class_csv(report), "utf-8-sig")


def _data(target: Path, report: ClassReport, _: History) -> None:
    write_json(target, report.model_dump(mode="json"))


def _moodle(target: Path, report: ClassReport, _: History) -> None:
    write(target, moodle_csv(report))


def _feedback(target: Path, report: ClassReport, history: History) -> None:
    names = file_names(row.row_id for row in report.rows)
    for row in report.rows:
        write(target / f"{names[row.row_id]}.md", feedback(row, report, history))


def _platforms(target: Path, report: ClassReport, _: History) -> None:
    names = file_names(row.row_id for row in report.rows)
    for row in report.rows:
        if row.outcome is not RowOutcome.ABSENT:
            write_json(target / "gradescope" / names[row.row_id] / "results.json", gradescope_results(row, report))
        write_json(target / "github" / f"{names[row.row_id]}.json", github_results(row, report))


def _everything(target: Path, report: ClassReport, history: History) -> None:
    _page(target / "class.html", report, history)
    _table(target / "class.csv", report, history)
    _data(target / "class.json", report, history)
    _moodle(target / "moodle.csv", report, history)
    _feedback(target / "feedback", report, history)
    _platforms(target, report, history)


KINDS: dict[str, tuple[str, Writer]] = {
    "page": (".html", _page),
    "table": (".csv", _table),
    "data": (".json", _data),
    "moodle": ("-moodle.csv", _moodle),
    "feedback": ("-feedback", _feedback),
    "platforms": ("-platforms", _platforms),
    "everything": ("", _everything),
}
"""Form of an export: how its name ends, and who writes it."""
