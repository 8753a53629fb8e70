"""In which form a class is handed out."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.widgets.key_bar import KeyBar
from evalforge.app.widgets.panel import Prose
from evalforge.app.widgets.rows import Rows, choice
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
        *(
            Binding(key, f"dismiss('{kind}')", kind, show=False, priority=True, id=f"class-export.{kind}")
            for key, kind, _ in _FORMS
        ),
        Binding("escape", "dismiss('')", "never mind", id="class-export.close"),
    ]

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder

    def compose(self) -> ComposeResult:
        """The choice in a box."""
        with Vertical(id="class-export-box") as box:
            box.border_title = Content("Hand the class out as")
            yield Rows("hand out", id="forms")
            told = f"It goes to {clean(self._folder)}; nothing there is overwritten. Levels you set count."
            yield Prose(Content.assemble((told, "$dim")))
            yield KeyBar()

    def on_mount(self) -> None:
        """Offer them."""
        forms = self.query_one(Rows)
        forms.show([choice(kind, key, words) for key, kind, words in _FORMS])
        forms.focus()

    @on(Rows.Opened)
    def _take(self, event: Rows.Opened) -> None:
        self.dismiss(event.key)
