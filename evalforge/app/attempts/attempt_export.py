"""Exports an attempt in a chosen form to the player's folder, without overwriting a file."""

from evalforge.app.core.game_app import GameApp
from evalforge.app.screens.choose import ChooseScreen, keys_of
from evalforge.app.ui.text.paths import problem, short
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean, clean_line
from evalforge.packs.atomic_files import unused_path, write_bytes
from evalforge.packs.private_files import make_private_folders

_PICTURES = ("card", "picture", "recording")
"""Forms that only a judged attempt has."""
_FORMS = (
    ("m", "markdown", "a report in words"),
    ("j", "json", "everything, as JSON"),
    ("c", "card", "a card to share, as SVG"),
    ("p", "picture", "the same card as PNG"),
    ("r", "recording", "the fight as a moving picture, as SVG"),
)


class ExportScreen(ChooseScreen):
    """Asks for a form; the result is a kind of file, or None. Only a judged attempt has a card."""

    BINDINGS = keys_of(_FORMS, "export")

    def __init__(self, attempt: Attempt, folder: str) -> None:
        self._judged = attempt.result is not None
        forms = [form for form in _FORMS if self._judged or form[1] not in _PICTURES]
        note = f"It goes to {clean(folder)}; nothing there is overwritten."
        super().__init__("Export as", forms, note)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the keys of forms that aren't available."""
        return self._judged or parameters[0] not in _PICTURES


def export_attempt(game: GameApp, attempt: Attempt, kind: str) -> None:
    """Export an attempt in a format, and show where the file is, or why it could not be written."""
    from evalforge.reports.export import ATTEMPT_FORMATS, AttemptExport

    history = game.session.history()
    if history is None:
        return
    ending, writer = ATTEMPT_FORMATS[kind]
    try:
        row, pack = history.row(attempt.id), game.session.load_boss(attempt.boss_id)
        exported = AttemptExport(attempt, pack, row.own_number if row else 0, history.receipt(attempt.id))
        folder = game.session.services.starter_folder.absolute()
        make_private_folders(folder)
        path = unused_path(folder, f"evalforge-{attempt.boss_id}-{attempt.id}", ending)
        write_bytes(path, writer(exported))
    except (OSError, EvalForgeError) as error:
        game.notify(problem(error), title="Nothing was written", severity="error", markup=False)
        return
    game.notify(clean_line(short(path)), title="Written", markup=False)


def open_export(game: GameApp, attempt: Attempt) -> None:
    """Ask for a form, and export the attempt in it."""

    def export(kind: str | None) -> None:
        if kind:
            export_attempt(game, attempt, kind)

    folder = game.session.services.starter_folder.absolute()
    game.push_screen(ExportScreen(attempt, short(folder)), export)
