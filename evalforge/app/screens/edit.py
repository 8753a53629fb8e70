"""Runs the player's own editor, which has the terminal to itself until it ends."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import SuspendNotSupported
from textual.dom import DOMNode

from evalforge.app.screens.ask import AskScreen
from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.theme.look import app_of
from evalforge.evidence.static.source import is_test_file
from evalforge.model.evidence import Finding
from evalforge.model.submission import Submission
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp

_EDITOR_NOTE = "VISUAL and EDITOR name none here. A command such as nano, or: code --wait. It is kept in the settings."


def edit(node: DOMNode, file: Path, line: int | None, then: Callable[[], object] | None = None) -> None:
    """Open a file at a line in the chosen editor, else in the environment's, else ask for one and keep the answer.

    A message is shown if that isn't possible, or if the editor fails.

    Args:
        node: Where the file was chosen.
        file: The file.
        line: Counts from 1; None for where the editor begins.
        then: Called once the editor has ended.
    """
    game = cast("GameApp", app_of(node))
    chosen = game.session.services.editor
    command = external_editor.command_words(chosen) if chosen else external_editor.environment_editor()

    def keep(answer: str | None) -> None:
        if answer is None:
            return
        if external_editor.command_words(answer):
            game.change_setting("editor", answer)
            edit(node, file, line, then)
        else:
            game.notify(clean_line(f"{answer or 'Nothing'} can't be run here."), severity="warning", markup=False)

    if not command:
        suggestion = chosen or external_editor.installed_editor()
        game.push_screen(AskScreen("Which editor?", suggestion, _EDITOR_NOTE), keep)
        return
    place = clean_line(f"{short(file)}:{line}" if line else short(file))
    try:
        with game.suspend():
            status = subprocess.run(external_editor.command(command, file, line), check=False).returncode
    except SuspendNotSupported:
        game.notify(place, title="No editor can be opened from here", markup=False)
        return
    except OSError as error:
        game.notify(problem(error), title="The editor did not start", severity="warning", markup=False)
        return
    if status:
        failure = f"{Path(command[0]).name} ended with status {status}."
        game.notify(clean_line(failure), severity="warning", markup=False)
    if then is not None:
        then()


def edit_place(node: DOMNode, directory: str | Path, place: Finding) -> None:
    """Open a place of a submission in its folder; show a message if the file isn't there any more."""
    file = external_editor.find(str(directory), place.path)
    if file is None:
        message = f"{place.path} is not in {short(directory)} any more."
        app_of(node).notify(clean_line(message), severity="warning", markup=False)
    else:
        edit(node, file, place.line)


def edit_tests(node: DOMNode, directory: Path, submission: Submission) -> None:
    """Open the longest of a folder's test files at its end, to write one more test; show a message if there is none."""
    tests = [file for file in submission.files if is_test_file(file.path)]
    longest = max(tests, key=lambda file: len(file.content), default=None)
    file = external_editor.find(str(directory), longest.path) if longest else None
    if longest is None or file is None:
        folder = clean_line(short(directory))
        app_of(node).notify(
            f"Create one in {folder}, such as tests/test_it.py.", title="No test file yet", markup=False
        )
        return
    edit(node, file, longest.content.count("\n") + 1)
