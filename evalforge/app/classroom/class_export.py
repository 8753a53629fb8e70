"""The dialog for the form in which a class is exported."""

from evalforge.app.screens.choose import ChooseScreen, keys_of
from evalforge.model.text import clean

_FORMS = (
    ("a", "everything", "all of these, in a folder"),
    ("h", "page", "a self-contained page with plots (HTML)"),
    ("c", "table", "a table with one row per submission (CSV)"),
    ("j", "data", "everything, as data (JSON)"),
    ("f", "feedback", "a Markdown file for each student"),
    ("m", "moodle", "a grading worksheet for Moodle"),
    ("n", "canvas", "a gradebook for Canvas"),
    ("b", "blackboard", "a file of grades for Blackboard"),
    ("d", "brightspace", "a file of grades for Brightspace"),
    ("p", "platforms", "results for Gradescope and GitHub Classroom"),
)


class ClassExportScreen(ChooseScreen):
    """Asks over the class's screen for a form; the result is the form, or None."""

    BINDINGS = keys_of(_FORMS, "class-export")

    def __init__(self, folder: str) -> None:
        note = f"It goes to {clean(folder)}; nothing there is overwritten. Levels you set count."
        super().__init__("Export the class as", _FORMS, note)
