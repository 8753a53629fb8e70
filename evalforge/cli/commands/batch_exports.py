"""Which exports of a class are written, and where."""

import os
from argparse import Namespace
from pathlib import Path

from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.export.forms import CLASS_FORMS, ClassExport
from evalforge.cli import output
from evalforge.model.errors import UsageError
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import exists, folder_fault, is_folder
from evalforge.packs.private_files import can_others_read
from evalforge.reports.pipelines.formats import PIPELINE_FORMATS
from evalforge.reports.pipelines.judged_folder import JudgedFolder

FOLDERS = ("feedback", "student_pages", "gradescope", "prairielearn")
FORMS = {
    "csv": "table",
    "json": "data",
    "html": "page",
    "moodle": "moodle",
    "canvas": "canvas",
    "blackboard": "blackboard",
    "brightspace": "brightspace",
    "moodle_feedback": "moodle_feedback",
    "junit": "junit",
    "items": "items",
}
"""The export that each file option writes."""


def check(arguments: Namespace) -> None:
    """Check that exports can be written to their destinations before a class is judged overnight.

    Raises:
        UsageError: A destination can't be written.
    """
    option_by_target: dict[str, str] = {}
    for attribute in (*FORMS, *FOLDERS, "github"):
        path: Path | None = getattr(arguments, attribute)
        if path is None:
            continue
        option = attribute.replace("_", "-")
        wants_folder = attribute in FOLDERS or (attribute == "github" and path.suffix != ".json")
        if wants_folder and arguments.place.absolute() in (path.absolute(), *path.absolute().parents):
            raise UsageError(f"--{option} {path}: inside the class's folder it would be taken for a submission.")
        if exists(path) and is_folder(path) != wants_folder:
            kind = "a folder" if wants_folder else "a file"
            raise UsageError(f"--{option} {path}: {kind} is needed here.")
        if not wants_folder and (other := option_by_target.setdefault(os.path.realpath(path), option)) != option:
            raise UsageError(f"--{other} and --{option} would both be written to {path}.")
        parent = path.absolute().parent
        if not wants_folder and not is_folder(parent):
            raise UsageError(f"--{option} {path}: the folder {path.parent} {folder_fault(parent)}.")


def export(arguments: Namespace, exported: ClassExport) -> None:
    """Write the requested exports.

    Raises:
        UsageError: An export can't be written.
    """
    paths_by_form = {name: path for name in (*FORMS, *FOLDERS, "github") if (path := getattr(arguments, name))}
    for name, path in paths_by_form.items():
        _, writer = CLASS_FORMS[FORMS.get(name, name)]
        writer(exported, path)
    if paths_by_form:
        output.print_note(f"written: {', '.join(map(str, paths_by_form.values()))}")
    if open_paths := [str(path) for path in paths_by_form.values() if can_others_read(path)]:
        # Somebody may want this, such as on a web server; an earlier version wrote every export so.
        output.print_note(f"Other users of this machine can read {', '.join(open_paths)}, as they could before.")


def print_class(form: str, exported: ClassExport, pack: BossPack) -> None:
    """Print a class in a format for other programs.

    Args:
        form: A value of ``--format``, other than ``text``.
        exported: The class.
        pack: The boss that the class was judged against.
    """
    if form == "json":
        output.print_json(exported.everything_known)
        return
    output.print_document(PIPELINE_FORMATS[form](judged_folders(exported, pack)))


def judged_folders(exported: ClassExport, pack: BossPack) -> list[JudgedFolder]:
    """Convert a class for the pipeline formats."""
    return [_judged_folder(row, exported, pack) for row in exported.report.rows if row.outcome is not RowOutcome.ABSENT]


def _judged_folder(row: ClassRow, exported: ClassExport, pack: BossPack) -> JudgedFolder:
    """Convert a row for the pipeline formats, without findings for levels that a person changed."""
    attempt = exported.history.get(row.attempt_id) if row.result and row.attempt_id else None
    changed = {override.criterion_id for override in row.revised.in_force} if row.revised else set[str]()
    judgements = (
        tuple(judgement for judgement in attempt.judgements if judgement.criterion_id not in changed) if attempt else ()
    )
    return JudgedFolder(
        row.title,
        Path(row.source),
        exported.report.boss_title,
        pack.rubric,
        "" if Path(row.source).is_file() else pack.entry_file,
        row.result,
        judgements,
        row.reason,
    )
