"""A dialog to choose a folder: browsed in a tree, or typed as a path."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import DirectoryTree

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.paths import folder_of, short
from evalforge.app.ui.widgets.directory_tree import DirectoryPicker
from evalforge.app.ui.widgets.path_input import PathInput
from evalforge.model.text import clean_line
from evalforge.packs.path_checks import folder_fault


class DirectoryPickerScreen(Dialog[Path | None]):
    """Asks over the current screen for a folder; the answer is the folder, or None."""

    CSS_PATH = "directory_dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose_typed", "choose", key_display="⏎", id="picker.typed"),
        Binding("slash", "type_path", "type", key_display="/", id="picker.type"),
        Binding("escape", "dismiss(None)", "cancel", id="picker.close"),
    ]

    def __init__(self, start: Path) -> None:
        super().__init__("Which folder?")
        self._start = next((path for path in (start, *start.parents) if path.is_dir()), Path.home())

    def body(self) -> Iterable[Widget]:
        """Compose the path, then the tree of folders."""
        yield PathInput(f"{short(self._start.absolute()).rstrip('/')}/")
        yield DirectoryPicker(self._start.absolute(), id="tree")

    def on_mount(self) -> None:
        """Focus the tree."""
        self.query_one(DirectoryPicker).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable typing in the tree, and choosing what was typed in the input."""
        is_typing = isinstance(self.focused, PathInput)
        return {"type_path": not is_typing, "choose_typed": is_typing}.get(action, True)

    def action_type_path(self) -> None:
        """Type a path, beginning with the folder that is browsed."""
        path = self.query_one(PathInput)
        path.focus()
        path.action_end()

    def action_choose_typed(self) -> None:
        """Choose the folder that was typed, if it can be read."""
        folder = folder_of(self.query_one(PathInput).value)
        if fault := folder_fault(folder):
            self.notify(clean_line(f"{short(folder)} {fault}."), severity="warning", markup=False)
        else:
            self.dismiss(folder)

    @on(DirectoryTree.DirectorySelected)
    def _dismiss_with_folder(self, event: DirectoryTree.DirectorySelected) -> None:
        self.dismiss(event.path)
