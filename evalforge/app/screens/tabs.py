"""A screen whose page consists of several tabs, and its keys."""

from collections.abc import Sequence

from textual.binding import Binding, BindingType

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.widgets.tab_bar import TabBar


def tab_keys(name: str, tabs: Sequence[str], *, left: str = "left", right: str = "right") -> list[BindingType]:
    """The keys of a screen with tabs, with ids that begin with a name: arrows for neighbours, a number for each tab."""
    return [
        Binding(left, "turn(-1)", "tab", key_display="←→", id=f"{name}.left"),
        Binding(right, "turn(1)", "next tab", show=False, id=f"{name}.right"),
        *(Binding(str(i), f"open('{tab}')", tab, show=False, id=f"{name}.{i}") for i, tab in enumerate(tabs, 1)),
    ]


class TabScreen(GameScreen):
    """A screen whose page consists of several tabs."""

    def action_turn(self, step: int) -> None:
        """Open the next or the previous tab."""
        self.query_one(TabBar).open_neighbour(step)

    def action_open(self, tab: str) -> None:
        """Open the tab with this name."""
        self.query_one(TabBar).open = tab
