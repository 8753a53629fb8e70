"""One judging on a stage: one worker runs the forge, another shows its events; both can be stopped."""

import asyncio
from contextlib import aclosing
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.worker import Worker, WorkerState

from evalforge.app.core.judged_submission import JudgedSubmission, judged_attempt, judged_now
from evalforge.app.fight.stage.verdict_panel import Earlier
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.text.formatting import format_seconds
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model import events as ev
from evalforge.model.cost import Cost
from evalforge.model.errors import EvalForgeError, SubmissionError
from evalforge.model.number_format import format_percent
from evalforge.own_failure import ungraded_by

if TYPE_CHECKING:
    from evalforge.app.fight.rewards import Reward
    from evalforge.model.attempt import Attempt
    from evalforge.model.result import BossEvalResult, Judgement
    from evalforge.packs.pack import BossPack

    Arrivals = asyncio.Queue[ev.Event | SubmissionError | None]
    """What to show: events, or why there is nothing to judge; None at the end."""


class FightPhase(Enum):
    """The phase of a judging."""

    WAITING = auto()
    """Nothing has been judged yet; the next save will be."""
    JUDGING = auto()
    """Events are still arriving or being shown."""
    DONE = auto()
    STOPPED = auto()


class JudgingScreen(StageScreen):
    """Judges one directory against one boss, repeatedly if asked."""

    def __init__(self, pack: "BossPack", directory: Path, notes: str = "") -> None:
        super().__init__()
        self._pack, self._directory, self._notes = pack, directory, notes
        self._phase = FightPhase.WAITING
        self._practice = False
        self._event_queue: Arrivals = asyncio.Queue()
        self._result: BossEvalResult | None = None
        self._judgements: tuple[Judgement, ...] = ()
        self._attempt_id = ""
        self._attempt: Attempt | None = None
        self._status_text = ""
        self._cost = Cost()
        self._workers_running: tuple[Worker[None], ...] = ()
        self._is_decided = False

    @property
    def settled(self) -> bool:
        """Whether there is a verdict."""
        return self._phase is FightPhase.DONE and self._result is not None

    def begin(self, *, practice: bool = False) -> None:
        """Judge the directory as it is now; practice is not stored and shows its end at once."""
        self._cancel_workers()
        self._phase, self._practice = FightPhase.JUDGING, practice
        self._result, self._judgements, self._attempt_id, self._attempt = None, (), "", None
        self._status_text, self._cost, self._is_decided = "", Cost(), False
        self._event_queue = asyncio.Queue()
        self.stage.reset()
        self.stage.earlier = self.earlier()
        if practice:
            self.stage.pacer.skip()
        self.set_focus(None)
        self.set_status([("saved, judging" if practice else "judging", "ember" if practice else "dim")])
        self.refresh_bindings()
        self._workers_running = (self._judge(self._event_queue), self._show(self._event_queue))

    def earlier(self) -> Earlier | None:
        """What this attempt is compared with: the best so far."""
        best = self.session.boss_progress().get(self._pack.boss_id)
        return Earlier(best.best_integrity, f"your best is {format_percent(best.best_integrity)}") if best else None

    def stop(self) -> None:
        """Stop judging: cancel the workers and everything they run."""
        self._cancel_workers()
        self._phase = FightPhase.STOPPED
        self.stage.stop()
        self.set_status([("stopped", "ember")])

    def _cancel_workers(self) -> None:
        for worker in self._workers_running:
            worker.cancel()
        self._workers_running = ()

    def ended(self) -> None:
        """Called when everything of the fight has been shown."""

    def set_status(self, status: list[Run]) -> None:
        """Show the status at the right of the heading."""
        self.query_one("#heading", Heading).set_text(right=status)

    # Running

    @work(exclusive=True, group="fight", exit_on_error=False)
    async def _judge(self, arrived: "Arrivals") -> None:
        """Run the fight, passing each event on to the stage."""
        tries = self.session.tries(self._pack.boss_id)
        options = self.session.services.options(self._notes, practice=self._practice, tries=tries)
        try:
            forge = await self.session.engine()
            stream = forge.fight(self._pack, self._directory, options)
            async with aclosing(stream) as events:
                async for event in events:
                    arrived.put_nowait(event)
                    if isinstance(event, ev.Judged | ev.Ungraded):
                        self._forbid_stopping()
        except SubmissionError as error:
            arrived.put_nowait(error)
        self._forbid_stopping()
        arrived.put_nowait(None)

    def _forbid_stopping(self) -> None:
        """Disable stopping: the result is decided and will be stored."""
        self._is_decided = True
        self.refresh_bindings()

    @work(exclusive=True, group="show", exit_on_error=False)
    async def _show(self, arrived: "Arrivals") -> None:
        """Show arrived events, beat by beat."""
        while (event := await arrived.get()) is not None:
            if isinstance(event, SubmissionError):
                self.stage.refuse(event.message, event.hint)
            else:
                self._keep_event(event)
                await self.stage.present(event)
        self._phase = FightPhase.DONE
        self.ended()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """End a fight as ungraded on an error, and say so; it must not end the game."""
        worker = cast("Worker[Any]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if event.state is not WorkerState.ERROR or worker.error is None:
            return
        if worker.group not in ("fight", "show"):
            return
        event.prevent_default()
        if worker.group == "fight":
            self._event_queue.put_nowait(ungraded_by(worker.error))
            self._event_queue.put_nowait(None)
            self._forbid_stopping()
        else:
            self._phase = FightPhase.DONE
            self.notify(problem(worker.error), title="The stage failed", severity="error", markup=False)
            self.ended()

    def _keep_event(self, event: ev.Event) -> None:
        """Store the parts of an event that the screen itself needs."""
        match event:
            case ev.Started():
                cage = f"{event.isolation} sandbox" if event.isolation else ""
                model = f" {event.judge.model}" if event.judge.model else ""
                self._status_text = f"{event.judge.name}{model} judge · {cage}"
                if not self._practice:
                    self.set_status([(self._status_text, "dim")])
            case ev.Judged():
                self._result, self._judgements = event.result, event.judgements
                cost_text = f" · {self._cost.price}" if self._cost.input_tokens or self._cost.output_tokens else ""
                self._status_text = f"{self._status_text} · {format_seconds(event.at)}{cost_text}"
                if not self._practice:
                    self.set_status([(self._status_text, "dim")])
            case ev.Spent():
                self._cost = event.cost
            case ev.Ungraded():
                self._result = None
            case ev.Saved():
                self._attempt_id = event.attempt_id
            case _:
                pass

    # Afterwards

    def stored_attempt(self) -> "Attempt | None":
        """The attempt as history stores it, read once for each fight; None for practice."""
        if self._attempt is None and self._attempt_id:
            self._attempt = self._read_attempt(self._attempt_id)
        return self._attempt

    def _read_attempt(self, attempt_id: str) -> "Attempt | None":
        history = self.session.history()
        if history is None:
            return None
        try:
            return history.get(attempt_id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="warning", markup=False)
            return None

    def previous_attempt(self) -> "Attempt | None":
        """The last judged attempt on this boss before this one."""
        from evalforge.history.listing import AttemptFilter

        history = self.session.history()
        if history is None:
            return None
        try:
            if self._attempt_id:
                return history.previous(self._attempt_id)
            latest = history.page(AttemptFilter(self._pack.boss_id), 0, 1)
            return history.get(latest[0].id) if latest else None
        except EvalForgeError as error:
            self.notify(problem(error), severity="warning", markup=False)
            return None

    def new_rewards(self) -> "list[Reward]":
        """The rewards of this attempt beyond its points: achievements, a rank, a best result."""
        from evalforge.app.fight.rewards import new_rewards

        history = self.session.history()
        if history is None or not self._attempt_id:
            return []
        hints = history.hints_read()
        counted = history.tallies.tally_before(self._attempt_id, hints)
        return new_rewards(*counted, hints) if counted else []

    def judged_submission(self) -> JudgedSubmission:
        """Return the stored attempt as a judged submission; for practice, the current files with their evidence."""
        attempt = self.stored_attempt()
        if attempt is not None:
            return judged_attempt(attempt, self.stage.boss, self._pack.codex.hints)
        submission = self.session.services.collect_quietly(self._pack, self._directory, self._notes)
        directory = self._directory / submission.folder
        return judged_now(self._pack, self._judgements, self.stage.evidence, submission, str(directory))
