"""Browses for a folder: without caches, hidden folders, endless lists, and names that control the terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DirectoryTree
from textual.widgets.directory_tree import DirEntry
from textual.widgets.tree import TreeNode

from evalforge.app.ui.theme.look import look
from evalforge.model.text import clean_line

_HIDDEN_FOLDERS = frozenset(
    "__pycache__ node_modules venv env site-packages dist build htmlcov .git .venv .tox .mypy_cache".split()
)
_MOST = 400
"""The most entries shown of one folder; a tree of ten thousand takes seconds to draw."""


def is_shown(name: str) -> bool:
    """Whether a folder of this name is worth showing."""
    return not name.startswith(".") and name not in _HIDDEN_FOLDERS and not name.endswith(".egg-info")


class DirectoryPicker(DirectoryTree):
    """A tree of folders; enter chooses one, space opens it, backspace goes up."""

    DEFAULT_CSS = """
    DirectoryPicker { background: transparent; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "unfold", "unfold", id="picker.unfold"),
        Binding("left", "fold", "fold", show=False, id="picker.fold"),
        Binding("backspace", "up", "up", key_display="bksp", id="picker.up"),
        Binding("enter", "select_cursor", "choose", key_display="⏎", id="picker.take"),
    ]
    auto_expand = False
    show_guides = True

    def __init__(self, path: Path, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(path, id=id)
        self.auto_expand = False

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Keep only folders, up to a limit."""
        folders: list[Path] = []
        for path in paths:
            if is_shown(path.name) and path.is_dir():
                folders.append(path)
                if len(folders) == _MOST:
                    break
        return folders

    def render_label(self, node: TreeNode[DirEntry], base_style: Style, style: Style) -> Text:
        """The name of a folder, safe to show."""
        current_look = look(self)
        at_cursor = node is self.cursor_node
        ink = current_look.palette.style("ember" if at_cursor else "ash", bold=at_cursor)
        mark = f"{current_look.glyphs.cursor} " if at_cursor else "  "
        return Text(mark, style=base_style + ink).append(clean_line(str(node.label)), style=base_style + style + ink)

    def action_unfold(self) -> None:
        """Open the folder under the cursor."""
        if self.cursor_node is not None:
            self.cursor_node.expand()

    def action_fold(self) -> None:
        """Close the folder under the cursor, or go to its parent."""
        node = self.cursor_node
        if node is not None and node.is_expanded:
            node.collapse()
        elif node is not None and node.parent is not None:
            self.move_cursor(node.parent)

    def action_up(self) -> None:
        """Browse the parent folder."""
        self.path = Path(self.path).absolute().parent
