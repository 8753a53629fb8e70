"""A dialog in which a person sets one level of a submission, or of a whole cluster, with a reason."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.classroom.level_setter import LevelSetter
from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.classroom.class_row import ClassRow
from evalforge.history.overriding import LevelOverride
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line

_UNCHANGED = "This level already counts. Choose another with the arrows."


class Reason(Input):
    """The input for the reason; enter saves the override."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "save", key_display="⏎", id="override.save"),
    ]


class OverrideScreen(Dialog[LevelOverride | None]):
    """Asks over the class's screen for a level, or None. Choosing the judge's level withdraws an override.

    Args:
        rows: The submissions that it is set in.
        rubric: Their rubric.
    """

    CSS_PATH = "override.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "cancel", id="override.close"),
    ]

    def __init__(self, rows: Sequence[ClassRow], rubric: BossRubric) -> None:
        super().__init__(f"Set a level: {title_of_rows(rows)}")
        self._rows, self._rubric = rows, rubric

    def body(self) -> Iterable[Widget]:
        """Compose the criteria, the description of the chosen level, and the reason."""
        judged_scores = _shared_scores([row.judged for row in self._rows])
        current_scores = _shared_scores([row.result for row in self._rows])
        yield LevelSetter(self._rubric, judged_scores, current_scores, id="setter")
        yield Prose(id="meaning")
        yield Reason(placeholder="why? (the next reader needs to know)", id="reason")
        yield Prose(id="message")

    def on_mount(self) -> None:
        """Focus the levels before the reason is typed."""
        self.query_one(LevelSetter).focus()

    @on(LevelSetter.Pointed)
    def _describe_level(self) -> None:
        setter = self.query_one(LevelSetter)
        self.query_one("#meaning", Prose).set_text(styled((setter.description, "dim")))
        text = "" if setter.is_changed else _UNCHANGED
        if setter.is_changed and setter.score == setter.judged_score:
            text = "This is the judged level: the override is removed."
        self._show_message(text)

    @on(LevelSetter.Opened)
    def _ask_reason(self) -> None:
        if self.query_one(LevelSetter).is_changed:
            self.query_one("#reason", Input).focus()
        else:
            self._show_message(_UNCHANGED, "ember")

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        setter = self.query_one(LevelSetter)
        reason = " ".join(event.value.split())
        if not setter.is_changed:
            self._show_message(_UNCHANGED, "ember")
            setter.focus()
        elif not reason:
            self._show_message("Give a reason.", "ember")
        else:
            self.dismiss(LevelOverride(setter.key, setter.score, reason))

    def _show_message(self, text: str, role: str = "dim") -> None:
        self.query_one("#message", Prose).set_text(styled((text or "The judge's level is kept beside yours.", role)))

    def action_leave(self) -> None:
        """Go from the reason back to the levels, then close."""
        setter = self.query_one(LevelSetter)
        if setter.has_focus:
            self.dismiss(None)
        else:
            setter.focus()


def title_of_rows(rows: Sequence[ClassRow]) -> str:
    """The name of a single row, or the number of rows in a cluster."""
    return clean_line(rows[0].title) if len(rows) == 1 else f"{len(rows)} submissions that fail alike"


def _shared_scores(results: Sequence[BossEvalResult | None]) -> dict[str, float]:
    """The scores that all results agree on, by criterion."""
    scores = [{criterion.id: criterion.score for criterion in result.criteria} if result else {} for result in results]
    return {name: score for name, score in scores[0].items() if all(other.get(name) == score for other in scores)}
