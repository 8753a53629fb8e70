"""Runs the player's own editor, which has the terminal to itself until it ends."""

import subprocess
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.dom import DOMNode

from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.theme.look import app_of
from evalforge.evidence.static.source import is_test_file
from evalforge.model.submission import Submission
from evalforge.model.text import clean_line


def edit(node: DOMNode, file: Path, line: int | None) -> bool:
    """Open a file at a line; show a message if that isn't possible, or if the editor fails.

    Returns:
        Whether the editor ran.
    """
    app, command = app_of(node), external_editor.editor()
    place = clean_line(f"{short(file)}:{line}" if line else short(file))
    if not command:
        app.notify(place, title="No editor found: set VISUAL or EDITOR", markup=False)
        return False
    try:
        with app.suspend():
            status = subprocess.run(external_editor.command(command, file, line), check=False).returncode
    except SuspendNotSupported:
        app.notify(place, title="No editor can be opened from here", markup=False)
    except OSError as error:
        app.notify(problem(error), title="The editor did not start", severity="warning", markup=False)
    else:
        if status:
            failure = f"{Path(command[0]).name} ended with status {status}."
            app.notify(clean_line(failure), severity="warning", markup=False)
        return True
    return False


def edit_tests(node: DOMNode, directory: Path, submission: Submission) -> bool:
    """Open the longest of a folder's test files at its end, to write one more test; show a message if there is none.

    Returns:
        Whether the editor ran.
    """
    tests = [file for file in submission.files if is_test_file(file.path)]
    longest = max(tests, key=lambda file: len(file.content), default=None)
    file = external_editor.find(str(directory), longest.path) if longest else None
    if longest is None or file is None:
        folder = clean_line(short(directory))
        app_of(node).notify(
            f"Create one in {folder}, such as tests/test_it.py.", title="No test file yet", markup=False
        )
        return False
    return edit(node, file, longest.content.count("\n") + 1)
