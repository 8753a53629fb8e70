"""Home: every boss, the player's standing, and the last fight one key away."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from evalforge.app.home.boss_list import STATE_ROLES, BossList
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.number_format import format_number
from evalforge.model.text import clean, clean_line
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.summary import TIERS, BossSummary

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History
    from evalforge.packs.pack import BossPack

# Texts next to the roster's list: the player's rank, and how to get bosses.

_FIGHTS_SHOWN = 8


def rank_name(standings: "Mapping[str, BossProgress]") -> str:
    """The player's rank; empty before the first fight."""
    if not standings:
        return ""
    from evalforge.progress.progress import work_out_rank

    return work_out_rank({boss: standing.best_verdict for boss, standing in standings.items()}).rank.name


def way_to_bosses(folders: Iterable[Path]) -> Content:
    """What to do if there is no boss in any of these folders."""
    names = ", ".join(clean_line(short(folder)) for folder in folders)
    return styled(
        ("No bosses here.\n", "bold ember"),
        (f"Looked in {names}.\n\n", "dim"),
        ("evalforge --bosses FOLDER", "steel"), (" starts the game with the bosses in a folder.\n", "ash"),
        ("evalforge new-boss NAME", "steel"), (" creates one that can be fought at once.", "ash"),
    )  # fmt: skip


def resume_offer(enter: str, title: str, folder: str, width: int) -> list[Run]:
    """The fight that enter resumes, with its folder if it fits."""
    fits = len(folder) + len(title) < width
    return [
        (f"{enter} ", "bold ember"), ("continues with ", "dim"), (title, "bold ash"),
        (f" in {folder}" if fits else "", "dim"),
    ]  # fmt: skip


def first_paragraph(lore: str) -> str:
    """The start of a boss's lore, without its heading."""
    paragraphs = [text for text in lore.split("\n\n") if not text.lstrip().startswith("#")]
    return clean_line(" ".join(paragraphs[0].split()) if paragraphs else "", cap=400)


# The boss under the cursor: its picture, its description, the player's standing.


class BossCard(Widget):
    """The picture of a boss above its description."""

    DEFAULT_CSS = """
    BossCard { layout: vertical; height: 1fr; align-horizontal: center; }
    BossCard Static { height: auto; width: 1fr; text-align: center; }
    """

    def compose(self) -> ComposeResult:
        """Compose the picture and the description."""
        yield SpriteView(id="sprite")
        yield Static(Content(""), id="about", markup=False)

    def show(self, boss: "BossSummary", state: str, progress: "BossProgress | None") -> None:
        """Show a boss, the player's standing in a word, and the player's record; None if there is none."""
        sprite = self.query_one(SpriteView)
        sprite.show(boss.sprite or boss.slug, boss.path, boss.accent, is_static=bool(boss.error))
        sprite.set_mood("idle")
        if state in _BEATEN:
            sprite.fall(flawless=state == "flawless", at_once=True)
        accent = look(self).palette.accent(boss.accent)
        self.query_one("#about", Static).update(_description(boss, state, progress, accent))


def _description(boss: "BossSummary", state: str, progress: "BossProgress | None", accent: str) -> Content:
    if boss.error:
        return styled(
            (f"{clean(boss.title)}\n", "bold blood"), ("This pack is broken.\n\n", "dim"), (clean(boss.error), "ash")
        )
    tier_and_realm = f"tier {TIERS[boss.tier]} · {boss.realm}".rstrip(" ·")
    tries = FOR_STUDENTS if boss.is_for_students else "never fought"
    if progress:
        best = f"{format_number(progress.best_total)}/{format_number(progress.max_total)}"
        tries = f"{plural(progress.attempt_count, 'attempt')}, best {best}"
    return styled(
        (f"{boss.title.upper()}\n", f"bold {accent}"),
        (f"{tier_and_realm}\n", "dim"),
        (f"{boss.short_description}\n", "ash"),
        (state, f"bold {STATE_ROLES[state]}"),
        (f" · {tries}", "dim"),
    )


_BEATEN = ("defeated", "flawless")
_TALL = 34
"""With at least this many lines there is room for lore."""
_OFFER_FRAME_COLUMNS = 28
"""Columns of the offer's other words and the space around them."""


