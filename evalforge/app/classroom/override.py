"""A person's word on one criterion of a hand-in: which level, and why."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.classroom.level_setter import LevelSetter
from evalforge.app.screens.base import Dialog
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.classroom.class_row import ClassRow
from evalforge.history.overriding import LevelOverride
from evalforge.model.rubric import BossRubric

_COUNTS = "This level counts already. The arrows choose another."


class Reason(Input):
    """Why a level is set; enter keeps the word."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "save", key_display="⏎", id="override.save"),
    ]


class OverrideScreen(Dialog[LevelOverride | None]):
    """Lies over the class; answers with a word, or None. The level the judge gave takes an earlier word back."""

    CSS_PATH = "override.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "never mind", id="override.close"),
    ]

    def __init__(self, row: ClassRow, rubric: BossRubric) -> None:
        super().__init__(f"Set a level: {row.title}")
        self._row, self._rubric = row, rubric

    def body(self) -> Iterable[Widget]:
        """Criteria, what the chosen level means, the reason."""
        judged = {one.id: one.score for one in self._row.judged.criteria} if self._row.judged else {}
        counts = {one.id: one.score for one in self._row.result.criteria} if self._row.result else {}
        yield LevelSetter(self._rubric, judged, counts, id="setter")
        yield Prose(id="meaning")
        yield Reason(placeholder="why? whoever reads this later must know", id="reason")
        yield Prose(id="message")

    def on_mount(self) -> None:
        """Choose first."""
        self.query_one(LevelSetter).focus()

    @on(LevelSetter.Pointed)
    def _changed(self) -> None:
        setter = self.query_one(LevelSetter)
        self.query_one("#meaning", Prose).set_text(Content.assemble((setter.description, "$dim")))
        words = "" if setter.changes else _COUNTS
        if setter.changes and setter.score == setter.judged:
            words = "That is what was judged: an earlier word is taken back."
        self._show_message(words)

    @on(LevelSetter.Opened)
    def _why(self) -> None:
        if self.query_one(LevelSetter).changes:
            self.query_one("#reason", Input).focus()
        else:
            self._show_message(_COUNTS, "$ember")

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        setter = self.query_one(LevelSetter)
        reason = " ".join(event.value.split())
        if not setter.changes:
            self._show_message(_COUNTS, "$ember")
            setter.focus()
        elif not reason:
            self._show_message("It needs a reason.", "$ember")
        else:
            score = None if setter.score == setter.judged else setter.score
            self.dismiss(LevelOverride(setter.key, score, reason))

    def _show_message(self, words: str, ink: str = "$dim") -> None:
        self.query_one("#message", Prose).set_text(
            Content.assemble((words or "The judge's word is kept beside yours.", ink))
        )

    def action_leave(self) -> None:
        """From the reason back to the levels, then away."""
        setter = self.query_one(LevelSetter)
        if setter.has_focus:
            self.dismiss(None)
        else:
            setter.focus()
