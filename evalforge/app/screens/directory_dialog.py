"""A dialog to browse for the folder to submit."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import DirectoryTree

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.widgets.directory_tree import DirectoryPicker


class DirectoryPickerScreen(Dialog[Path | None]):
    """Asks over the arena for a folder; the answer is the folder, or None."""

    CSS_PATH = "directory_dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "cancel", id="picker.close"),
    ]

    def __init__(self, start: Path) -> None:
        super().__init__("Which folder?")
        self._start = next((path for path in (start, *start.parents) if path.is_dir()), Path.home())

    def body(self) -> Iterable[Widget]:
        """Compose the tree of folders."""
        yield DirectoryPicker(self._start.absolute(), id="tree")

    def on_mount(self) -> None:
        """Focus the tree."""
        self.query_one(DirectoryPicker).focus()

    @on(DirectoryTree.DirectorySelected)
    def _dismiss_with_folder(self, event: DirectoryTree.DirectorySelected) -> None:
        self.dismiss(event.path)
