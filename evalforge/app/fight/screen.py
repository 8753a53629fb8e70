"""The fight: a judging runs, its events damage the boss, and the verdict says what to do next."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.core.boss_view import boss_view
from evalforge.app.core.judged_submission import JudgedSubmission, judged_attempt, judged_now
from evalforge.app.fight.judgement_text import next_boss_line
from evalforge.app.fight.rewards import stored_rewards
from evalforge.app.fight.riddles import with_riddles
from evalforge.app.fight.save_watch import SaveWatch
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.fight.stage.verdict_panel import EarlierResult
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.text.formatting import format_seconds
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.errors import SubmissionError
from evalforge.model.events import Event, Judged, Started, Ungraded
from evalforge.model.evidence import newly_failing
from evalforge.model.fight_record import FightRecord
from evalforge.model.number_format import format_percent
from evalforge.own_failure import ungraded_by
from evalforge.packs.summary import TIERS

if TYPE_CHECKING:
    from textual.worker import Worker

    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import Evidence
    from evalforge.model.result import BossEvalResult
    from evalforge.packs.pack import BossPack
    from evalforge.packs.summary import BossSummary

# One judging on a stage: one worker runs the judge, another shows its events; both can be stopped.

EventSource = Callable[[], Awaitable[AsyncGenerator[Event]]]
"""Starts a judging, and returns its events."""


class FightPhase(Enum):
    """The phase of a judging."""

    WAITING = auto()
    """Nothing has been judged yet."""
    JUDGING = auto()
    """Events are still arriving or being shown."""
    DONE = auto()
    STOPPED = auto()


class FightRun:
    """A judging from its first event to the last one shown.

    Args:
        screen: The screen with the stage; the workers are the screen's.
        events: Starts the judging.
        on_status: Called when the status has changed.
        on_end: Called when everything has been shown; not if it was stopped.
        practice: Whether this isn't stored.
    """

    def __init__(
        self,
        screen: "StageScreen",
        events: EventSource,
        on_status: Callable[[], None],
        on_end: Callable[[], None],
        *,
        practice: bool = False,
    ) -> None:
        self._screen, self._events = screen, events
        self._on_status, self._on_end = on_status, on_end
        self._arrivals: asyncio.Queue[Event | SubmissionError | None] = asyncio.Queue()
        self._workers: tuple[Worker[None], ...] = ()
        self.practice = practice
        self.phase = FightPhase.WAITING
        self.record = FightRecord()
        """What has been shown so far."""
        self.is_decided = False
        """Whether the result is known and will be stored, so that stopping is too late."""

    def start(self) -> None:
        """Begin to judge."""
        self.phase = FightPhase.JUDGING
        self._workers = tuple(
            self._screen.run_worker(part, group=group, exclusive=True, exit_on_error=False)
            for part, group in ((self._judge(), "fight"), (self._show(), "show"))
        )

    def stop(self) -> None:
        """Cancel the workers and everything they run."""
        for worker in self._workers:
            worker.cancel()
        self.phase = FightPhase.STOPPED

    @property
    def is_judging(self) -> bool:
        """Whether events are still arriving or being shown."""
        return self.phase is FightPhase.JUDGING

    @property
    def is_settled(self) -> bool:
        """Whether there is a verdict, and all of it has been shown."""
        return self.phase is FightPhase.DONE and self.record.result is not None

    def status(self, *, watching: bool) -> list[Run]:
        """What the heading says of the fight.

        Args:
            watching: Whether saves are watched.
        """
        if self.phase is FightPhase.STOPPED:
            return [("watching: save to practise", "dim") if watching else ("stopped", "ember")]
        if self.is_judging and (self.practice or self.record.judge is None):
            return [("saved, judging", "ember") if self.practice else ("judging", "dim")]
        if self.practice:
            return [
                ("watching · " if watching else "", "ember"),
                ("practice, not saved", "bold ember"),
                ("" if watching else " · r strikes", "dim"),
            ]
        return [("watching: save to practise" if watching and not self.is_judging else self._judge_text, "dim")]

    @property
    def _judge_text(self) -> str:
        """The judge and the sandbox; after the verdict also what it took."""
        record = self.record
        if record.judge is None:
            return ""
        model = f" {record.judge.model}" if record.judge.model else ""
        cage = f"{record.isolation} sandbox" if record.isolation else ""
        text = f"{record.judge.name}{model} judge · {cage}"
        if record.judged is None:
            return text
        price = f" · {record.cost.price}" if record.cost.input_tokens or record.cost.output_tokens else ""
        return f"{text} · {format_seconds(record.judged.at)}{price}"

    async def _judge(self) -> None:
        """Pass each event on to the stage as it arrives, so that the judge never waits for the show."""
        try:
            async with aclosing(await self._events()) as events:
                async for event in events:
                    self._arrivals.put_nowait(event)
                    if isinstance(event, Judged | Ungraded):
                        self._decide()
        except SubmissionError as error:
            self._arrivals.put_nowait(error)
        except Exception as error:  # noqa: BLE001 - whatever we fail at, the fight has an end
            self._arrivals.put_nowait(ungraded_by(error))
        self._decide()
        self._arrivals.put_nowait(None)

    def _decide(self) -> None:
        self.is_decided = True
        self._screen.refresh_bindings()

    async def _show(self) -> None:
        """Show arrived events, beat by beat."""
        try:
            while (event := await self._arrivals.get()) is not None:
                await self._present(event)
        except Exception as error:  # noqa: BLE001 - the result is stored; only its show is cut short
            self._screen.notify(problem(error), title="The stage failed", severity="error", markup=False)
        self.phase = FightPhase.DONE
        self._on_end()

    async def _present(self, event: Event | SubmissionError) -> None:
        if isinstance(event, SubmissionError):
            self._screen.stage.refuse(event.message, event.hint)
            return
        self.record.add(event)
        if isinstance(event, Started | Judged):
            self._on_status()
        await self._screen.stage.present(with_riddles(event))


_KEYS_LEFT_ALONE = frozenset({"escape", "ctrl+q", "ctrl+c", "question_mark", "f1", "ctrl+p", "w"})


class FightScreen(StageScreen):
    """Fights one boss repeatedly from one directory; ``fight`` is the latest judging."""

    CSS_PATH = "screen.tcss"
    NAME = "The fight"
    HELP_TEXT = """
