"""The fight: a judging runs, its events damage the boss, and the verdict says what to do next."""

from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.worker import Worker

from evalforge.app.core.boss_view import boss_view
from evalforge.app.fight.judgement_text import next_boss_line
from evalforge.app.fight.judging_screen import FightPhase, JudgingScreen
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.fight.stage.verdict_panel import Earlier
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.evidence import newly_failing
from evalforge.model.number_format import format_percent
from evalforge.packs.summary import TIERS

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import Evidence
    from evalforge.model.result import BossEvalResult
    from evalforge.packs.pack import BossPack
    from evalforge.packs.summary import BossSummary

_KEYS_LEFT_ALONE = frozenset({"escape", "ctrl+q", "ctrl+c", "question_mark", "f1", "ctrl+p", "w"})


class FightScreen(JudgingScreen):
    """Fights one boss repeatedly from one directory."""

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
        super().__init__(pack, directory, notes)
        self._watching = watch
        self._watcher: Worker[None] | None = None
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
        self.begin(practice=self._watching)
        if self._watching:
            self._watcher = self._watch()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the actions that make sense now."""
        judging = self._phase is FightPhase.JUDGING
        if action in {"stop", "finish"}:
            return judging and self._is_decided == (action == "finish")
        if action == "next_boss":
            return self.settled and self._next_boss is not None
        if action == "export":
            return self.settled and bool(self._attempt_id)
        if action == "compare":
            return self.settled and bool(self._attempt_id) and self._previous_attempt is not None
        if action in {"again", "leave", "attempts", "rubric", "open", "move"}:
            return not judging
        if action in {"watch", "rest"}:
            return self._watching == (action == "rest")
        if action == "turn":
            is_shown = self._phase is FightPhase.DONE or parameters[0] != "verdict"
            return is_shown and not judging and self.is_mounted and self.stage.side_panel.view != parameters[0]
        return True

    def action_again(self) -> None:
        """Start a real attempt from the same directory."""
        self.begin()

    def action_next_boss(self) -> None:
        """Go to the next boss."""
        pack = self.session.load_pack(self._next_boss.path) if self._next_boss else None
        if pack is not None:
            self.navigator.open_next_boss(pack)

    def action_stop(self) -> None:
        """Stop judging, and watching with it."""
        self._stop_watching()
        self.stop()
        self.session.forget_progress()
        self._return_keys()

    def action_finish(self) -> None:
        """Show the rest of the fight at once."""
        self.stage.pacer.skip()
        self.stage.bar.finish()

    def action_leave(self) -> None:
        """Close an open criterion or the trials first, then leave."""
        if self._phase is FightPhase.DONE and self.stage.side_panel.view != "verdict":
            self.action_turn("verdict")
        else:
            self.navigator.close_fight(self._pack)

    def action_compare(self) -> None:
        """Compare this attempt with the previous one."""
        attempt = self.stored_attempt()
        if attempt is not None and self._previous_attempt is not None:
            self.navigator.open_comparison(self._previous_attempt, attempt)
        else:  # deleted meanwhile
            self.notify("There is nothing to compare with yet.", markup=False)

    def action_export(self) -> None:
        """Export a card to share, a moving picture, or a report."""
        attempt = self.stored_attempt()
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
        if self._phase is FightPhase.JUDGING and event.key not in _KEYS_LEFT_ALONE and not self.stage.pacer.skipping:
            event.stop()
            self.action_finish()

    def on_click(self) -> None:
        """Skip to the end, as any key does."""
        if self._phase is FightPhase.JUDGING:
            self.action_finish()

    # Watching

    def action_watch(self) -> None:
        """Judge at every save from now on."""
        self._watching, self._watcher = True, self._watch()
        self._show_watching()

    def action_rest(self) -> None:
        """Stop judging at saves."""
        self._stop_watching()
        self._show_watching()

    def _show_watching(self) -> None:
        if self._phase is not FightPhase.JUDGING:
            self._show_status()
        self.refresh_bindings()

    def _stop_watching(self) -> None:
        self._watching = False
        if self._watcher is not None:
            self._watcher.cancel()

    @work(exclusive=True, group="watch", exit_on_error=False)
    async def _watch(self) -> None:
        """Judge every save; saves during a judging are judged after it."""
        async with aclosing(self.session.services.watch(self._directory)) as saves:
            async for save in saves:
                if self._phase is FightPhase.JUDGING:
                    self._is_save_waiting |= bool(save.paths)
                elif save.paths:
                    self.begin(practice=True)

    def _show_status(self) -> None:
        """Show whether this was an attempt, and whether saves are watched."""
        if self._practice:
            self.set_status([
                ("watching · " if self._watching else "", "ember"),
                ("practice, not saved", "bold ember"),
                ("" if self._watching else " · r strikes", "dim"),
            ])  # fmt: skip
        else:
            self.set_status([("watching: save to practise" if self._watching else self._status_text, "dim")])

    # The end of a fight

    def earlier(self) -> Earlier | None:
        """What this result is compared with: in practice the last save, else the best attempt."""
        if self._practice and self._last_result is not None:
            share = self._last_result.integrity
            return Earlier(share, f"{format_percent(share)} before this save")
        return super().earlier()

    def begin(self, *, practice: bool = False) -> None:
        """Judge the directory as it is now, and end what followed the last win."""
        self._next_boss = None
        super().begin(practice=practice)

    def ended(self) -> None:
        """Show what changed since the last attempt and what to do next, and return the keys."""
        if not self._practice:
            self.session.forget_progress()
            self.game.ring_bell()
        if self._result is not None:
            self._show_changes(self._result)
            self.stage.side_panel.verdict.show_rewards(self.new_rewards())
            if self._result.passed:
                self._show_pull()
        self._return_keys()
        self._show_status()
        if self._is_save_waiting:
            self._is_save_waiting = False
            self.begin(practice=True)

    def _show_changes(self, result: "BossEvalResult") -> None:
        """Show changes since the last save (in practice) or the last attempt; newly failing trials come first."""
        after_save = self._practice and self._last_result is not None
        self._previous_attempt = None if after_save else self.previous_attempt()
        before, evidence = self._last_result, self._last_evidence
        if not after_save:
            before = self._previous_attempt.result if self._previous_attempt else None
            evidence = self._previous_attempt.evidence if self._previous_attempt else None
        self.stage.compare(result, before)
        since = "since the last save" if after_save else "since the last attempt"
        self.stage.side_panel.verdict.show_broken(newly_failing(evidence, self.stage.evidence), since, first=after_save)
        self._last_result, self._last_evidence = result, self.stage.evidence

    def _show_pull(self) -> None:
        """Show what to do after a victory: in practice the real attempt, else the next boss."""
        panel = self.stage.side_panel.verdict
        if self._practice:
            panel.show_pull(styled(("r ", "bold ember"), ("Strike for real: this wins.", "ash")))
            return
        self._next_boss = self.session.next_boss()
        card = styled(("x ", "bold ember"), ("Share it as PNG, SVG or a recording.", "dim"))
        panel.show_pull(self._next_boss_text(), offer=card)

    def _next_boss_text(self) -> Content:
        if self._next_boss is None:
            return styled(("Every boss here is defeated.", "bold molten"))
        beaten, total = self.session.count_beaten()
        tier = TIERS[self._next_boss.tier] if 0 < self._next_boss.tier < len(TIERS) else ""
        return next_boss_line(self._next_boss.title, tier, "n", f"{beaten} of {total} defeated")

    def _return_keys(self) -> None:
        """Return control of the keys to the player after the fight."""
        self.stage.board.focus()
        self.refresh_bindings()
