"""The first minute: what this game is, and a folder to win with."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.paths import folder_of, short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.path_input import PathInput
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.text import clean_line
from evalforge.packs.private_files import FILE_MODE
from evalforge.packs.summary import training_boss
from evalforge.progress.records import TRAINING

if TYPE_CHECKING:
    from evalforge.packs.summary import BossSummary


class WelcomeScreen(GameScreen):
    """Shown once. Enter creates the training boss's folder, escape goes straight to the roster."""

    CSS_PATH = "welcome.tcss"
    NAME = "Welcome"
    HELP_TEXT = "The training boss takes about two minutes. Choose where its folder goes; nothing is ever overwritten."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "begin", "make the folder", key_display="⏎", id="welcome.begin"),
        Binding("f2", "tour", "two-minute tour", id="welcome.tour"),
        Binding("escape", "back", "look around first", id="welcome.skip"),
    ]

    def __init__(self, bosses: "Sequence[BossSummary]") -> None:
        super().__init__()
        self._boss = training_boss(bosses)

    def body(self) -> Iterable[Widget]:
        """Compose the title, the introduction and the offer."""
        yield Banner("EVALFORGE", id="title")
        with Horizontal(id="middle"):
            yield SpriteView(id="sprite")
            with Vertical(id="words"):
                yield Prose(self._words())
                yield PathInput(short(self._place()), id="folder")

    def _place(self) -> Path:
        return self.session.services.starter_folder.absolute() / (self._boss.slug if self._boss else TRAINING)

    def _words(self) -> Content:
        title = clean_line(self._boss.title) if self._boss else "Nobody here yet"
        return styled(
            ("Every boss is something worth building.\n", "bold ash"),
            (
                "You build it in a folder of your own and point the game at it. Your code is run and judged, ",
                "dim",
            ),
            ("point by point, with the reason for each.\n\n", "dim"),
            (f"{title}", "bold molten"),
            (
                " takes two minutes: make its folder here, open it in your editor, fix it, strike.",
                "ash",
            ),
            ("\n\nPress ", "dim"),
            ("f2", "bold ember"),
            (" for a two-minute tour.", "dim"),
        )

    def on_mount(self) -> None:
        """Show the picture of the training boss."""
        if self._boss is not None:
            self.query_one(SpriteView).show(self._boss.sprite or self._boss.slug, self._boss.path, self._boss.accent)
        self.query_one(PathInput).focus()

    def action_back(self) -> None:
        """Leave for the game; whoever quits instead is welcomed again."""
        self.session.services.welcome_mark.touch(FILE_MODE)
        super().action_back()

    def action_tour(self) -> None:
        """Open the tour before the first fight."""
        self.navigator.open_tour()

    def action_begin(self) -> None:
        """Create the folder, and open the arena with it."""
        pack = self.session.load_pack(self._boss.path) if self._boss else None
        if pack is None:
            self.action_back()
            return
        starter = self.session.make_starter(pack, folder_of(self.query_one(PathInput).value))
        if starter is not None:
            self.action_back()
            self.navigator.open_arena(pack, str(starter))
