"""What is written of a class, and where to."""

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.cluster_items import items_jsonl
from evalforge.classroom.export.feedback import feedback
from evalforge.classroom.export.files import file_names, write, write_json
from evalforge.classroom.export.html_page import class_page
from evalforge.classroom.export.platform_results import github_results, gradescope_results
from evalforge.classroom.export.tables import class_csv, moodle_csv
from evalforge.classroom.report import ClassReport
from evalforge.cli import output
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.packs.path_checks import exists, folder_fault, is_folder

if TYPE_CHECKING:
    from evalforge.classroom.cluster_coherence import Coherence

FOLDERS = ("feedback", "gradescope")
FILES = ("csv", "json", "html", "moodle", "items")


def check(arguments: Namespace) -> None:
    """See that exports can be written where they are wanted, before a class is judged overnight.

    Raises:
        UsageError: One can't.
    """
    taken: dict[str, str] = {}
    for name in (*FILES, *FOLDERS, "github"):
        path: Path | None = getattr(arguments, name)
        if path is None:
            continue
        wants_folder = name in FOLDERS or (name == "github" and path.suffix != ".json")
        if wants_folder and arguments.place.absolute() in (path.absolute(), *path.absolute().parents):
            raise UsageError(f"--{name} {path}: within the class's own folder it would be taken for a hand-in.")
        if exists(path) and is_folder(path) != wants_folder:
            kind = "a folder" if wants_folder else "a file"
            raise UsageError(f"--{name} {path}: {kind} is needed here.")
        if not wants_folder and (other := taken.setdefault(os.path.realpath(path), name)) != name:
            raise UsageError(f"--{other} and --{name} would both be written to {path}.")
        parent = path.absolute().parent
        if not wants_folder and not is_folder(parent):
            raise UsageError(f"--{name} {path}: the folder {path.parent} {folder_fault(parent)}.")


def export(arguments: Namespace, report: ClassReport, history: History, coherence: "Coherence | None" = None) -> None:
    """Write what was asked for.

    Args:
        arguments: What was asked for, and where to.
        report: The class.
        history: Where its attempts are.
        coherence: What a model said of its clusters; None if none was asked.

    Raises:
        UsageError: Something can't be written.
    """
    if arguments.csv:
        # With a mark, or spreadsheets take names for another alphabet.
        write(arguments.csv, class_csv(report), "utf-8-sig")
    if arguments.json:
        opinion = {"coherence": coherence.model_dump(mode="json")} if coherence else {}
        write_json(arguments.json, {**report.model_dump(mode="json"), **opinion})
    if arguments.html:
        write(arguments.html, class_page(report, coherence))
    if arguments.moodle:
        write(arguments.moodle, moodle_csv(report))
    if arguments.items:
        write(arguments.items, items_jsonl(report))
    _for_each(arguments, report, history)
    told = [str(path) for name in (*FILES, *FOLDERS, "github") if (path := getattr(arguments, name))]
    if told:
        output.print_note(f"written: {', '.join(told)}")


def _for_each(arguments: Namespace, report: ClassReport, history: History) -> None:
    names = file_names(row.row_id for row in report.rows)
    github: Path | None = arguments.github
    together = github is not None and github.suffix == ".json"
    if github is not None and together:
        write_json(github, {row.row_id: github_results(row, report) for row in report.rows})
    for row in report.rows:
        name = names[row.row_id]
        if arguments.feedback:
            write(arguments.feedback / f"{name}.md", feedback(row, report, history))
        if arguments.gradescope and row.outcome is not RowOutcome.ABSENT:
            write_json(arguments.gradescope / name / "results.json", gradescope_results(row, report))
        if github is not None and not together:
            write_json(github / f"{name}.json", github_results(row, report))
