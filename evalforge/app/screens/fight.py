"""The fight: a judging runs, its events strike the boss, the verdict says what to do next."""

import asyncio
from collections.abc import Iterable
from contextlib import aclosing
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from evalforge.app.foe import foe_of
from evalforge.app.screens.base import GameScreen
from evalforge.app.widgets.criterion_board import CriterionBoard
from evalforge.app.widgets.heading import Heading, Words
from evalforge.app.widgets.hp_bar import HpBar
from evalforge.app.widgets.stage import Stage
from evalforge.app.words import TIERS, seconds
from evalforge.model import events as ev
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from evalforge.library.pack import BossPack
    from evalforge.model.result import BossEvalResult

_KEYS_LEFT_ALONE = frozenset({"escape", "ctrl+q", "ctrl+c", "question_mark", "f1", "ctrl+p"})


class Phase(Enum):
    """Where the fight stands."""

    JUDGING = auto()
    """Events are still to come or to be shown."""
    DONE = auto()
    STOPPED = auto()


class FightScreen(GameScreen):
    """One fight after the other against one boss from one directory."""

    CSS_PATH = "fight.tcss"
    NAME = "The fight"
    HELP_TEXT = """
Your code is run against the boss's trials, then judged criterion by criterion. Each level you reach takes a bite
of the boss; the bar shows whose bite is whose. Gold is what you struck, the mark is where you pass, the rest is what
the boss keeps.

While it runs, any key shows everything at once; `esc` stops it, and nothing is scored.
Afterwards, `up` and `down` choose a criterion, `enter` opens it: the reason, the evidence,
and what the next level needs.
Fix your code, save it, and press `r`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "again", "again", id="fight.again"),
        Binding("v", "turn('verdict')", "verdict", id="fight.verdict"),
        Binding("l", "turn('log-view')", "trials", id="fight.log"),
        Binding("u", "rubric", "rubric", id="fight.rubric"),
        Binding("a", "attempts", "attempts", id="fight.attempts"),
        Binding("escape", "stop", "stop", id="fight.stop"),
        Binding("pageup", "scroll_side(-1)", "scroll the words", show=False, id="fight.page_up"),
        Binding("pagedown", "scroll_side(1)", "scroll the words", show=False, id="fight.page_down"),
        Binding("escape", "leave", "back", id="fight.leave"),
    ]

    def __init__(self, pack: "BossPack", directory: Path, notes: str = "") -> None:
        super().__init__()
        self._pack, self._directory, self._notes = pack, directory, notes
        self._phase = Phase.JUDGING
        self._arrived: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        self._result: BossEvalResult | None = None
        self._attempt_id = ""
        self._right = ""
        self._working: tuple[Worker[None], ...] = ()

    def body(self) -> Iterable[Widget]:
        """Heading and stage."""
        yield Heading(self._words(), id="heading")
        yield Stage(foe_of(self._pack), id="stage")

    def _words(self) -> list[Words]:
        definition = self._pack.definition
        place = f"  tier {TIERS[definition.metadata.tier]} · {definition.metadata.realm}".rstrip(" ·")
        return [(definition.title.upper(), definition.metadata.accent, True), (place, "dim", False)]

    def on_mount(self) -> None:
        """Strike at once."""
        self.action_again()

    @property
    def stage(self) -> Stage:
        """The stage."""
        return self.query_one(Stage)

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now can be pressed."""
        judging = self._phase is Phase.JUDGING
        if action == "stop":
            return judging
        if action in {"again", "leave", "attempts", "rubric", "open", "move"}:
            return not judging
        if action == "turn":
            return not judging and self.is_mounted and self.stage.side != parameters[0]
        return True

    def action_again(self) -> None:
        """Strike again from the same directory."""
        self._phase, self._result, self._attempt_id = Phase.JUDGING, None, ""
        self._arrived = asyncio.Queue()
        self.stage.reset()
        self.set_focus(None)
        self.query_one(Heading).say(right=[("the forge is lit", "dim", False)])
        self.refresh_bindings()
        self._working = (self._judge(self._arrived), self._show(self._arrived))

    def action_stop(self) -> None:
        """Stop judging: the workers are cancelled, and with them whatever runs."""
        for worker in self._working:
            worker.cancel()
        self._phase = Phase.STOPPED
        self.stage.reset()
        self.stage.bar.note("stopped: nothing was scored")
        self.query_one(Heading).say(right=[("stopped", "ember", False)])
        self._rest()

    def action_leave(self) -> None:
        """Close an open criterion first, then leave."""
        if self.stage.side == "story":
            self.action_turn("verdict")
        else:
            self.action_back()

    def action_turn(self, side: str) -> None:
        """Show the verdict or the trials."""
        self.stage.bar.chosen = ""
        self.stage.turn_to(side)
        self.refresh_bindings()

    def action_scroll_side(self, pages: int) -> None:
        """Scroll what stands beside the sprite."""
        self.stage.scroll_side(pages)

    def action_attempts(self) -> None:
        """All tries on this boss."""
        from evalforge.app.screens.attempts import AttemptsScreen

        self.game.push_screen(AttemptsScreen(self._pack.boss_id))

    def action_rubric(self) -> None:
        """The boss's page, at its rubric."""
        from evalforge.app.screens.boss import BossScreen

        self.game.push_screen(BossScreen(self._pack, "rubric"))

    def on_key(self, event: events.Key) -> None:
        """Any key shows the rest at once."""
        if self._phase is Phase.JUDGING and event.key not in _KEYS_LEFT_ALONE and not self.stage.beats.skipping:
            event.stop()
            self.stage.beats.skip()
            self.stage.bar.finish()

    def on_click(self) -> None:
        """So does a click."""
        if self._phase is Phase.JUDGING:
            self.stage.beats.skip()

    @on(CriterionBoard.Opened)
    @on(HpBar.Chosen)
    def _open(self, event: CriterionBoard.Opened | HpBar.Chosen) -> None:
        if self._phase is Phase.DONE and self._result is not None:
            if isinstance(event, HpBar.Chosen):
                self.stage.board.point(event.criterion_id)
            self.stage.open_story(event.criterion_id)
            self.refresh_bindings()

    @on(CriterionBoard.Pointed)
    def _follow(self, event: CriterionBoard.Pointed) -> None:
        self.stage.bar.chosen = event.criterion_id
        if self.stage.side == "story":
            self.stage.open_story(event.criterion_id)

    # What runs

    @work(exclusive=True, group="fight", exit_on_error=False)
    async def _judge(self, arrived: "asyncio.Queue[ev.Event | None]") -> None:
        """Let the forge judge; events go to the stage as they come."""
        try:
            forge = await self.game.forge()
            stream = forge.fight(self._pack, self._directory, self.game.services.options(self._notes))
            async with aclosing(cast("AsyncGenerator[ev.Event, None]", stream)) as told:
                async for event in told:
                    arrived.put_nowait(event)
        except EvalForgeError as error:
            arrived.put_nowait(ev.Ungraded(reason=error.message, advice=error.hint))
        arrived.put_nowait(None)

    @work(exclusive=True, group="show", exit_on_error=False)
    async def _show(self, arrived: "asyncio.Queue[ev.Event | None]") -> None:
        """Show what arrived, beat by beat."""
        while (event := await arrived.get()) is not None:
            self._note(event)
            await self.stage.present(event)
        self._phase = Phase.DONE
        self._compare()
        self._rest()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error of ours ends a fight ungraded, and says so; it never ends the game."""
        worker = cast("Worker[Any]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if event.state is WorkerState.ERROR and worker.group in ("fight", "show"):
            reason = f"{type(worker.error).__name__}: {clean_line(str(worker.error))}"
            ungraded = ev.Ungraded(reason=reason, advice="Please report this. Your attempt was not scored.")
            if worker.group == "fight":
                self._arrived.put_nowait(ungraded)
                self._arrived.put_nowait(None)
            else:
                self._phase = Phase.DONE
                self.notify(reason, title="The stage broke", severity="error", markup=False)
                self._rest()

    def _note(self, event: ev.Event) -> None:
        """Keep what the screen itself needs from an event."""
        match event:
            case ev.Started():
                cage = f"{event.isolation} cage" if event.isolation else ""
                model = f" {event.judge.model}" if event.judge.model else ""
                self._right = f"{event.judge.name}{model} judge · {cage}"
                self.query_one(Heading).say(right=[(self._right, "dim", False)])
            case ev.Judged():
                self._result = event.result
                self.query_one(Heading).say(right=[(f"{self._right} · {seconds(event.at)}", "dim", False)])
            case ev.Ungraded():
                self._result = None
            case ev.Saved():
                self._attempt_id = event.attempt_id
            case _:
                pass

    def _compare(self) -> None:
        """What changed since the last try, if this one is kept."""
        if self._result is None:
            return
        previous = None
        history = self.game.chronicle()
        if history is not None and self._attempt_id:
            try:
                previous = history.previous(self._attempt_id)
            except EvalForgeError as error:
                self.notify(clean_line(str(error)), severity="warning", markup=False)
        self.stage.compare(self._result, previous)
        self.game.forget_standings()

    def _rest(self) -> None:
        """The fight is over: the keys are the player's again."""
        self.stage.board.focus()
        self.refresh_bindings()