class RosterScreen(GameScreen):
    """The list on the left, the boss under the cursor on the right."""

    # Its style sheet is the app's: Textual loads none for the screen an app begins with.
    NAME = "The roster"
    HELP_TEXT = """
Every boss is something worth building. Read its briefing, build it in a folder of your own,
then point the game at that folder.

`⏎` opens the briefing of a new boss, and starts a fight with one you have fought.
`○` new, `◐` wounded (with your best result), `●` defeated, `★` flawless. Nothing is locked.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "fight", "fight", key_display="⏎", id="roster.fight"),
        Binding("enter", "meet", "briefing", key_display="⏎", id="roster.meet"),
        Binding("b", "open('briefing')", "briefing", id="roster.briefing"),
        Binding("b", "meet", "briefing", show=False, id="roster.briefing_of_new"),
        Binding("c", "open('codex')", "codex", id="roster.codex"),
        Binding("u", "open('rubric')", "rubric", id="roster.rubric"),
        Binding("a", "app.attempts", "attempts", id="roster.attempts"),
        Binding("P", "app.progress", "progress", id="roster.progress"),
        Binding("slash", "search", "search", key_display="/", id="roster.search"),
        Binding("T", "teach", "teaching", show=False, id="roster.teach"),
        Binding("L", "stage", "stage", show=False, id="roster.stage"),
        Binding("escape", "clear", "all bosses", id="roster.clear"),
        Binding("q", "app.quit", "quit", id="roster.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._bosses: tuple[BossSummary, ...] = ()
        self._boss_list = BossList(id="bosses")
        self._caught_up = False
        self._lores: dict[str, tuple[str, Mapping[str, str]]] = {}
        """The start of a boss's lore, and the labels of its criteria, by slug."""
        self._last_fight_of_player = ("", "")

    def body(self) -> Iterable[Widget]:
        """Compose title, list and card; if there is no boss, advice instead of the list."""
        with Horizontal(id="top"):
            yield Banner("EVALFORGE", id="title")
            yield Heading(id="tally")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield Heading(id="resume")
                yield Prose(id="nobody")
                yield self._boss_list
                yield SearchSlot()
                yield Prose(id="aside")
            yield BossCard(id="card")

    def on_mount(self) -> None:
        """List the bosses; the player's standing is read once the first frame is drawn."""
        self.query_one("#resume").display = False
        self._bosses = self.session.services.find_bosses()
        bosses = self._boss_list
        bosses.show(self._bosses)
        bosses.focus()
        self.game.theme_changed_signal.subscribe(self, lambda _: self._show_chosen())
        self.call_after_refresh(self._catch_up)

    def _catch_up(self) -> None:
        """Read the history, or show the welcome to a player without one."""
        if not self.is_attached:  # the player quit at once
            return
        self._search()
        history = self.session.history()
        self._caught_up = True
        self._update_progress()
        if history is None:
            return
        if self._last_fight_of_player[0]:
            self._point_at_next()
        elif not self.session.services.start.boss and not history.count():
            self._welcome()

    def _point_at_next(self) -> None:
        """Start at the boss of the last fight while it is undefeated, else at the first undefeated one."""
        bosses, following = self._boss_list, self.session.next_boss()
        last = next((boss for boss in self._bosses if boss.slug == self._last_fight_of_player[0]), None)
        is_last_up = last is not None and bosses.state(last) not in _BEATEN
        if target := last if is_last_up else following or last:
            bosses.point(target.slug)

    def _last_fight(self, history: "History") -> tuple[str, str]:
        """The boss and folder to continue with; submissions of a class don't count as the player's fights."""
        last_fights = [(row.boss_id, row.directory) for row in history.page(limit=1)]
        by_time = sorted(self.session.boss_progress().values(), key=lambda progress: progress.last_at)
        last_fights += [(progress.boss_id, "") for progress in by_time[-1:]]
        for boss_id, directory in last_fights:
            folders = history.recent_directories(boss_id)
            if folders and directory in ("", *folders):
                return boss_id, directory or folders[0]
        return "", ""

    def _welcome(self) -> None:
        """Show the welcome until it was once left for the game: a file next to the history records that."""
        if self.session.services.welcome_mark.exists() or not self._bosses:
            return
        from evalforge.app.home.welcome import WelcomeScreen

        self.game.push_screen(WelcomeScreen(self._bosses))

    def on_resize(self) -> None:
        """Show what there is room for now."""
        if self._caught_up:
            self.call_after_refresh(self._show_chosen)

    def on_screen_resume(self) -> None:
        """Refresh the standings after a fight; if the boss fell, select the next."""
        bosses = self._boss_list
        selection = bosses.selection
        was_up = selection is not None and bosses.state(selection) not in _BEATEN
        if self._caught_up:
            self._update_progress()
        if selection is not None and was_up and bosses.state(selection) in _BEATEN:
            self._point_at_next()

    @on(events.DescendantFocus)
    def _offer(self) -> None:
        """Show that one key resumes the last fight if it would; otherwise leave the line blank."""
        boss = next((b for b in self._bosses if b.slug == self._last_fight_of_player[0] and not b.error), None)
        resume_line, bosses = self.query_one("#resume", Heading), self._boss_list
        resume_line.display = boss is not None and self.session.services.start.boss == ""
        resume_line.visible = bosses.has_focus and bosses.selection is boss
        if boss is not None and resume_line.display:
            self._show_offer(boss)

    def _show_offer(self, boss: "BossSummary") -> None:
        """Show the offer, with the folder if it fits."""
        # The line has no width yet if it has just become visible.
        width = self.query_one("#left").size.width - _OFFER_FRAME_COLUMNS
        folder = clean_line(short(self._last_fight_of_player[1]))
        offer = resume_offer(self.game.look.glyphs.enter, boss.title, folder, width)
        self.query_one("#resume", Heading).set_text(offer)

    def _update_progress(self) -> None:
        standings, history = self.session.boss_progress(), self.session.history()
        self._last_fight_of_player = self._last_fight(history) if history else ("", "")
        bosses = self._boss_list
        bosses.show_progress(standings)
        sound = [boss for boss in self._bosses if not boss.error]
        beaten = sum(bosses.state(boss) in _BEATEN for boss in sound)
        rank = rank_name(standings)
        tally = [(f"{beaten}", "bold molten"), (f" of {len(sound)} defeated", "dim")]
        if not sound:
            tally = [(plural(len(self._bosses), "broken pack") if self._bosses else "no bosses", "dim")]
        self.query_one("#tally", Heading).set_text(right=[*tally, (f"   {rank}" if rank else "", "molten")])

    @on(BossList.Pointed)
    def _show_chosen(self) -> None:
        bosses = self._boss_list
        boss, nobody = bosses.selection, self.query_one("#nobody", Prose)
        card = self.query_one(BossCard)
        # If a search finds nothing, the list keeps its position.
        card.visible = boss is not None
        card.set_class(not self._bosses, "-nobody")
        nobody.display = boss is None
        if boss is None:
            folders = self.session.services.bosses
            nobody.set_text(Content("No boss matches.") if self._bosses else way_to_bosses(folders))
        else:
            card.show(boss, bosses.state(boss), bosses.progress_of(boss))
            self.query_one("#aside", Prose).set_text(self._lore_and_fights(boss))
        self._offer()
        self.refresh_bindings()

    def _lore_and_fights(self, boss: "BossSummary") -> Content:
        """The start of the boss's lore and the last fights on it, if there is room, once all else is displayed."""
        if not self._caught_up or self.size.height < _TALL or boss.error:
            return Content("")
        from evalforge.app.attempts.try_chart import fights_text

        if boss.slug not in self._lores:
            pack = self.session.load_pack(boss.path)
            self._lores[boss.slug] = (first_paragraph(pack.codex.lore), pack.rubric.labels) if pack else ("", {})
        lore, labels = self._lores[boss.slug]
        history = self.session.history() if self._is_known(boss) else None
        attempts = history.progress.attempts(boss.slug, _FIGHTS_SHOWN + 1) if history else ()
        fights = fights_text(attempts, labels, _FIGHTS_SHOWN)
        return styled((lore, "dim"), "\n\n" if lore and fights.plain else "", fights)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable fighting and opening a broken pack, and searching if there are no bosses."""
        boss = self._boss_list.selection
        if action in ("fight", "meet"):
            is_sound = boss is not None and not boss.error
            return is_sound and self._is_known(boss) == (action == "fight")
        if action in ("open", "stage", "teach"):
            is_sound = boss is not None and not boss.error
            # The key bar shows the briefing only once: enter opens that of a boss that was never fought.
            return is_sound and (parameters != ("briefing",) or self._is_known(boss))
        if action == "clear":
            return any(search.display for search in self.query(SearchBar))
        return bool(self._bosses) or action != "search"

    def _is_known(self, boss: "BossSummary | None") -> bool:
        return boss is not None and self._boss_list.progress_of(boss) is not None

    @on(BossList.Opened)
    def _enter(self) -> None:
        """Fight a known boss; open the briefing of a new one."""
        (self.action_fight if self._is_known(self._boss_list.selection) else self.action_meet)()

    def action_meet(self) -> None:
        """Open the briefing of a boss that was never fought."""
        self.action_open("briefing")

    def action_fight(self) -> None:
        """Open the arena with the chosen boss."""
        if pack := self._chosen_pack():
            boss_id, directory = self._last_fight_of_player
            self.navigator.open_arena(pack, directory if pack.boss_id == boss_id else "")

    def _chosen_pack(self) -> "BossPack | None":
        boss = self._boss_list.selection
        return self.session.load_pack(boss.path) if boss and not boss.error else None

    def action_open(self, tab: str) -> None:
        """Open one of the tabs of the boss's page."""
        if pack := self._chosen_pack():
            self.navigator.open_boss(pack, tab)

    def action_stage(self) -> None:
        """Teach the boss's rubric."""
        if pack := self._chosen_pack():
            self.navigator.open_stage(pack)

    def action_teach(self) -> None:
        """Show the actions for teachers."""
        if pack := self._chosen_pack():
            self.navigator.open_teaching_menu(pack)

    def action_search(self) -> None:
        """Open the search, which narrows the list."""
        self._search().open()

    def _search(self) -> SearchBar:
        """The search line, created on first use to save time in the first frame."""
        search_bars = self.query(SearchBar)
        if search_bars:
            return search_bars.first()
        search = SearchBar("name, realm or text", id="search")
        self.query_one(SearchSlot).mount(search)
        return search

    def action_clear(self) -> None:
        """Close the search and list all bosses."""
        self._search().close()
        bosses = self._boss_list
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
        self._boss_list.show(bosses)

    @on(Input.Submitted, "#search")
    def _leave_search(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.action_clear()
        self.set_focus(self._boss_list)
