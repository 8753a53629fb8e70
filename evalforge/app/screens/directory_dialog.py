"""Browse for the folder to hand in."""

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import DirectoryTree

from evalforge.app.ui.widgets.directory_tree import DirectoryPicker
from evalforge.app.ui.widgets.key_bar import KeyBar


class DirectoryPickerScreen(ModalScreen[Path | None]):
    """Lies over the arena; answers with a folder, or None."""

    CSS_PATH = "directory_dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "never mind", id="picker.close"),
    ]

    def __init__(self, start: Path) -> None:
        super().__init__()
        self._start = next((path for path in (start, *start.parents) if path.is_dir()), Path.home())

    def compose(self) -> ComposeResult:
        """A tree in a box."""
        with Vertical(id="picker-box") as box:
            box.border_title = Content("Which folder?")
            yield DirectoryPicker(self._start.absolute(), id="tree")
            yield KeyBar()

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.query_one(DirectoryPicker).focus()

    @on(DirectoryTree.DirectorySelected)
    def _take(self, event: DirectoryTree.DirectorySelected) -> None:
        self.dismiss(event.path)
