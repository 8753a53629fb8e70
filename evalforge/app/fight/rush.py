"""Boss rush: fights every boss, one after the other, with the folder last used on each."""

import time
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.worker import Worker

from evalforge.app.fight.rush_board import Round, RushBoard
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import format_seconds
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model import events as ev
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import LOAD_GROUP
from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.app.core.services import FightEngine

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
                    await self._round(forge, index, rush_round)
                    self._show_tally(format_seconds(time.monotonic() - began))
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
        self._rushing = None
        self.session.forget_progress()
        self.game.ring_bell()
        self.refresh_bindings()

    async def _round(self, forge: "FightEngine", index: int, rush_round: Round) -> None:
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
        points, most = sum(rush_round.struck for rush_round in rounds), sum(rush_round.maximum for rush_round in rounds)
        parts = [
            (f"{fell} of {len(rounds)} fell", "bold molten" if fell else "bold ash"),
            (f" · {format_number(points)} of {format_number(most)} points · {end}", "dim"),
        ]
        self.query_one("#tally", Prose).set_text(styled(*parts))
        self.refresh_bindings()
