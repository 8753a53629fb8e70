"""All past fights: filtered, sorted, searched, plotted; opened, compared, replayed, exported, deleted."""

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.attempts.try_chart import TryPanel
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line
from evalforge.model.voice import Moment

if TYPE_CHECKING:
    from evalforge.history.listing import AttemptFilter
    from evalforge.model.attempt import Attempt

_VERDICTS = ("", *VERDICT_WORDS)
_ORDERS = ("newest", "integrity", "boss")


class AttemptsScreen(GameScreen):
    """The table, a search line, and a plot of the attempts on the boss under the cursor."""

    CSS_PATH = "attempt_list.tcss"
    NAME = "Attempts"
    HELP_TEXT = """
Every attempt is kept whole: the files as they were, the evidence, the verdict, and the fight itself.

`/` searches bosses, folders and ids. `o` shows one boss only, `v` one verdict only, and `s` sorts.
Below the list are the selected boss's attempts: the integrity of each, and the level of each criterion.

`m` marks an attempt; `d` compares with it, or with the previous attempt. `p` plays the fight again.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", key_display="/", id="attempts.search"),
        Binding("o", "only_boss", "only this boss", id="attempts.boss"),
        Binding("v", "only_verdict", "verdict", id="attempts.verdict"),
        Binding("s", "sort", "sort", id="attempts.sort"),
        Binding("d", "compare", "compare", id="attempts.compare"),
        Binding("p", "replay", "replay", id="attempts.replay"),
        Binding("x", "export", "export", id="attempts.export"),
        Binding("m", "mark", "mark", id="attempts.mark"),
        Binding("r", "again", "fight again", id="attempts.again"),
        Binding("delete", "delete", "delete", id="attempts.delete"),
        Binding("escape", "widen", "all attempts", id="attempts.widen"),
        Binding("escape", "back", "back", id="attempts.back"),
    ]

    def __init__(self, boss_id: str = "") -> None:
        super().__init__()
        self._boss_id = boss_id
        self._verdict = ""
        self._order = _ORDERS[0]
        self._marked = ""
        self._plotted = ""

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the search, the table and the plot."""
        yield Heading([("ATTEMPTS", "bold ember")], id="heading")
        with SearchSlot():
            yield SearchBar("boss, folder or id", id="search")
        yield Prose(id="nothing")
        yield AttemptTable(id="table")
        yield TryPanel(id="chart")

    def on_mount(self) -> None:
        """List all attempts that pass the filter."""
        self._show()
        self.query_one(AttemptTable).focus()

    def on_screen_resume(self) -> None:
        """Reload the list, because there may be a new attempt."""
        history = self.session.history()
        if history is not None and history.count(self._filter()) != self.query_one(AttemptTable).count:
            self._show()

    def _filter(self) -> "AttemptFilter":
        from evalforge.history.listing import AttemptFilter

        text = self.query_one(SearchBar).value.strip()
        return AttemptFilter(boss_id=self._boss_id, text=text, verdict=self._verdict)

    @property
    def _is_narrowed(self) -> bool:
        """Whether a filter or search is active."""
        return bool(self.query_one(SearchBar).value.strip() or self._boss_id or self._verdict)

    def _show(self) -> None:
        from evalforge.history.listing import Order

        history = self.session.history()
        count = 0
        if history is not None:
            listing = history.listing(self._filter(), Order(self._order))
            count = listing.count
            self.query_one(AttemptTable).show(count, listing.page, self.session.thresholds())
        nothing = self.query_one("#nothing", Prose)
        nothing.display = count == 0
        text = "Nothing matches." if self._is_narrowed else "No fights yet. Pick a boss and strike."
        line = "" if self._is_narrowed else self.session.boss_line(self._boss_id, Moment.NO_ATTEMPTS)
        nothing.set_text(styled((text, "dim"), (f"\n{line}", "italic dim")).rstrip())
        self._show_heading(count)
        self._plotted = ""
        self._plot()
        self.refresh_bindings()

    def _show_heading(self, count: int) -> None:
        chosen = [("ATTEMPTS", "bold ember")]
        row = self.query_one(AttemptTable).selection
        boss = row.boss_title if row and self._boss_id else self._boss_id
        only = (boss, VERDICT_WORDS.get(self._verdict, ""))
        chosen += [(f"  {clean_line(text)}", "ash") for text in only if text]
        by = {"newest": "", "integrity": "best first", "boss": "by boss"}[self._order]
        chosen.append((f"  {by}" if by else "", "dim"))
        self.query_one(Heading).set_text(chosen, [(plural(count, "attempt"), "dim")])

    @on(AttemptTable.Pointed)
    def _plot(self) -> None:
        """Plot the attempts on the boss under the cursor; the one under the cursor is bright."""
        row, panel = self.query_one(AttemptTable).selection, self.query_one(TryPanel)
        if row is None:
            panel.display = False
            return
        if row.boss_id != self._plotted:
            self._plotted = row.boss_id
            panel.show(self.session, row.boss_id, row.boss_title)
        panel.choose(row.id)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions on an attempt if there is none, and the search if the list is empty."""
        if not self.is_mounted:
            return action == "help"
        has_attempts = self.query_one(AttemptTable).count > 0
        match action:
            case "again" | "compare" | "replay" | "export" | "delete" | "mark":
                return has_attempts
            case "search" | "only_boss" | "only_verdict" | "sort":
                return has_attempts or self._is_narrowed
            case "widen" | "back":
                return self.query_one(SearchBar).display is (action == "widen")
            case _:
                return True

    def action_search(self) -> None:
        """Open the search, which narrows the table."""
        self.query_one(SearchBar).open()

    def action_only_boss(self) -> None:
        """Show only the boss under the cursor, or all bosses again."""
        row = self.query_one(AttemptTable).selection
        self._boss_id = "" if self._boss_id or row is None else row.boss_id
        self._show()

    def action_only_verdict(self) -> None:
        """Show only the next verdict, or all verdicts."""
        self._verdict = _VERDICTS[(_VERDICTS.index(self._verdict) + 1) % len(_VERDICTS)]
        self._show()

    def action_sort(self) -> None:
        """Sort the attempts by the next order."""
        self._order = _ORDERS[(_ORDERS.index(self._order) + 1) % len(_ORDERS)]
        self._show()

    def action_widen(self) -> None:
        """Close the search and list all attempts."""
        self.query_one(SearchBar).close()
        self.set_focus(self.query_one(AttemptTable))

    def action_mark(self) -> None:
        """Mark the attempt to compare others with."""
        row = self.query_one(AttemptTable).selection
        self._marked = "" if row is None or row.id == self._marked else row.id
        self.query_one(AttemptTable).mark(self._marked)

    def _read_selection(self) -> "Attempt | None":
        row = self.query_one(AttemptTable).selection
        return self.session.read_attempt(row.id) if row else None

    def action_compare(self) -> None:
        """Compare with the marked attempt, or with the previous one."""
        attempt = self._read_selection()
        history = self.session.history()
        if attempt is None or history is None:
            return
        marked = self._marked if self._marked != attempt.id else ""
        try:
            other = history.get(marked) if marked else history.previous(attempt.id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
            return
        if other is None:
            self.notify("This is the first attempt. Mark another with m.", markup=False)
            return
        first, second = sorted((other, attempt), key=lambda one: one.started_at)
        self.navigator.open_comparison(first, second)

    def action_replay(self) -> None:
        """Replay the chosen attempt's fight."""
        from evalforge.app.attempts.replay_screen import ReplayScreen

        if attempt := self._read_selection():
            self.game.push_screen(ReplayScreen(attempt, self.session.load_boss(attempt.boss_id)))

    def action_export(self) -> None:
        """Ask for the form to export the chosen attempt in."""
        if attempt := self._read_selection():
            self.navigator.open_export(attempt)

    def action_delete(self) -> None:
        """Delete the chosen attempt after a confirmation."""
        row = self.query_one(AttemptTable).selection
        if row is None:
            return
        from evalforge.app.screens.confirm import ConfirmScreen

        end = VERDICT_WORDS.get(row.verdict or "", row.state.value)
        text = f"{row.boss_title}, {row.words}, {end}. Its files and evidence are deleted too. This can't be undone."
        # The list may be another one when the question is answered.
        answer = functools.partial(self._delete, row.id)
        self.game.push_screen(ConfirmScreen("Delete this attempt?", text, "delete it"), answer)

    def _delete(self, attempt_id: str, sure: bool | None) -> None:
        history = self.session.history()
        if not sure or history is None:
            return
        try:
            history.delete(attempt_id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="warning", markup=False)
            return
        self.session.forget_progress()
        at = self.query_one(AttemptTable).cursor
        self._show()
        self.query_one(AttemptTable).action_move(at)

    def action_again(self) -> None:
        """Open the arena with the folder of that attempt."""
        row = self.query_one(AttemptTable).selection
        pack = self.session.require_boss(row.boss_id) if row else None
        if row is not None and pack is not None:
            self.navigator.open_arena(pack, row.directory)

    @on(Input.Changed, "#search")
    def _apply_search(self) -> None:
        self._show()

    @on(Input.Submitted, "#search")
    def _leave_search(self) -> None:
        self.set_focus(self.query_one(AttemptTable))

    @on(AttemptTable.Opened)
    def _open_attempt(self, event: AttemptTable.Opened) -> None:
        self.navigator.open_attempt(event.key)
