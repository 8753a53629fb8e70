"""The speaker's notes, which follow the stage on this machine, on a screen that the audience doesn't see."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.teaching.speaker_notes import TeachingState, read_state, state_file
from evalforge.app.ui.text.formatting import format_age
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.text import clean_line
from evalforge.packs.locations import bosses_option

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

_READ_SECONDS = 0.4
"""Seconds between two reads of the file. It is polled rather than watched, because that works on every disk."""


class NotesScreen(GameScreen):
    """Shows the notes for the stage's current step."""

    CSS_PATH = "notes.tcss"
    NAME = "The speaker's notes"
    HELP_TEXT = """
What the stage shows now and next, the gold level and why, what the judge says, and questions for the room.
The notes follow the stage; nothing you do here changes it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "leave", id="notes.leave"),
    ]

    def __init__(self, pack: "BossPack") -> None:
        super().__init__()
        self._pack = pack
        self._state: TeachingState | None = None

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the notes of the step."""
        about = self._pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}"), ("  speaker's notes", "dim")])
        yield Panel(id="text")

    def on_mount(self) -> None:
        """Start following the lesson's step."""
        self._show_waiting()
        self.query_one(Panel).focus()
        self.follow()
        self.set_interval(_READ_SECONDS, self.follow)

    def follow(self) -> None:
        """Read the stage's current step, and show its notes."""
        state = read_state(state_file(self.session.services.history, self._pack.boss_id))
        if state != self._state:
            previous, self._state = self._state, state
            if state is None:
                self._show_waiting()
            else:
                self._show_notes(state, is_same_step=previous is not None and previous.step == state.step)
        self._show_time()

    def _show_notes(self, state: TeachingState, *, is_same_step: bool) -> None:
        """Show the notes; within a step, a new guess or judgement doesn't scroll them."""
        panel = self.query_one(Panel)
        line = panel.scroll_y
        panel.set_text(styled(*state.notes))
        if is_same_step:
            panel.scroll_to(y=line, animate=False)

    def _show_time(self) -> None:
        """Show the step and how long it has been shown."""
        state = self._state
        if state is not None:
            step = f"step {state.step + 1} of {state.step_count}"
            self.query_one(Heading).set_text(right=[(step, "ash"), (f" · {format_age(state.since)}", "dim")])

    def _show_waiting(self) -> None:
        command = f"evalforge stage {clean_line(self._pack.boss_id)}{clean_line(bosses_option(self._pack.path))}"
        self.query_one(Heading).set_text(right=[("no stage", "dim")])
        self.query_one(Panel).set_text(
            styled(
                ("No stage is open for this boss on this machine.\n", "bold ash"),
                ("Open it in the terminal that the room sees:  ", "dim"),
                (command, "bold steel"),
                ("\nThe notes follow once it is open.", "dim"),
            )
        )

    def action_leave(self) -> None:
        """Exit, because this game was opened only for the notes."""
        self.game.exit()
