"""Boss rush: fights every boss, one after the other, with the folder last used on each."""

import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import work
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.widget import Widget
from textual.worker import Worker

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, format_seconds
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painting import fit, fit_tail
from evalforge.app.ui.widgets.small_hp_bar import hp_runs
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model import events as ev
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import LOAD_GROUP
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.fight import Forge

# Every boss of a rush on a line: its folder, its draining bar, and the outcome.

_TITLE, _SCORE, _STATUS = 24, 7, 16
_WIDE = 100


@dataclass(frozen=True)
class Round:
    """One boss of the rush. ``state`` is ``waiting``, ``fighting``, ``over`` or ``skipped``."""

    slug: str
    title: str
    accent: str
    folder: str
    maximum: float = 0
    state: str = "waiting"
    struck: float = 0
    outcome: str = ""
    verdict: str = ""
    trials: tuple[int, int] = (0, 0)


class RushBoard(LineScroll):
    """The rounds, one under the other."""

    DEFAULT_CSS = """
    RushBoard { width: 100%; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.rounds: list[Round] = []
        self._step = 1
        """Lines per round, as they were laid out."""

    def show(self, rounds: Sequence[Round]) -> None:
        """Show these rounds of the rush."""
        self.rounds = list(rounds)
        self.arrange_lines()

    def change(self, index: int, **what: object) -> None:
        """Change the content of one line, and scroll it into view."""
        self.rounds[index] = replace(self.rounds[index], **what)  # type: ignore[arg-type]
        self.scroll_to_region(Region(0, index * self._step, 1, self._step), animate=False, force=True)
        self.refresh()

    def lay_out(self, width: int) -> Size:
        """Lay out a line for each round, separated by blank lines if there is room."""
        self._step = 2 if len(self.rounds) * 2 <= self.size.height else 1
        return Size(width, len(self.rounds) * self._step)

    def line(self, y: int) -> Line:
        """Draw a round of the rush as one line."""
        index, part = divmod(y, self._step)
        return () if part else self._round_line(self.rounds[index], self.line_width)

    def _round_line(self, rush_round: Round, width: int) -> Line:
        current_look = look(self)
        glyphs = current_look.glyphs
        fighting, over, skipped = (rush_round.state == state for state in ("fighting", "over", "skipped"))
        marks = {"waiting": glyphs.empty_pip, "fighting": glyphs.half_pip, "skipped": glyphs.dot}
        passed = rush_round.verdict in ("pass", "strong_pass")
        mark = marks.get(
            rush_round.state, glyphs.passed if passed else glyphs.failed if rush_round.verdict else glyphs.dot
        )
        role = (
            "ember"
            if fighting
            else VERDICT_ROLES.get(rush_round.verdict, "dim")
            if over
            else "faint"
            if skipped
            else "dim"
        )
        accent = current_look.palette.accent(rush_round.accent) if fighting else "steel"
        ink = accent if fighting else "faint" if skipped else "ash"
        title = min(_TITLE, max(len(clean_line(rush_round.title)) for rush_round in self.rounds))
        # A round that is over without a verdict has no score, which differs from a score of 0.
        has_score = bool(rush_round.maximum) and (fighting or bool(rush_round.verdict))
        score = f"{format_number(rush_round.struck)}/{format_number(rush_round.maximum)}" if has_score else ""
        status = rush_round.outcome or VERDICT_WORDS.get(rush_round.verdict, "")
        if fighting and rush_round.trials[1]:
            status = f"{rush_round.trials[0]} of {rush_round.trials[1]} trials"
        bar_width = 36 if width >= _WIDE else 16
        share = min(1.0, max(0.0, rush_round.struck / rush_round.maximum)) if rush_round.maximum else 0.0
        bar = hp_runs(share, bar_width, current_look, accent, fallen=passed)
        if skipped:
            bar = ((" " * bar_width, ""),)
        line: Line = (
            (f" {glyphs.cursor if fighting else ' '} ", "bold ember"),
            (f"{mark} ", role),
            (fit(clean_line(rush_round.title), title) + "  ", ink),
            *bar,
            (f"{score:>{_SCORE}}  ", "bold ash" if over else "ash"),
            (fit(status, _STATUS) + " ", role),
        )
        width_left = width - sum(cell_len(text) for text, _ in line) - 1
        return (*line, (fit_tail(clean_line(rush_round.folder), width_left, glyphs.ellipsis), "faint"))


_SKIP = "no folder yet"


class RushScreen(GameScreen):
    """A bar for each boss. A rush can be stopped at any time; results so far are kept."""

    CSS_PATH = "rush.tcss"
    NAME = "Boss rush"
    HELP_TEXT = """
