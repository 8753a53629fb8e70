"""One attempt in full: how it ended, why, what was submitted."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.core.boss_view import boss_view_of_attempt
from evalforge.app.core.judged_submission import JudgedSubmission, judged_attempt
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.fight.stage_screen import StageScreen
from evalforge.app.ui.text.formatting import format_age, plural
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.number_format import format_size
from evalforge.model.text import clean, clean_line

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


class AttemptScreen(StageScreen):
    """The stage as it was at the end of the fight."""

    CSS_PATH = "detail.tcss"
    NAME = "One attempt"
    HELP_TEXT = """
A finished fight. `enter` on a criterion opens its reason and evidence;
`F` lists the files that were submitted and those left out.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "turn('verdict')", "verdict", id="attempt.verdict"),
        Binding("l", "turn('log-view')", "trials", id="attempt.log"),
        Binding("F", "files", "files", id="attempt.files"),
        Binding("p", "replay", "replay", id="attempt.replay"),
        Binding("d", "compare", "compare", id="attempt.compare"),
        Binding("x", "export", "export", id="attempt.export"),
        Binding("r", "again", "fight again", id="attempt.again"),
        Binding("escape", "leave", "back", id="attempt.back"),
    ]

    def __init__(self, attempt: "Attempt", before: "Attempt | None", pack: "BossPack | None") -> None:
        super().__init__()
        self._attempt, self._before, self._pack = attempt, before, pack

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the stage of the stored fight."""
        attempt = self._attempt
        boss = boss_view_of_attempt(attempt, self._pack)
        yield Heading(
            [(attempt.boss_title.upper(), f"bold {boss.accent}"), (f"  {attempt.id}", "dim")],
            [(f"{attempt.judge.name} judge · {attempt.isolation} sandbox · {format_age(attempt.started_at)}", "dim")],
            id="heading",
        )
        yield Stage(boss, id="stage")

    def on_mount(self) -> None:
        """Show the end of the fight."""
        stage = self.stage
        stage.voice = self.session.voice(self._attempt.boss_id, self._attempt.id)
        stage.settle(self._attempt, self._before)
        self._name_hand_in()
        self._show_prediction()
        stage.board.focus()
        self.refresh_bindings()

    def _name_hand_in(self) -> None:
        """Label the first submission of a class's row, which isn't the player's own first attempt."""
        history = self.session.history()
        slot = history.classes.find_row(self._attempt.id) if history else None
        if slot and self._before is None and self.is_settled:
            _, row_id = slot
            self.stage.side_panel.verdict.show_first(f"The first submission of {clean_line(row_id, 60)}.")

    def _show_prediction(self) -> None:
        """Say which criterion the player called before the strike, and whether it rose."""
        history = self.session.history()
        call = history.call(self._attempt.id) if history and self.is_settled else None
        if call is not None:
            labels = self.stage.boss.rubric.labels
            self.stage.side_panel.verdict.show_first(call.words(labels))

    @property
    def is_settled(self) -> bool:
        """Whether the attempt has a result."""
        return self._attempt.result is not None

    def judged_submission(self) -> JudgedSubmission:
        """Return the stored attempt as a judged submission."""
        hints = self._pack.codex.hints if self._pack else {}
        return judged_attempt(self._attempt, self.stage.boss, hints)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the actions that this attempt allows."""
        if action == "turn" and self.is_mounted:
            return self.stage.side_panel.view != parameters[0]
        if action == "compare":
            return self._before is not None
        if action == "replay":
            return bool(self._attempt.events)
        return action != "again" or self._pack is not None

    def action_leave(self) -> None:
        """Close an open view first, then leave."""
        if self.stage.side_panel.view != "verdict":
            self.action_turn("verdict")
        else:
            self.action_back()

    def action_replay(self) -> None:
        """Replay the stored fight."""
        from evalforge.app.attempts.replay_screen import ReplayScreen

        self.game.push_screen(ReplayScreen(self._attempt, self._pack))

    def action_compare(self) -> None:
        """Compare the attempt with the previous one."""
        if self._before is not None:
            self.navigator.open_comparison(self._before, self._attempt)

    def action_export(self) -> None:
        """Ask for the form to export the attempt in."""
        self.navigator.open_export(self._attempt)

    def action_again(self) -> None:
        """Open the arena with the same folder."""
        if self._pack is not None:
            self.navigator.open_arena(self._pack, self._attempt.directory)

    def action_files(self) -> None:
        """Show what was submitted, and what was left out."""
        attempt = self._attempt
        submission = attempt.submission
        parts = [
            (f"{clean_line(short(attempt.directory))}\n", "bold ash"),
            (f"{plural(len(submission.files), 'file')}, {format_size(submission.total_bytes)}", "dim"),
            (f", {submission.content_hash[:12]}\n\n", "faint"),
        ]
        parts += [(f"  {clean_line(file.path)}\n", "ash") for file in submission.files]
        if attempt.left_out:
            parts.append(("\nLeft out\n", "bold steel"))
        for omission in attempt.left_out:
            parts += [(f"  {clean_line(omission.path)}", "ash"), (f"  {clean_line(omission.reason)}\n", "dim")]
        if submission.notes:
            parts += [("\nNotes\n", "bold steel"), (clean(submission.notes), "dim")]
        self.stage.side_panel.read(styled(*parts))
        self.refresh_bindings()


def open_attempt(game: "GameApp", attempt_id: str) -> None:
    """Open one past attempt in full; the session shows a message if it can't be read."""
    session = game.session
    attempt = session.read_attempt(attempt_id)
    if attempt is not None:
        before = session.previous_attempt(attempt_id)
        game.push_screen(AttemptScreen(attempt, before, session.load_boss(attempt.boss_id)))
