"""An input that narrows a list: hidden until it is needed, without moving the list."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input


class SearchSlot(Vertical):
    """The place of a search line. Its space is padding, because Textual would apply a margin to all its neighbours."""

    DEFAULT_CSS = """
    SearchSlot { height: auto; padding: 0 2; }
    SearchSlot SearchBar { margin: 0 0 1 0; }
    """


class SearchBar(Input):
    """An input whose enter key goes to the results."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "to the list", key_display="⏎", id="search.enter"),
        Binding("down", "submit", "to the list", show=False, id="search.down"),
    ]

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder=placeholder, id=id)
        self.display = False

    def open(self) -> None:
        """Focus the input at once, so that keys typed quickly afterwards reach the search."""
        self.display = True
        self.screen.set_focus(self)
        self.screen.refresh_bindings()

    def close(self) -> None:
        """Clear and hide the input; the caller decides where the focus goes."""
        self.value, self.display = "", False
        self.screen.refresh_bindings()
