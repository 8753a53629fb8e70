"""The fight: a judging runs, its events damage the boss, and the verdict says what to do next."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.core.boss_view import boss_view
from evalforge.app.core.judged_submission import JudgedSubmission, judged_attempt, judged_now
from evalforge.app.fight.fight_run import FightPhase, FightRun
from evalforge.app.fight.judgement_text import next_boss_line
from evalforge.app.fight.rewards import stored_rewards
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.events import Event
from evalforge.model.evidence import newly_failing
from evalforge.model.strike_call import StrikeCall
from evalforge.model.text import clean_line
from evalforge.packs.summary import TIERS

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import Evidence
    from evalforge.model.result import BossEvalResult
    from evalforge.packs.pack import BossPack
    from evalforge.packs.summary import BossSummary

_KEYS_LEFT_ALONE = frozenset({"escape", "ctrl+q", "ctrl+c", "question_mark", "f1", "ctrl+p", "w"})


class FightScreen(StageScreen):
    """Fights one boss repeatedly from one directory; ``fight`` is the latest judging."""

    CSS_PATH = "screen.tcss"
    NAME = "The fight"
    HELP_TEXT = """
Your code runs against the boss's trials and is then judged, criterion by criterion. Each level you reach
strikes a chunk off the right end of the boss's HP bar; its name is below the chunk. At 0 the boss falls: that is the
pass mark. Every point beyond it is gold on the line below, and all of them make the win flawless.

The boss remembers. It enters with the life that you left it, and a new attempt plays only what has changed: trials that
newly pass or fail, levels that rose or fell. A notch marks last time, a star your best.

After the trials the boss sends its impostors: programs that are wrong in one place each. Your tests meet them one
after the other. The mask of an impostor that you catch shatters; one that you miss laughs. `l` shows them again.

During a fight any key skips to the result; `esc` stops it before the code has run, and nothing is scored. Afterwards
`esc` goes back.
The arrows choose a criterion, and `enter` opens its evidence: the code, the trials, the next level, hints.
Fix your code, save it, and press `r`. If you know what it will do, press a digit instead: it strikes and calls the
criterion that will rise, counted from the top, or 0 for none. A right call is a critical hit.
`x` exports a card to share, or the fight as a moving picture. After a victory `n` opens the next boss; so does
`enter` after your first one, or where no points are left.

