"""In which form a class is handed out."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.widgets.key_bar import KeyBar
from evalforge.app.widgets.panel import Prose
from evalforge.model.text import clean

_FORMS = (
    ("a", "everything", "all of these, in a folder"),
    ("h", "page", "a page with plots that needs nothing else (HTML)"),
    ("c", "table", "a table, one row for each hand-in (CSV)"),
    ("j", "data", "everything, as data (JSON)"),
    ("f", "feedback", "a Markdown file for each student"),
    ("m", "moodle", "a grading worksheet for Moodle"),
    ("p", "platforms", "results for Gradescope and GitHub Classroom"),
)


class ClassExportScreen(ModalScreen[str]):
    """Lies over the class; answers with a form, or nothing."""

    CSS_PATH = "class_export.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"dismiss('{kind}')", kind, show=False, id=f"class-export.{kind}") for key, kind, _ in _FORMS),
        Binding("escape", "dismiss('')", "never mind", id="class-export.close"),
    ]

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder

    def compose(self) -> ComposeResult:
        """The choice in a box."""
        with Vertical(id="class-export-box") as box:
            box.border_title = Content("Hand the class out as")
            parts = [part for key, _, words in _FORMS for part in ((f"{key} ", "bold $ember"), (f"{words}\n", "$ash"))]
            told = f"\nIt goes to {clean(self._folder)}; nothing there is overwritten. Levels you set count."
            yield Prose(Content.assemble(*parts, (told, "$dim")))
            yield KeyBar()
