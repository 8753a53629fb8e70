"""What is written of a class, and where to."""

import os
from argparse import Namespace
from pathlib import Path

from evalforge.classroom.export.forms import CLASS_FORMS, ClassExport
from evalforge.cli import output
from evalforge.model.errors import UsageError
from evalforge.packs.path_checks import exists, folder_fault, is_folder

FOLDERS = ("feedback", "gradescope")
FORMS = {"csv": "table", "json": "data", "html": "page", "moodle": "moodle", "items": "items"}
"""The form that each option for a file writes."""


def check(arguments: Namespace) -> None:
    """See that exports can be written where they are wanted, before a class is judged overnight.

    Raises:
        UsageError: One can't.
    """
    taken: dict[str, str] = {}
    for name in (*FORMS, *FOLDERS, "github"):
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


def export(arguments: Namespace, exported: ClassExport) -> None:
    """Write what was asked for.

    Raises:
        UsageError: Something can't be written.
    """
    wanted = {name: path for name in (*FORMS, *FOLDERS, "github") if (path := getattr(arguments, name))}
    for name, path in wanted.items():
        _, writer = CLASS_FORMS[FORMS.get(name, name)]
        writer(exported, path)
    if wanted:
        output.print_note(f"written: {', '.join(map(str, wanted.values()))}")