`w` spars: every save is judged at once, and a mark on the bar shows what it would do. Sparring is not saved, and the
boss keeps its life; press `r` to strike for real.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_boss", "next boss", id="fight.next"),
        Binding("r", "again", "again", id="fight.again"),
        *(
            Binding(
                str(digit), f"call({digit})", "call a rise", key_display="0-9", show=digit == 0, id=f"fight.call{digit}"
            )
            for digit in range(10)
        ),
        Binding("w", "watch", "spar", id="fight.watch"),
        Binding("w", "rest", "stop sparring", id="fight.rest"),
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
        self._is_sparring = watch
        """Whether every save is judged as practice."""
        self._has_changed = False
        """Whether files changed since the last judging began."""
        self._is_save_waiting = False
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
        """Start a fight at once; or practice, if every save is judged."""
        self.run_worker(self._watch_saves(), group="watch", exit_on_error=False)
        self.begin(practice=self._is_sparring)

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
        if action == "call":
            return not is_judging and self.session.tries(self._pack.boss_id) > 0
        if action in {"watch", "rest"}:
            return self._is_sparring == (action == "rest")
        if action == "turn":
            is_shown = self.fight.phase is FightPhase.DONE or parameters[0] != "verdict"
            return is_shown and not is_judging and self.is_mounted and self.stage.side_panel.view != parameters[0]
        return True

    def action_again(self) -> None:
        """Start a real attempt from the same directory."""
        self.begin()

    def binding_label(self, binding: Binding) -> str:
        """Label a key; a call isn't offered before files have changed."""
        is_early_call = binding.action.startswith("call(") and not self._has_changed
        is_doubled = binding.action == "next_boss" and self.stage.board.leads_on
        return "" if is_early_call or is_doubled else binding.description

    def action_call(self, digit: int) -> None:
        """Strike, and call the criterion that will rise; 0 for none."""
        count = len(self._pack.rubric.criteria)
        if digit > count:
            self.notify(f"1 to {count} call a criterion, counted from the top; 0 none.", markup=False)
            return
        if not self._has_changed:
            self.notify("No file has changed since the last strike. Save one, then call.", markup=False)
            return
        self.begin(call=self._pack.rubric.criteria[digit - 1].id if digit else "")

    def action_next_boss(self) -> None:
        """Go to the next boss."""
        pack = self.session.load_pack(self._next_boss.path) if self._next_boss else None
        if pack is not None:
            game = self.game
            while len(game.screen_stack) > 1:
                game.pop_screen()
            game.navigator.open_boss(pack)

    def action_stop(self) -> None:
        """Stop judging, and sparring with it."""
        self._is_sparring = False
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
        self._is_sparring = True
        self.notify(clean_line(f"save a file in {short(self._directory)}"), title="Sparring", markup=False)
        self._show_status()

    def action_rest(self) -> None:
        """Stop judging at saves."""
        self._is_sparring = False
        self._show_status()

    async def _watch_saves(self) -> None:
        """Take note of every save in the folder, until the screen is left."""
        from evalforge.watcher import changes

        async with aclosing(changes(self._directory)) as saves:
            async for paths in saves:
                if paths:
                    self._note_save()

    def _note_save(self) -> None:
        """Judge a save as practice if that is wanted; one during a judging is judged after it."""
        self._has_changed = True
        self._is_save_waiting = self._is_sparring and self.fight.is_judging
        if self._is_sparring and not self._is_save_waiting:
            self.begin(practice=True)
        self.refresh_bindings()

    # One judging

    def begin(self, *, practice: bool = False, call: str | None = None) -> None:
        """Judge the directory as it is now; practice is not stored and shows its end at once.

        Args:
            practice: Whether it is practice.
            call: The criterion that the player expects to rise; empty for none, None if nothing is called.
        """
        before = self.session.latest_attempt(self._pack.boss_id)
        self._next_boss = None
        self._attempt = None
        self._previous_attempt = before
        self._has_changed = self._has_changed and practice
        self.fight = FightRun(self, self._start_judging, self._show_status, self._show_outcome, practice=practice)
        best = self.session.boss_progress().get(self._pack.boss_id)
        self.stage.reset(
            before.result if before else None, before.evidence if before else None, best.best_total if best else None
        )
        self.stage.is_sparring, self.stage.called = practice, call
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
        self.query_one("#heading", Heading).set_text(right=self.fight.status)
        self.refresh_bindings()

    # The end of a fight

    def _show_outcome(self) -> None:
        """Show what changed since the last attempt and what to do next, and return the keys."""
        if not self.fight.practice:
            self.session.forget_progress()
            self.game.ring_bell()
        if (result := self.fight.record.result) is not None:
            self._show_broken()
            self._keep_call(result)
            verdict = self.stage.side_panel.verdict
            scores = {scored.id: scored.score for scored in result.criteria}
            if not self.stage.difference.is_nothing(scores):
                verdict.show_rewards(stored_rewards(self.session.history(), self.fight.record.attempt_id))
            if result.passed:
                self._show_pull(result)
        self._return_keys()
        self._show_status()
        if self._is_save_waiting:
            self._is_save_waiting = False
            self.begin(practice=True)

    def _show_broken(self) -> None:
        """Show the trials that newly fail: since the last save while sparring, else since the last attempt."""
        previous = self._previous_attempt
        is_after_save = self.fight.practice and self._last_evidence is not None
        evidence = self._last_evidence if is_after_save else previous.evidence if previous else None
        since = "since the last save" if is_after_save else "since the last attempt"
        titles = newly_failing(evidence, self.stage.evidence)
        result = self.fight.record.result
        is_set_back = result is not None and self.stage.difference.is_set_back(result.score_total)
        self.stage.side_panel.verdict.show_broken(titles, since, first=is_after_save or is_set_back)
        self._last_evidence = self.stage.evidence

    def _keep_call(self, result: "BossEvalResult") -> None:
        """Keep what the player called, and say whether it came true."""
        stage = self.stage
        if stage.called is None or not stage.difference.is_played or not self.fight.record.attempt_id:
            return
        changes = {c.id: stage.difference.level_change(c.id, c.score) or 0 for c in result.criteria}
        is_right = changes.get(stage.called, 0) > 0 if stage.called else max(changes.values()) <= 0
        call = StrikeCall(stage.called, is_right)
        self.session.keep_call(self.fight.record.attempt_id, call)
        self.stage.side_panel.verdict.show_first(call.words(self._pack.rubric.labels))

    def _show_pull(self, result: "BossEvalResult") -> None:
        """Show what to do after a victory: in practice the real attempt, else the next boss."""
        panel, previous = self.stage.side_panel.verdict, self._previous_attempt
        if self.fight.practice:
            if previous is None or previous.result is None or not previous.result.passed:
                panel.show_pull(styled(("r ", "bold ember"), ("to finish it: this strike wins.", "ash")))
            return
        self._next_boss = self.session.next_boss()
        beaten, count = self.session.count_beaten()
        self.stage.board.leads_on = self._next_boss is not None and (beaten == 1 or result.verdict == "strong_pass")
        key = self.game.look.glyphs.enter if self.stage.board.leads_on else "n"
        card = styled(("x ", "bold ember"), ("Share it as PNG, SVG or a recording.", "dim"))
        panel.show_pull(next_boss_line(self._next_boss, key, beaten, count), offer=card)

    def _return_keys(self) -> None:
        """Return control of the keys to the player after the fight."""
        self.stage.board.focus()
        self.refresh_bindings()
