"""A line to narrow a list with: out of sight until it is asked for, and the list stays where it was."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input


class SearchSlot(Vertical):
    """Where a search line stands: its air is padding, as Textual takes a margin at one's side from all neighbours."""

    DEFAULT_CSS = """
    SearchSlot { height: auto; padding: 0 2; }
    SearchSlot SearchBar { margin: 0 0 1 0; }
    """


class SearchBar(Input):
    """Enter goes to what was found."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "to the list", key_display="⏎", id="search.enter"),
        Binding("down", "submit", "to the list", show=False, id="search.down"),
    ]

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder=placeholder, id=id)
        self.display = False

    def open(self) -> None:
        """Type here. The focus moves at once: a fast hand's next keys belong to the search already."""
        self.display = True
        self.screen.set_focus(self)
        self.screen.refresh_bindings()

    def close(self) -> None:
        """Everything again; whoever closes it says where the focus goes."""
        self.value, self.display = "", False
        self.screen.refresh_bindings()
