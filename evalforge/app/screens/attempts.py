"""All past fights, newest first; `/` narrows them."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.screens.base import GameScreen
from evalforge.app.widgets.attempt_table import AttemptTable
from evalforge.app.widgets.heading import Heading
from evalforge.app.widgets.panel import Prose
from evalforge.app.words import plural


class AttemptsScreen(GameScreen):
    """The table, and a line to search it. Given a boss, only the fights against it."""

    CSS_PATH = "attempts.tcss"
    NAME = "Attempts"
    HELP_TEXT = """
Every judging is kept whole: the files as they were, the evidence, the verdict. Open one to read it again.
`/` looks in boss, folder and id.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", key_display="/", id="attempts.search"),
        Binding("r", "again", "fight again", id="attempts.again"),
        Binding("escape", "leave", "back", id="attempts.back"),
    ]

    def __init__(self, boss_id: str = "") -> None:
        super().__init__()
        self._boss_id = boss_id

    def body(self) -> Iterable[Widget]:
        """Heading, search, table."""
        yield Heading([("ATTEMPTS", "ember", True)], id="heading")
        yield Input(placeholder="boss, folder or id", id="search")
        yield Prose(id="nothing")
        yield AttemptTable(id="table")

    def on_mount(self) -> None:
        """Show them all."""
        self.query_one("#search").display = False
        self._show()
        self.query_one(AttemptTable).focus()

    def on_screen_resume(self) -> None:
        """There may be a new one."""
        table = self.query_one(AttemptTable)
        history = self.game.chronicle()
        wanted = self.game.services.filter(self._boss_id, self.query_one("#search", Input).value)
        if history is not None and history.count(wanted) != table.count:
            self._show()

    def _show(self) -> None:
        history = self.game.chronicle()
        words = self.query_one("#search", Input).value.strip()
        wanted = self.game.services.filter(self._boss_id, words)
        count = history.count(wanted) if history else 0
        table = self.query_one(AttemptTable)
        if history is not None:
            table.show(count, lambda start, limit: history.page(wanted, start, limit))
        nothing = self.query_one("#nothing", Prose)
        nothing.display = count == 0
        nothing.say(
            Content.assemble(("Nothing matches." if words else "Not one fight yet. Pick a boss and strike.", "$dim"))
        )
        self.query_one(Heading).say(right=[(plural(count, "attempt"), "dim", False)])
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to fight again where there is nothing."""
        return action != "again" or (self.is_mounted and self.query_one(AttemptTable).count > 0)

    def action_search(self) -> None:
        """Type to narrow the table."""
        search = self.query_one("#search", Input)
        search.display = True
        search.focus()

    def action_leave(self) -> None:
        """Out of the search first, then back."""
        search = self.query_one("#search", Input)
        if search.display:
            search.value, search.display = "", False
            self.query_one(AttemptTable).focus()
        else:
            self.action_back()

    def action_again(self) -> None:
        """Into the arena with the folder of that attempt."""
        row = self.query_one(AttemptTable).chosen
        boss = next((b for b in self.game.services.find_bosses() if row and b.slug == row.boss_id), None)
        if row is None or boss is None:
            self.notify("Its boss is not here any more.", severity="warning", markup=False)
            return
        pack = self.game.pack(boss.path)
        if pack is not None:
            self.game.open_arena(pack, row.directory)

    @on(Input.Changed, "#search")
    def _narrow(self) -> None:
        self._show()

    @on(Input.Submitted, "#search")
    def _found(self) -> None:
        self.query_one(AttemptTable).focus()

    @on(AttemptTable.Opened)
    def _open(self, event: AttemptTable.Opened) -> None:
        self.game.open_attempt(event.attempt_id)
