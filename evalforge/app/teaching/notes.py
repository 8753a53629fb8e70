"""The speaker's notes, which follow the stage on this machine, on a screen that the audience doesn't see."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.teaching.lesson_plan import Lesson
from evalforge.app.teaching.speaker_notes import speaker_notes
from evalforge.app.teaching.teaching_state import TeachingState, lesson_of, read_state, state_file
from evalforge.app.ui.text.formatting import format_age
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.text import clean_line
from evalforge.packs.locations import bosses_option

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

_LOOK = 0.4
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
        self._lesson: Lesson | None = None

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the notes of the step."""
        about = self._pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}"), ("  speaker's notes", "dim")])
        yield Panel(id="text")

    def on_mount(self) -> None:
        """Start following the lesson's step."""
        self._wait()
        self.query_one(Panel).focus()
        self.follow()
        self.set_interval(_LOOK, self.follow)

    def follow(self) -> None:
        """Read the stage's current step, and show its notes."""
        state = read_state(state_file(self.session.services.history, self._pack.boss_id))
        if state == self._state:
            self._say_time()
            return
        before, self._state = self._state, state
        if state is None:
            self._lesson = None
            self._wait()
            return
        if self._lesson is None or before is None or before.submissions != state.submissions or before.pid != state.pid:
            self._lesson = lesson_of(state, self._pack)
        text, at = styled(*speaker_notes(self._lesson, state)), self.query_one(Panel).scroll_y
        self.query_one(Panel).set_text(text)
        if before is not None and before.step == state.step:
            self.query_one(Panel).scroll_to(y=at, animate=False)
        self._say_time()

    def _say_time(self) -> None:
        """Show the step and how long it has been shown."""
        if self._state is None or self._lesson is None:
            return
        count, since = len(self._lesson.steps), format_age(self._state.since)
        right = [(f"step {self._state.step + 1} of {count}", "ash"), (f" · {since}", "dim")]
        self.query_one(Heading).set_text(right=right)

    def _wait(self) -> None:
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
