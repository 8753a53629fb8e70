"""A boss's page: what to build, its lore, how it is judged, and the player's results."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.attempts.try_chart import TryPanel
from evalforge.app.fight.judgement_text import rubric_text
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import contract, render_markup, spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.text import clean_line
from evalforge.model.voice import Moment
from evalforge.packs.impostors import impostors_file
from evalforge.packs.lint.trial_files import titles_by_group
from evalforge.packs.path_checks import is_file
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.summary import TIERS

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.history.store import History
    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import TrialResult
    from evalforge.packs.pack import BossPack

# The trials of a boss with the player's results: ticks from the last attempt, and since when one fails.

ATTEMPTS_READ = 20
"""The number of latest attempts searched for when a trial began to fail."""
_STEPS_SHOWN = 3


class TrialHistory:
    """The results of a boss's trials, attempt by attempt.

    Args:
        attempts: Judged attempts with their numbers, the latest first.
    """

    def __init__(self, attempts: "Sequence[tuple[int, Attempt]]") -> None:
        self.number = attempts[0][0] if attempts else 0
        """The number of the latest attempt; 0 without one."""
        self._tries = [(number, attempt.evidence.trials) for number, attempt in attempts]

    def cases(self, group: str, title: str) -> "list[TrialResult]":
        """The results of a trial in the latest attempt: one, or one for each of its cases."""
        return _cases(self._tries[0][1], group, title) if self._tries else []

    def fails_since(self, group: str, title: str) -> int:
        """The number of the attempt since which the trial has failed without interruption."""
        since = 0
        for number, results in self._tries:
            cases = _cases(results, group, title)
            if not cases or all(case.passed for case in cases):
                break
            since = number
        return since

    @property
    def first_command(self) -> str:
        """The shell command of the first failed trial that has one; empty if none has."""
        results = self._tries[0][1] if self._tries else ()
        return next((trial.command for trial in results if trial.command and not trial.passed), "")


def read_record(history: "History | None", boss_id: str) -> TrialHistory:
    """Read the record of the player's own attempts on a boss."""
    from evalforge.history.listing import AttemptFilter
    from evalforge.model.attempt import AttemptState

    if history is None:
        return TrialHistory(())
    rows = history.page(AttemptFilter(boss_id, state=AttemptState.JUDGED.value), 0, ATTEMPTS_READ)
    own = [row for row in rows if row.is_own]
    return TrialHistory([(row.own_number, history.get(row.id)) for row in own])


def trials_text(groups: Mapping[str, Sequence[str]], record: TrialHistory, glyphs: Glyphs) -> Content:
    """Every trial with its last result; failed ones with their call and what was returned."""
    count = sum(len(record.cases(group, title)) for group, titles in groups.items() for title in titles)
    head = f"Trials in {plural(len(groups), 'group')}."
    if record.number:
        head = f"{plural(count, 'trial')} in {plural(len(groups), 'group')}. Results of attempt {record.number}."
    parts: list[Run] = [(f"{head}\n", "dim")]
    for group, titles in groups.items():
        parts.append((f"\n{clean_line(group).replace('_', ' ')}", "bold ember"))
        parts.append((f"  {_tally(group, titles, record)}\n", "dim"))
        for title in titles:
            parts += _trial(group, title, record, glyphs)
    return styled(*parts)


def _tally(group: str, titles: Sequence[str], record: TrialHistory) -> str:
    cases = [case for title in titles for case in record.cases(group, title)]
    return f"{sum(case.passed for case in cases)} of {len(cases)} passed" if cases else ""


def _trial(group: str, title: str, record: TrialHistory, glyphs: Glyphs) -> list[Run]:
    cases = record.cases(group, title)
    failed = [case for case in cases if not case.passed]
    if not cases:
        return [(f"  {glyphs.dot} {clean_line(title)}\n", "ash")]
    if not failed:
        return [(f"  {glyphs.passed} ", "verdigris"), (f"{clean_line(title)}\n", "ash")]
    since = record.fails_since(group, title)
    mark, role = glyphs.outcome(failed[0].outcome)
    outcome = failed[0].outcome.value
    state = outcome if outcome == "not reached" else f"fails since attempt {since}"
    which = f"{len(failed)} of {len(cases)} cases, " if len(cases) > 1 else ""
    return [
        (f"  {mark} ", role), (clean_line(title), "bold ash"),
        (f"  {which}{state}\n", role), *_shown_failure(failed[0], glyphs),
    ]  # fmt: skip