You fight every boss you have fought before, one after the other, with the folder you used last. Each fight is a
normal attempt and is saved. Bosses you haven't fought are skipped.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "begin", "begin", key_display="⏎", id="rush.begin"),
        Binding("escape", "stop", "stop", id="rush.stop"),
        Binding("a", "attempts", "attempts", id="rush.attempts"),
        Binding("escape", "back", "back", id="rush.back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._rushing: Worker[None] | None = None
        self._folders: dict[str, Path] = {}

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the bosses and the tally."""
        yield Heading([("BOSS RUSH", "bold ember")], id="heading")
        yield RushBoard(id="rounds")
        yield Prose(id="tally")

    def on_mount(self) -> None:
        """Show the bosses and the folders for the rush."""
        history = self.session.history()
        rounds: list[Round] = []
        for boss in self.session.services.find_bosses():
            if boss.error:
                continue
            recent = history.recent_directories(boss.slug, 1) if history else []
            folder = next((Path(path) for path in recent if Path(path).is_dir()), None)
            if folder is not None:
                self._folders[boss.slug] = folder
            text = "ready" if folder else "folder not found" if recent else _SKIP
            state = "waiting" if folder else "skipped"
            rounds.append(Round(boss.slug, boss.title, boss.accent, short(folder) if folder else "", 0, state, 0, text))
        self.query_one(RushBoard).show(rounds)
        self.query_one(RushBoard).focus()
        count = len(self._folders)
        text = f"{count} of {len(rounds)} bosses have a folder to fight with." if count else "Fight a boss first."
        self.query_one("#tally", Prose).set_text(styled((text, "dim")))
        self.session.start_engine()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable either starting or stopping, whichever makes sense."""
        if action == "begin":
            return self._rushing is None and bool(self._folders)
        if action == "stop":
            return self._rushing is not None
        return self._rushing is None if action in ("back", "attempts") else True

    def action_attempts(self) -> None:
        """Open all past fights. If this were the app's own action, only the app could disable it."""
        self.navigator.open_attempts()

    def action_begin(self) -> None:
        """Fight the bosses one after the other."""
        board = self.query_one(RushBoard)
        for index, rush_round in enumerate(board.rounds):
            if rush_round.slug in self._folders:
                board.change(index, state="waiting", struck=0, outcome="", verdict="", trials=(0, 0))
        self._rushing = self._rush()
        self.refresh_bindings()

    def action_stop(self) -> None:
        """Stop the rush and cancel the current fight."""
        if self._rushing is not None:
            self._rushing.cancel()
        self._rushing = None
        self.session.forget_progress()
        board = self.query_one(RushBoard)
        for index, rush_round in enumerate(board.rounds):
            if rush_round.state == "fighting":
                board.change(index, state="waiting", struck=0, outcome="stopped", trials=(0, 0))
        self._show_tally("Stopped.")

    @work(exclusive=True, group="rush", exit_on_error=False)
    async def _rush(self) -> None:
        began = time.monotonic()
        try:
            forge = await self.session.engine()
            for index, rush_round in enumerate(self.query_one(RushBoard).rounds):
                if rush_round.slug in self._folders:
                    await self._fight_round(forge, index, rush_round)
                    self._show_tally(format_seconds(time.monotonic() - began))
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
        self._rushing = None
        self.session.forget_progress()
        self.game.ring_bell()
        self.refresh_bindings()

    async def _fight_round(self, forge: "Forge", index: int, rush_round: Round) -> None:
        board = self.query_one(RushBoard)
        pack = self.session.require_boss(rush_round.slug)
        if pack is None:
            board.change(index, state="over", outcome="broken pack")
            return
        board.change(index, state="fighting", maximum=pack.rubric.max_score)
        try:
            options = self.session.services.options(tries=self.session.tries(pack.boss_id))
            stream = forge.fight(pack, self._folders[rush_round.slug], options)
            async with aclosing(stream) as events:
                async for event in events:
                    self._show_event(index, event)
        except EvalForgeError as error:
            board.change(index, state="over", struck=0, outcome="not judged")
            self.notify(problem(error), severity="warning", markup=False)

    def _show_event(self, index: int, event: ev.Event) -> None:
        board = self.query_one(RushBoard)
        now = board.rounds[index]
        match event:
            case ev.TrialsPlanned():
                board.change(index, trials=(0, sum(event.groups.values())))
            case ev.TrialFinished() if event.trial.group != LOAD_GROUP:
                board.change(index, trials=(now.trials[0] + 1, now.trials[1]))
            case ev.CriterionJudged() if not event.provisional:
                board.change(index, struck=now.struck + event.judgement.score)
            case ev.Judged():
                result = event.result
                board.change(index, state="over", struck=result.score_total, verdict=result.verdict.value)
            case ev.Ungraded():
                board.change(index, state="over", struck=0, outcome="ungraded")
            case _:
                pass

    def _show_tally(self, end: str) -> None:
        rounds = [
            rush_round
            for rush_round in self.query_one(RushBoard).rounds
            if rush_round.state == "over" and rush_round.verdict
        ]
        fell = sum(rush_round.verdict in ("pass", "strong_pass") for rush_round in rounds)
        points = sum(rush_round.struck for rush_round in rounds)
        most = sum(rush_round.maximum for rush_round in rounds)
        parts = [
            (f"{fell} of {len(rounds)} fell", "bold molten" if fell else "bold ash"),
            (f" · {format_number(points)} of {format_number(most)} points · {end}", "dim"),
        ]
        self.query_one("#tally", Prose).set_text(styled(*parts))
        self.refresh_bindings()
