"""Home: every boss, how it stands, and the last fight one key away."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.home.boss_card import BossCard
from evalforge.app.home.boss_list import BossList
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History
    from evalforge.packs.summary import BossSummary

_TALL = 34
"""Lines from which there is room for lore."""
_AROUND_THE_OFFER = 28
"""Columns that its other words and the air beside them take."""


class RosterScreen(GameScreen):
    """The list on the left, the boss under the cursor on the right."""

    # Its style sheet is the app's: Textual loads none for the screen an app begins with.
    NAME = "The roster"
    HELP_TEXT = """
Every boss is something worth building. Read its briefing, build it in a folder of your own,
point the game at that folder.

`○` new, `◐` wounded (your best so far beside it), `●` defeated, `★` flawless. Nothing is locked, nothing is ever lost.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "fight", "fight", key_display="⏎", id="roster.fight"),
        Binding("b", "open('briefing')", "briefing", id="roster.briefing"),
        Binding("c", "open('codex')", "codex", id="roster.codex"),
        Binding("u", "open('rubric')", "rubric", id="roster.rubric"),
        Binding("a", "app.attempts", "attempts", id="roster.attempts"),
        Binding("p", "app.progress", "progress", id="roster.progress"),
        Binding("r", "app.rush", "boss rush", id="roster.rush"),
        Binding("slash", "search", "search", key_display="/", id="roster.search"),
        Binding("L", "stage", "stage", id="roster.stage"),
        Binding("escape", "clear", "all bosses", id="roster.clear"),
        Binding("ctrl+q", "app.quit", "quit", id="roster.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._bosses: tuple[BossSummary, ...] = ()
        self._caught_up = False
        self._lores: dict[str, str] = {}
        self._last = ("", "")

    def body(self) -> Iterable[Widget]:
        """Title, list, card; in place of the list what to do where there is none."""
        with Horizontal(id="top"):
            yield Banner("EVALFORGE", id="title")
            yield Heading(id="tally")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield Heading(id="resume")
                yield Prose(id="nobody")
                yield BossList(id="bosses")
                yield SearchSlot()
            yield BossCard(id="card")

    def on_mount(self) -> None:
        """The bosses first; how they stand once the first frame is out."""
        self.query_one("#resume").display = False
        self._bosses = self.session.services.find_bosses()
        bosses = self.query_one(BossList)
        bosses.show(self._bosses)
        bosses.focus()
        self.game.theme_changed_signal.subscribe(self, lambda _: self._show_chosen())
        self.call_after_refresh(self._catch_up)

    def _catch_up(self) -> None:
        """What history knows, and the welcome for those who have none."""
        self._search()
        history = self.session.history()
        self._caught_up = True
        self._learn()
        if history is None:
            return
        if self._last[0]:
            self.query_one(BossList).point(self._last[0])
        elif not self.session.services.start.boss and not history.count():
            self._welcome()

    def _last_fight(self, history: "History") -> tuple[str, str]:
        """The boss and folder to go on with; what a class handed in is no fight of one's own."""
        last = history.page(limit=1)
        own = [(row.boss_id, row.directory) for row in last]
        own += [
            (one.boss_id, "") for one in sorted(self.session.boss_progress().values(), key=lambda one: one.last_at)[-1:]
        ]
        for boss_id, directory in own:
            folders = history.recent_directories(boss_id)
            if folders and directory in ("", *folders):
                return boss_id, directory or folders[0]
        return "", ""

    def _welcome(self) -> None:
        """Once, ever: a mark beside the history remembers it."""
        mark = self.session.services.history.with_name("welcomed")
        if mark.exists() or not self._bosses:
            return
        from evalforge.app.home.welcome import WelcomeScreen

        mark.touch()
        self.game.push_screen(WelcomeScreen(self._bosses))

    def on_screen_resume(self) -> None:
        """After a fight the standings are others."""
        if self._caught_up:
            self._learn()

    @on(events.DescendantFocus)
    def _offer(self) -> None:
        """The last fight is one key away: say so where that key would begin it, and keep the line for it elsewhere."""
        boss = next((b for b in self._bosses if b.slug == self._last[0] and not b.error), None)
        resume_line, bosses = self.query_one("#resume", Heading), self.query_one(BossList)
        resume_line.display = boss is not None and self.session.services.start.boss == ""
        resume_line.visible = bosses.has_focus and bosses.selection is boss
        if boss is not None and resume_line.display:
            self._say_offer(boss)

    def _say_offer(self, boss: "BossSummary") -> None:
        """The folder too, where it fits."""
        # The line itself has no width yet when it was just made room for.
        room = self.query_one("#left").size.width - _AROUND_THE_OFFER
        enter, folder = self.game.look.glyphs.enter, clean_line(short(self._last[1]))
        fits = len(folder) + len(boss.title) < room
        self.query_one("#resume", Heading).set_text(
            [
                (f"{enter} ", "bold ember"), ("continues with ", "dim"), (boss.title, "bold ash"),
                (f" in {folder}" if fits else "", "dim"),
            ]
        )  # fmt: skip

    def _learn(self) -> None:
        standings, history = self.session.boss_progress(), self.session.history()
        self._last = self._last_fight(history) if history else ("", "")
        bosses = self.query_one(BossList)
        bosses.show_progress(standings)
        sound = [boss for boss in self._bosses if not boss.error]
        beaten = sum(bosses.state(boss) in ("defeated", "flawless") for boss in sound)
        rank = _rank(standings)
        tally = [(f"{beaten}", "bold molten"), (f" of {len(sound)} defeated", "dim")]
        if not sound:
            tally = [(plural(len(self._bosses), "broken pack") if self._bosses else "no bosses", "dim")]
        self.query_one("#tally", Heading).set_text(right=[*tally, (f"   {rank}" if rank else "", "molten")])

    @on(BossList.Pointed)
    def _show_chosen(self) -> None:
        bosses = self.query_one(BossList)
        boss, nobody = bosses.selection, self.query_one("#nobody", Prose)
        card = self.query_one(BossCard)
        # In a search that finds nobody the list stays where it was.
        card.visible = boss is not None
        card.set_class(not self._bosses, "-nobody")
        nobody.display = boss is None
        if boss is None:
            nobody.set_text(Content("Nothing by that name.") if self._bosses else self._way_to_bosses())
        else:
            lore = self._lore(boss) if self.size.height >= _TALL and not boss.error else ""
            card.show(boss, bosses.state(boss), bosses.standing(boss), lore)
        self._offer()
        self.refresh_bindings()

    def _way_to_bosses(self) -> Content:
        folders = ", ".join(clean_line(short(folder)) for folder in self.session.services.bosses)
        return Content.assemble(
            ("No bosses here.\n", "bold $ember"),
            (f"Looked in {folders}.\n\n", "$dim"),
            ("evalforge --bosses FOLDER", "$steel"), (" begins the game with the bosses of a folder.\n", "$ash"),
            ("evalforge new-boss NAME", "$steel"), (" makes one that can be fought at once.", "$ash"),
        )  # fmt: skip

    def _lore(self, boss: "BossSummary") -> str:
        """The first words of its lore, once everything else is up."""
        if not self._caught_up:
            return ""
        if boss.slug not in self._lores:
            pack = self.session.load_pack(boss.path)
            paragraphs = [p for p in (pack.codex.lore if pack else "").split("\n\n") if not p.lstrip().startswith("#")]
            self._lores[boss.slug] = clean_line(" ".join(paragraphs[0].split()) if paragraphs else "", cap=400)
        return self._lores[boss.slug]

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A broken pack can't be fought or opened; where there is nobody, nobody is looked for."""
        boss = self.query_one(BossList).selection if self.is_mounted and self.query(BossList) else None
        if action in ("fight", "open", "stage"):
            return boss is not None and not boss.error
        if action == "clear":
            return any(search.display for search in self.query(SearchBar))
        return bool(self._bosses) or action != "search"

    @on(BossList.Opened)
    def action_fight(self) -> None:
        """Into the arena."""
        boss = self.query_one(BossList).selection
        pack = self.session.load_pack(boss.path) if boss and not boss.error else None
        if pack is not None:
            self.navigator.open_arena(pack, self._last[1] if pack.boss_id == self._last[0] else "")

    def action_open(self, tab: str) -> None:
        """The boss's page, at one of its sides."""
        boss = self.query_one(BossList).selection
        if boss and (pack := self.session.load_pack(boss.path)):
            self.navigator.open_boss(pack, tab)

    def action_stage(self) -> None:
        """Teach its rubric."""
        boss = self.query_one(BossList).selection
        if boss and (pack := self.session.load_pack(boss.path)):
            self.navigator.open_stage(pack)

    def action_search(self) -> None:
        """Type to narrow the list."""
        self._search().open()

    def _search(self) -> SearchBar:
        """The search line: not worth a place in the first frame."""
        there = self.query(SearchBar)
        if there:
            return there.first()
        search = SearchBar("name, realm or words", id="search")
        self.query_one(SearchSlot).mount(search)
        return search

    def action_clear(self) -> None:
        """All bosses again."""
        self._search().close()
        bosses = self.query_one(BossList)
        bosses.show(self._bosses)
        self.set_focus(bosses)

    @on(Input.Changed, "#search")
    def _narrow(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        bosses = [
            boss
            for boss in self._bosses
            if all(word in f"{boss.title} {boss.realm} {boss.short_description}".lower() for word in words)
        ]
        self.query_one(BossList).show(bosses)

    @on(Input.Submitted, "#search")
    def _leave_search(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.action_clear()
        self.set_focus(self.query_one(BossList))


def _rank(standings: "Mapping[str, BossProgress]") -> str:
    """The name the player has made in the forge; nothing before the first fight."""
    if not standings:
        return ""
    from evalforge.progress.progress import work_out_rank

    return work_out_rank({boss: standing.best_verdict for boss, standing in standings.items()}).rank.name
