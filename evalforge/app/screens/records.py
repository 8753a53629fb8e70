"""The frame of lists of what was made before: a heading, a sentence, and the list, read again whenever it is shown."""

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose


class RecordsScreen(GameScreen):
    """A list of records. Subclasses read them, and open the one that ``Rows.Opened`` names."""

    def read_records(self) -> None:
        """Read the records and show them by ``show_records``."""
        raise NotImplementedError

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the sentence and the list."""
        yield Heading(id="heading")
        yield Prose(id="words")
        yield Rows(id="records")

    def on_mount(self) -> None:
        """Show the records."""
        self.read_records()
        self.query_one(Rows).focus()

    def on_screen_resume(self) -> None:
        """Read the records again, because there may be a new one."""
        if self.is_mounted:
            self.read_records()

    def show_records(self, title: Sequence[Run], note: str, sentence: str, rows: Sequence[Row]) -> None:
        """Show what the list is about, a note at the right end of its heading, and its rows."""
        self.query_one(Heading).set_text(title, [(note, "dim")])
        self.query_one("#words", Prose).set_text(styled((sentence, "dim")))
        self.query_one(Rows).show(rows)
        self.refresh_bindings()