Your code runs against the boss's trials and is then judged, criterion by criterion. Each level you reach
strikes a chunk off the right end of the boss's HP bar; its name is below the chunk. At the mark the boss falls and the
rest of the bar turns to ash. Strike that off too, and the win is flawless.

After the trials the boss sends its impostors: programs that are wrong in one place each. Your tests meet them one
after the other. The mask of an impostor that you catch shatters; one that you miss laughs. `l` shows them again.

During a fight any key skips to the result; `esc` stops the fight, and nothing is scored. Afterwards `esc` opens the
verdict.
The arrows choose a criterion, and `enter` opens its evidence: the code, the trials, the next level, hints.
Fix your code, save it, and press `r`. `x` exports a card to share, or the fight as a moving picture.
After a victory `n` opens the next boss.

`w` watches the folder: every save is judged at once, as practice. Practice is not saved; press `r` to strike for real.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_boss", "next boss", id="fight.next"),
        Binding("r", "again", "again", id="fight.again"),
        Binding("w", "watch", "watch", id="fight.watch"),
        Binding("w", "rest", "stop watching", id="fight.rest"),
        Binding("v", "turn('verdict')", "verdict", id="fight.verdict"),
        Binding("l", "turn('log-view')", "trials", id="fight.log"),
        Binding("d", "compare", "compare", id="fight.compare"),
        Binding("x", "export", "export", id="fight.export"),
        Binding("u", "rubric", "rubric", id="fight.rubric"),
        Binding("a", "attempts", "attempts", id="fight.attempts"),
        Binding("escape", "stop", "stop", id="fight.stop"),
        Binding("escape", "finish", "to the verdict", id="fight.finish"),
        Binding("escape", "leave", "back", id="fight.leave"),
    ]

    def __init__(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        super().__init__()
        self._pack, self._directory, self._notes = pack, directory, notes
        self.fight = FightRun(self, self._start_judging, self._show_status, self._show_outcome)
        self._attempt: Attempt | None = None
        self._starts_watching = watch
        self._watch = SaveWatch(self, directory, self._practise)
        self._is_save_waiting = False
        self._last_result: BossEvalResult | None = None
        self._last_evidence: Evidence | None = None
        self._previous_attempt: Attempt | None = None
        self._next_boss: BossSummary | None = None

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the stage of the fight."""
        yield Heading(self._heading_runs(), id="heading")
        yield Stage(boss_view(self._pack), id="stage")

    def _heading_runs(self) -> list[Run]:
        definition = self._pack.definition
        tier_and_realm = f"  tier {TIERS[definition.metadata.tier]} · {definition.metadata.realm}".rstrip(" ·")
        return [(definition.title.upper(), f"bold {definition.metadata.accent}"), (tier_and_realm, "dim")]

    def on_mount(self) -> None:
        """Start a fight at once; or practice, if saves are watched."""
        if self._starts_watching:
            self._watch.start()
        self.begin(practice=self._starts_watching)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the actions that make sense now."""
        is_judging = self.fight.is_judging
        is_stored = self.is_settled and bool(self.fight.record.attempt_id)
        if action in {"stop", "finish"}:
            return is_judging and self.fight.is_decided == (action == "finish")
        if action == "next_boss":
            return self.is_settled and self._next_boss is not None
        if action == "export":
            return is_stored
        if action == "compare":
            return is_stored and self._previous_attempt is not None
        if action in {"again", "leave", "attempts", "rubric", "open", "move"}:
            return not is_judging
        if action in {"watch", "rest"}:
            return self._watch.is_on == (action == "rest")
        if action == "turn":
            is_shown = self.fight.phase is FightPhase.DONE or parameters[0] != "verdict"
            return is_shown and not is_judging and self.is_mounted and self.stage.side_panel.view != parameters[0]
        return True

    def action_again(self) -> None:
        """Start a real attempt from the same directory."""
        self.begin()

    def action_next_boss(self) -> None:
        """Go to the next boss."""
        pack = self.session.load_pack(self._next_boss.path) if self._next_boss else None
        if pack is not None:
            game = self.game
            while len(game.screen_stack) > 1:
                game.pop_screen()
            game.navigator.open_boss(pack)

    def action_stop(self) -> None:
        """Stop judging, and watching with it."""
        self._watch.stop()
        self.fight.stop()
        self.stage.stop()
        self._show_status()
        self.session.forget_progress()
        self._return_keys()

    def action_finish(self) -> None:
        """Show the rest of the fight at once."""
        self.stage.pacer.skip()
        self.stage.bar.finish()

    def action_leave(self) -> None:
        """Close an open criterion or the trials first, then leave."""
        if self.fight.phase is FightPhase.DONE and self.stage.side_panel.view != "verdict":
            self.action_turn("verdict")
        else:
            self._close()

    def _close(self) -> None:
        """Return to where the fight was started, or to the boss's page, but not to the arena's text fields."""
        from evalforge.app.fight.arena import ArenaScreen

        game = self.game
        game.pop_screen()
        if isinstance(game.screen_stack[-1], ArenaScreen):
            game.pop_screen()
        if len(game.screen_stack) == 1:
            game.navigator.open_boss(self._pack)

    def action_compare(self) -> None:
        """Compare this attempt with the previous one."""
        attempt = self._stored_attempt()
        if attempt is not None and self._previous_attempt is not None:
            self.navigator.open_comparison(self._previous_attempt, attempt)
        else:  # deleted meanwhile
            self.notify("There is nothing to compare with yet.", markup=False)

    def action_export(self) -> None:
        """Export a card to share, a moving picture, or a report."""
        attempt = self._stored_attempt()
        if attempt is not None:
            self.navigator.open_export(attempt)

    def action_attempts(self) -> None:
        """Show all attempts on this boss."""
        self.navigator.open_attempts(self._pack.boss_id)

    def action_rubric(self) -> None:
        """Open the boss's page at its rubric."""
        self.navigator.open_boss(self._pack, "rubric")

    def on_key(self, event: events.Key) -> None:
        """Show the rest at once when any key is pressed."""
        if self.fight.is_judging and event.key not in _KEYS_LEFT_ALONE and not self.stage.pacer.skipping:
            event.stop()
            self.action_finish()

    def on_click(self) -> None:
        """Skip to the end, as any key does."""
        if self.fight.is_judging:
            self.action_finish()

    def action_watch(self) -> None:
        """Judge at every save from now on."""
        self._watch.start()
        self._show_status()

    def action_rest(self) -> None:
        """Stop judging at saves."""
        self._watch.stop()
        self._show_status()

    def _practise(self) -> None:
        """Judge a save as practice; one during a judging is judged after it."""
        self._is_save_waiting = self.fight.is_judging
        if not self._is_save_waiting:
            self.begin(practice=True)

    # One judging

    def begin(self, *, practice: bool = False) -> None:
        """Judge the directory as it is now; practice is not stored and shows its end at once."""
        self._next_boss = None
        self._attempt = None
        self.fight = FightRun(self, self._start_judging, self._show_status, self._show_outcome, practice=practice)
        self.stage.reset()
        self.stage.earlier = self._result_to_beat()
        self.stage.voice = None if practice else self.session.voice(self._pack.boss_id)
        if practice:
            self.stage.pacer.skip()
        self.set_focus(None)
        self.fight.start()
        self._show_status()

    async def _start_judging(self) -> "AsyncGenerator[Event]":
        tries = self.session.tries(self._pack.boss_id)
        options = self.session.services.options(self._notes, practice=self.fight.practice, tries=tries)
        return (await self.session.engine()).fight(self._pack, self._directory, options)

    def _result_to_beat(self) -> EarlierResult | None:
        """What this result is compared with: in practice the last save, else the best attempt."""
        if self.fight.practice and self._last_result is not None:
            share = self._last_result.integrity
            return EarlierResult(share, f"{format_percent(share)} before this save")
        best = self.session.boss_progress().get(self._pack.boss_id)
        return (
            EarlierResult(best.best_integrity, f"your best is {format_percent(best.best_integrity)}") if best else None
        )

    @property
    def is_settled(self) -> bool:
        """Whether there is a verdict."""
        return self.fight.is_settled

    def judged_submission(self) -> JudgedSubmission:
        """Return the stored attempt as a judged submission; for practice, the current files with their evidence."""
        attempt = self._stored_attempt()
        if attempt is not None:
            return replace(judged_attempt(attempt, self.stage.boss, self._pack.codex.hints), has_riddles=True)
        submission = self.session.services.collect_quietly(self._pack, self._directory, self._notes)
        directory = self._directory / submission.folder
        judged = judged_now(self._pack, self.fight.record.judgements, self.stage.evidence, submission, str(directory))
        return replace(judged, has_riddles=True)

    def _stored_attempt(self) -> "Attempt | None":
        """The attempt as history stores it, read once for each fight; None for practice."""
        if self._attempt is None and self.fight.record.attempt_id:
            self._attempt = self.session.read_attempt(self.fight.record.attempt_id)
        return self._attempt

    def _show_status(self) -> None:
        self.query_one("#heading", Heading).set_text(right=self.fight.status(watching=self._watch.is_on))
        self.refresh_bindings()

    # The end of a fight

    def _show_outcome(self) -> None:
        """Show what changed since the last attempt and what to do next, and return the keys."""
        if not self.fight.practice:
            self.session.forget_progress()
            self.game.ring_bell()
        if (result := self.fight.record.result) is not None:
            self._show_changes(result)
            verdict = self.stage.side_panel.verdict
            verdict.show_rewards(stored_rewards(self.session.history(), self.fight.record.attempt_id))
            if result.passed:
                self._show_pull()
        self._return_keys()
        self._show_status()
        if self._is_save_waiting:
            self._practise()

    def _show_changes(self, result: "BossEvalResult") -> None:
        """Show changes since the last save (in practice) or the last attempt; newly failing trials come first."""
        after_save = self.fight.practice and self._last_result is not None
        if after_save:
            self._previous_attempt = None
            before = self._last_result
            evidence = self._last_evidence
        else:
            boss_id, attempt_id = self._pack.boss_id, self.fight.record.attempt_id
            previous = self._previous_attempt = self.session.previous_attempt(boss_id, attempt_id)
            before = previous.result if previous else None
            evidence = previous.evidence if previous else None
        self.stage.compare(result, before)
        broken_titles = newly_failing(evidence, self.stage.evidence)
        since = "since the last save" if after_save else "since the last attempt"
        self.stage.side_panel.verdict.show_broken(broken_titles, since, first=after_save)
        self._last_result = result
        self._last_evidence = self.stage.evidence

    def _show_pull(self) -> None:
        """Show what to do after a victory: in practice the real attempt, else the next boss."""
        panel = self.stage.side_panel.verdict
        if self.fight.practice:
            panel.show_pull(styled(("r ", "bold ember"), ("Strike for real: this wins.", "ash")))
            return
        self._next_boss = self.session.next_boss()
        card = styled(("x ", "bold ember"), ("Share it as PNG, SVG or a recording.", "dim"))
        panel.show_pull(next_boss_line(self._next_boss, "n", *self.session.count_beaten()), offer=card)

    def _return_keys(self) -> None:
        """Return control of the keys to the player after the fight."""
        self.stage.board.focus()
        self.refresh_bindings()
