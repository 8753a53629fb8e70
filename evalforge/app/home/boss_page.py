"""A boss's page: what to build, its lore, how it is judged, and the player's results."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.fight.judgement_text import rubric_text
from evalforge.app.home.trials_tab import TrialHistory, read_record, trials_text
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.markup import contract, render_markup
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.text import clean_line
from evalforge.packs.lint.trial_files import titles_by_group
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.summary import TIERS

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

TABS = ("briefing", "codex", "rubric", "trials", "attempts")
_TIERS_OF_CODEX = (("lore", "Lore"), ("attacks", "How it punishes"), ("strategy", "How to beat it well"))


class BossScreen(TabScreen):
    """One boss in five tabs."""

    CSS_PATH = "boss_page.tcss"
    NAME = "The boss's page"
    HELP_TEXT = """
The contract on the briefing is complete: trials test nothing else. The rubric shows every level of every criterion.
The codex says how the boss punishes careless code, and how to beat it well.

`T` is for teachers: teach the rubric on a stage, change it in the lab, or judge a class.

`i` runs only your tests, against the boss's right programs and impostors. You need no program of your own:
write tests first and see whether you understood the contract. This is practice and is not saved.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f,enter", "fight", "fight", key_display="⏎", id="boss.fight"),
        *tab_keys("boss", TABS, left="left", right="right"),
        Binding("y", "copy_command", "copy as command", id="boss.copy"),
        Binding("ctrl+n", "starter", "starter folder", id="boss.starter"),
        Binding("i", "impostors", "impostors", id="boss.impostors"),
        Binding("T", "teach", "teaching", show=False, id="boss.teach"),
        Binding("R", "lab", "rubric lab", show=False, id="boss.lab"),
        Binding("J", "duel", "two judges", show=False, id="boss.duel"),
        Binding("L", "stage", "stage", show=False, id="boss.stage"),
        Binding("C", "classes", "judge a class", show=False, id="boss.classes"),
        Binding("escape", "back", "back", id="boss.back"),
    ]

    def __init__(self, pack: "BossPack", tab: str = "briefing") -> None:
        super().__init__()
        self._pack = pack
        self._tab = tab if tab in TABS else TABS[0]
        self._record = TrialHistory(())

    def body(self) -> Iterable[Widget]:
        """Compose heading, tabs, and the picture if there is room."""
        about = self._pack.definition
        judged_by = FOR_STUDENTS if self._pack.is_for_students else ""
        facts = (f"tier {TIERS[about.metadata.tier]}", about.metadata.realm, judged_by)
        yield Heading(
            [(about.title.upper(), f"bold {about.metadata.accent}")],
            [(" · ".join(filter(None, facts)), "dim")],
            id="heading",
        )
        yield TabBar(TABS, self._tab, id="tabs")
        with Horizontal(id="page"):
            yield Panel(id="text")
            yield AttemptTable(id="tries")
            with Vertical(id="portrait"):
                yield SpriteView(id="sprite")
                yield Prose(id="caption")

    def on_mount(self) -> None:
        """Open the requested tab."""
        about = self._pack.definition
        self.query_one(SpriteView).show(about.metadata.sprite or about.boss_id, self._pack.path, about.metadata.accent)
        skills = ", ".join(clean_line(skill) for skill in about.metadata.skills)
        caption = styled((clean_line(about.short_description), "ash"), (f"\n\n{skills}", "dim"))
        self.query_one("#caption", Prose).set_text(caption)
        self._open(self._tab)
        if self.session.services.judge not in ("forge", "forge+words"):
            self._prepare()

    @work(exclusive=True, group="prepare", exit_on_error=False)
    async def _prepare(self) -> None:
        """Prepare the model judge while the player reads; only players who chose one pay for that."""
        forge = await self.session.engine()
        await forge.prepare(self._pack, self.session.services.models)

    @on(TabBar.TabOpened)
    def _show_tab(self, event: TabBar.TabOpened) -> None:
        self._open(event.name)

    def _open(self, tab: str) -> None:
        self._tab = tab
        self.call_after_refresh(self.refresh_bindings)
        text, tries = self.query_one("#text", Panel), self.query_one(AttemptTable)
        text.display, tries.display = tab != "attempts", tab == "attempts"
        if tab == "attempts":
            self._show_attempts(tries, text)
        else:
            text_builders = {
                "briefing": self._briefing,
                "codex": self._codex,
                "rubric": self._rubric,
                "trials": self._trials,
            }
            text.set_text(text_builders[tab]())
            text.focus()

    def _show_attempts(self, tries: AttemptTable, text: Panel) -> None:
        from evalforge.history.listing import AttemptFilter

        history = self.session.history()
        attempt_filter = AttemptFilter(self._pack.boss_id)
        count = history.count(attempt_filter) if history else 0
        if history is None or not count:
            text.display, tries.display = True, False
            text.set_text(styled(("No attempts yet. ", "dim"), ("f", "bold ember"), (" begins one.", "dim")))
            return
        tries.show(count, lambda start, limit: history.page(attempt_filter, start, limit), with_boss=False)
        tries.focus()

    def _briefing(self) -> Content:
        about = self._pack.definition
        files = ", ".join(clean_line(name) for name in about.metadata.entry_files)
        return styled(
            render_markup(about.long_description or about.short_description),
            ("\nYou submit  ", "dim"),
            (files or "a folder", "bold steel"),
            ("  and whatever else it needs\n", "dim"),
            ("\nThe contract\n", "bold ember"),
            contract(about.metadata.contract),
        )

    def _codex(self) -> Content:
        parts: list[Content | Run] = []
        for name, title in _TIERS_OF_CODEX:
            text = getattr(self._pack.codex, name)
            if text.strip():
                parts += [(f"{title}\n", "bold molten"), render_markup(_without_title(text)), ("\n", "")]
        return styled(*parts) if parts else styled(("This boss has no codex.", "dim"))

    def _rubric(self) -> Content:
        return rubric_text(self._pack.rubric)

    def _trials(self) -> Content:
        self._record = read_record(self.session.history(), self._pack.boss_id)
        return trials_text(titles_by_group(self._pack.trials), self._record, look(self).glyphs)

    # Actions

    def action_fight(self) -> None:
        """Open the arena with this boss."""
        self.navigator.open_arena(self._pack)

    def action_starter(self) -> None:
        """Create the starter folder and open the arena with it; if that fails, another folder can be named there."""
        starter = self.session.make_starter(self._pack)
        self.navigator.open_arena(self._pack, str(starter or ""))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable impostors only if the boss has some, and copying only if a command is shown."""
        if action == "copy_command":
            return self._tab == "trials" and bool(self._record.first_command)
        return action != "impostors" or self.session.services.has_impostors(self._pack)

    def action_copy_command(self) -> None:
        """Copy the command that repeats the first failed trial."""
        self.game.copy_to_clipboard(self._record.first_command)
        self.notify("Copied. Paste it into a shell in your folder.", markup=False)

    def action_impostors(self) -> None:
        """Practise with the tests alone."""
        self.navigator.open_impostors(self._pack)

    def action_teach(self) -> None:
        """Show the actions for teachers."""
        self.navigator.open_teaching_menu(self._pack)

    def action_lab(self) -> None:
        """Open the lab with this boss's rubric."""
        self.navigator.open_lab(self._pack)

    def action_duel(self) -> None:
        """Compare two judges on one submission."""
        self.navigator.open_judge_comparison(self._pack)

    def show_version(self, pack: "BossPack") -> None:
        """Show the current version of the pack."""
        self._pack = pack
        self._open(self._tab)

    def action_classes(self) -> None:
        """Judge a class against this boss."""
        self.navigator.open_classes(self._pack)

    def action_stage(self) -> None:
        """Open the lesson on this boss's rubric."""
        self.navigator.open_stage(self._pack)

    @on(AttemptTable.Opened)
    def _open_attempt(self, event: AttemptTable.Opened) -> None:
        self.navigator.open_attempt(event.key)


def _without_title(text: str) -> str:
    """Remove a tier's own first heading, which would repeat ours."""
    lines = text.strip().splitlines()
    return "\n".join(lines[1:]) if lines and lines[0].startswith("# ") else text