def _shown_failure(trial: "TrialResult", glyphs: Glyphs) -> list[Run]:
    """The parts of a failed trial that players may see: its message, its calls, and a shell command."""
    parts: list[Run] = []
    if trial.message:
        parts += [("      ", ""), *spans(clean_line(trial.message), "dim"), ("\n", "")]
    for step in trial.steps[-_STEPS_SHOWN:]:
        parts.append((f"      {clean_line(step.call)} {glyphs.arrow} {clean_line(step.result)}\n", "faint"))
    if trial.command:
        parts.append((f"      $ {clean_line(trial.command)}\n", "steel"))
    return parts


def _cases(trials: "Sequence[TrialResult]", group: str, title: str) -> "list[TrialResult]":
    """The results of one trial: its own, or those of its cases, which are named ``Title: empty.``."""
    beginnings = (f"{title.rstrip('.')}: ", f"{title} (")
    return [
        trial
        for trial in trials
        if trial.group == group and (trial.title == title or ("[" in trial.id and trial.title.startswith(beginnings)))
    ]


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
            with Vertical(id="past"):
                yield AttemptTable(id="tries")
                yield TryPanel(id="chart")
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
        self._show_page(self._tab)
        if self.session.services.judge not in ("forge", "forge+words"):
            self._prepare()

    @work(exclusive=True, group="prepare", exit_on_error=False)
    async def _prepare(self) -> None:
        """Prepare the model judge while the player reads; only players who chose one pay for that."""
        forge = await self.session.engine()
        await forge.prepare(self._pack, self.session.services.models)

    @on(TabBar.TabOpened)
    def _show_tab(self, event: TabBar.TabOpened) -> None:
        self._show_page(event.name)

    def _show_page(self, tab: str) -> None:
        self._tab = tab
        self.call_after_refresh(self.refresh_bindings)
        text = self.query_one("#text", Panel)
        tries = self.query_one(AttemptTable)
        self.query_one("#past").display = tab == "attempts"
        text.display = tab != "attempts"
        if tab == "attempts":
            self._show_attempts(tries, text)
        else:
            builders = {"briefing": self._briefing, "codex": self._codex, "rubric": self._rubric}
            text.set_text(builders.get(tab, self._trials)())
            text.focus()

    def _show_attempts(self, tries: AttemptTable, text: Panel) -> None:
        from evalforge.history.listing import AttemptFilter

        history = self.session.history()
        attempt_filter = AttemptFilter(self._pack.boss_id)
        count = history.count(attempt_filter) if history else 0
        if history is None or not count:
            text.display = True
            self.query_one("#past").display = False
            line = self.session.boss_line(self._pack.boss_id, Moment.NO_ATTEMPTS)
            begin = ("No attempts yet. ", "dim"), (look(self).glyphs.enter, "bold ember"), (" begins one.", "dim")
            text.set_text(styled(*begin, (f"\n{line}", "italic dim")).rstrip())
            return
        thresholds = {self._pack.boss_id: self._pack.rubric.overall.pass_threshold}
        self.query_one(TryPanel).show(self.session, self._pack.boss_id, "")
        tries.show(count, lambda start, limit: history.page(attempt_filter, start, limit), thresholds, with_boss=False)
        tries.focus()

    @on(AttemptTable.Pointed)
    def _choose_attempt(self, event: AttemptTable.Pointed) -> None:
        self.query_one(TryPanel).choose(event.key)

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
        return action != "impostors" or is_file(impostors_file(self._pack.path))

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
        self._show_page(self._tab)

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


def open_version(game: "GameApp", old: Path, pack: "BossPack") -> None:
    """Use a boss's new version from now on, also on the pages that are open, and open it in the lab."""
    game.session.use_version(old, pack)
    for screen in game.screen_stack:
        if isinstance(screen, BossScreen):
            screen.show_version(pack)
    game.navigator.open_lab(pack)
