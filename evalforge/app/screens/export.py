"""Hand an attempt out: which form, and where it went."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.widgets.key_bar import KeyBar
from evalforge.app.widgets.panel import Prose
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt


class ExportScreen(ModalScreen[str]):
    """Lies over the screen that asks; answers with a kind of file, or nothing."""

    CSS_PATH = "export.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "dismiss('markdown')", "Markdown", id="export.markdown"),
        Binding("j", "dismiss('json')", "JSON", id="export.json"),
        Binding("c", "take_card", "card", id="export.card"),
        Binding("escape", "dismiss('')", "never mind", id="export.close"),
    ]

    def __init__(self, attempt: "Attempt", folder: str) -> None:
        super().__init__()
        self._attempt, self._folder = attempt, folder

    def compose(self) -> ComposeResult:
        """The choice in a box."""
        with Vertical(id="export-box") as box:
            box.border_title = Content("Hand it out as")
            yield Prose(
                Content.assemble(
                    ("m ", "bold $ember"), ("a report in words\n", "$ash"),
                    ("j ", "bold $ember"), ("everything, as JSON\n", "$ash"),
                    ("c ", "bold $ember"), ("a card to show, with its receipt\n\n", "$ash"),
                    (f"It goes to {clean(self._folder)}; nothing there is overwritten.", "$dim"),
                )
            )  # fmt: skip
            yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what was judged has a card."""
        return self._attempt.result is not None if action == "take_card" else True

    def action_take_card(self) -> None:
        """A card."""
        self.dismiss("card")
