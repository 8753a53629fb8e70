"""Replays a stored fight at any speed, without judging anything."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.core.boss_view import boss_view_of_attempt
from evalforge.app.core.judged_submission import JudgedSubmission, judged_attempt
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.widgets.heading import Heading

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack

RATES = {
    0.25: "quarter speed", 0.5: "half speed", 1.0: "normal speed", 2.0: "twice as fast", 4.0: "4 times as fast",
    8.0: "8 times as fast", 16.0: "16 times as fast",
}  # fmt: skip
"""The available speeds, and their names."""


class ReplayScreen(StageScreen):
    """The same stage as in a live fight, fed from history."""

    CSS_PATH = "replay_screen.tcss"
    NAME = "A replay"
    HELP_TEXT = """
A recorded fight, shown as it happened. Nothing is judged or saved. `+` and `-` change the speed,
`space` pauses, `end` jumps to the end, `r` starts over.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "hold", "pause", id="replay.hold"),
        Binding("space", "release", "resume", id="replay.release"),
        Binding("plus,equals_sign", "rate(1)", "faster", key_display="+", id="replay.faster"),
        Binding("minus", "rate(-1)", "slower", key_display="-", id="replay.slower"),
        Binding("end", "skip", "to the end", id="replay.skip"),
        Binding("r", "again", "again", id="replay.again"),
        Binding("escape", "back", "back", id="replay.back"),
    ]

    def __init__(self, attempt: "Attempt", pack: "BossPack | None") -> None:
        super().__init__()
        self._attempt, self._pack = attempt, pack
        self._rate = 1.0
        self._over = False

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the stage for the replay."""
        boss = boss_view_of_attempt(self._attempt, self._pack)
        title = [
            (self._attempt.boss_title.upper(), f"bold {boss.accent}"),
            (f"  replay of {self._attempt.id}", "dim"),
        ]
        yield Heading(title, id="heading")
        yield Stage(boss, id="stage")

    def on_mount(self) -> None:
        """Start the replay."""
        self.stage.voice = self.session.voice(self._attempt.boss_id, self._attempt.id)
        self.action_again()

    @property
    def is_settled(self) -> bool:
        """Whether the replay has reached its end, and the end is a verdict."""
        return self._over and self._attempt.result is not None

    def judged_submission(self) -> JudgedSubmission:
        """Return the replayed attempt as a judged submission."""
        return judged_attempt(self._attempt, self.stage.boss, self._pack.codex.hints if self._pack else {})

    @work(exclusive=True, group="show", exit_on_error=False)
    async def _show(self) -> None:
        for event in self._attempt.events:
            await self.stage.present(event)
        self._over = True
        self.stage.board.focus()
        self._show_state()
        self.refresh_bindings()

    def _show_state(self) -> None:
        state = "the end" if self._over else "paused" if self.stage.pacer.is_held else "replay"
        self.query_one(Heading).set_text(right=[(f"{state} · {RATES[self._rate]}", "dim")])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable pausing and skipping at the end."""
        if action in ("hold", "release"):
            return not self._over and self.stage.pacer.is_held == (action == "release")
        return action != "skip" or not self._over

    def action_again(self) -> None:
        """Replay the fight from the beginning."""
        self._over = False
        self.stage.reset()
        self.stage.pacer.rate = self._rate
        self.set_focus(None)
        self._show_state()
        self.refresh_bindings()
        self._show()

    def action_rate(self, step: int) -> None:
        """Make the replay faster or slower."""
        rates = list(RATES)
        self._rate = rates[min(max(rates.index(self._rate) + step, 0), len(rates) - 1)]
        self.stage.pacer.rate = self._rate
        self._show_state()

    def action_hold(self) -> None:
        """Pause or resume the replay."""
        self.stage.pacer.pause_fight()
        self._show_state()
        self.refresh_bindings()

    action_release = action_hold

    def action_skip(self) -> None:
        """Skip to the end of the fight."""
        self.stage.pacer.skip()
        self.stage.bar.finish()
