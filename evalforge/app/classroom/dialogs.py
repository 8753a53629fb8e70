"""Dialogs in which a person comments, or sets one level with a reason, for one student or for a whole cluster."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.classroom.tab_rows import hanging_lines, heading_row
from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.classroom.class_row import ClassRow
from evalforge.history.overriding import LevelOverride
from evalforge.model.number_format import format_number
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.store import History


_OWN_PREFIX, _REUSABLE_PREFIX = "written ", "used "
_MAX_LINES = 2
_HINT = "Student exports start with it. No level changes."


@dataclass(frozen=True)
class CommentChange:
    """A comment to write or to withdraw."""

    text: str
    is_withdrawn: bool = False


class CommentLine(Input):
    """The input for a comment; enter saves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "write", key_display="⏎", id="comment.write"),
        Binding("down,tab", "screen.list_comments", "comments", key_display="↓", id="comment.down"),
    ]


class CommentScreen(Dialog[CommentChange | None]):
    """Asks over the class's screen for a comment; the result is a change, or None.

    Args:
        title: The recipients.
        own_comments: Comments that they already have.
        reusable_comments: Comments for reuse: saved ones, or ones written to anybody in this class.
    """

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "cancel", id="comment.close"),
    ]

    def __init__(self, title: str, own_comments: Sequence[str], reusable_comments: Sequence[str]) -> None:
        super().__init__(f"Comment: {title}")
        self._own_comments = tuple(dict.fromkeys(own_comments))
        self._reusable_comments = tuple(
            text for text in dict.fromkeys(reusable_comments) if text not in self._own_comments
        )

    def body(self) -> Iterable[Widget]:
        """Compose the input and the existing comments."""
        yield CommentLine(placeholder="what should they read first?", id="line")
        yield Prose(styled((_HINT, "dim")), id="message")
        rows = Rows("take back or use", id="comments")
        rows.show(
            [
                *_section(_OWN_PREFIX, "Already sent: enter takes it back", self._own_comments),
                *_section(_REUSABLE_PREFIX, "Used before: enter inserts it", self._reusable_comments),
            ]
        )
        rows.display = bool(self._own_comments or self._reusable_comments)
        yield rows

    def on_mount(self) -> None:
        """Focus the input, so that the user can type at once."""
        self.query_one(CommentLine).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the key for the list if there are no comments."""
        return action != "list_comments" or bool(self._own_comments or self._reusable_comments)

    def action_list_comments(self) -> None:
        """Focus the list of existing comments."""
        self.query_one(Rows).focus()

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        text = " ".join(event.value.split())
        if text:
            self.dismiss(CommentChange(text))
        else:
            self.query_one("#message", Prose).set_text(styled(("Write something first.", "ember")))

    @on(Rows.Opened)
    def _use_comment(self, event: Rows.Opened) -> None:
        if event.key.startswith(_OWN_PREFIX):
            self.dismiss(CommentChange(event.key.removeprefix(_OWN_PREFIX), is_withdrawn=True))
            return
        line = self.query_one(CommentLine)
        line.value = event.key.removeprefix(_REUSABLE_PREFIX)
        line.focus()

    def action_leave(self) -> None:
        """Go from the comments back to the input, then close."""
        line = self.query_one(CommentLine)
        if line.has_focus:
            self.dismiss(None)
        else:
            line.focus()


def _section(prefix: str, title: str, texts: Sequence[str]) -> list[Row]:
    """A heading and a row for each comment; the key of a row is the comment after the section's prefix."""

    def comment_row(text: str) -> Row:
        return Row(f"{prefix}{text}", lambda width: hanging_lines("", text, width, _MAX_LINES))

    return [heading_row(prefix, title), *map(comment_row, texts)] if texts else []


def comment_dialog(history: "History", label: str, boss_id: str, rows: Sequence[ClassRow]) -> CommentScreen:
    """Build the dialog for some rows of a class, with their comments and those that can be reused."""
    comments = history.comments.of_class(label, boss_id)
    class_comments = [comment.text for row_comments in comments.values() for comment in row_comments]
    own_comments = [comment.text for row in rows for comment in comments.get(row.row_id, ())]
    return CommentScreen(title_of_rows(rows), own_comments, (*history.comments.saved().values(), *class_comments))


# Every criterion with its level; the arrow keys choose another level.

_MAX_LABEL_CELLS = 34
_SCORE_CELLS = 6
"""A score and the space around it; half a level takes three cells."""


class LevelSetter(LineList):
    """A line for each criterion: up and down select it, left and right its level. Only one can be changed at a time.

    Args:
        rubric: The rubric with the criteria and levels.
        judged_scores: The judge's scores, by criterion.
        current_scores: The current scores, by criterion. Both omit criteria in which a cluster's submissions differ.
        id: The widget's id.
    """

    DEFAULT_CSS = """
    LevelSetter { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "criterion", key_display="↑↓", id="setter.up"),
        Binding("down,j", "move(1)", "next criterion", show=False, id="setter.down"),
        Binding("left,h", "shift(-1)", "level", key_display="←→", id="setter.less"),
        Binding("right,l", "shift(1)", "higher", show=False, id="setter.more"),
        Binding("space", "shift_half", "half a level", key_display="space", id="setter.half"),
    ]
    RAISED_ROLE = "rule"

    def __init__(
        self,
        rubric: BossRubric,
        judged_scores: Mapping[str, float],
        current_scores: Mapping[str, float],
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__("why", id=id)
        self._criteria = rubric.criteria
        self._judged_scores, self._current_scores = judged_scores, current_scores
        self._score = self._current_scores.get(self._criteria[0].id)
        self.renew(len(self._criteria))

    def key_of(self, index: int) -> str:
        """The id of a criterion."""
        return self._criteria[index].id

    @property
    def score(self) -> float | None:
        """The chosen score; None if submissions differ and none was chosen yet."""
        return self._score

    @property
    def judged_score(self) -> float | None:
        """The judge's score; None if submissions differ."""
        return self._judged_scores.get(self.key)

    @property
    def is_changed(self) -> bool:
        """Whether the chosen level differs from the current one."""
        return self._score is not None and self._score != self._current_scores.get(self.key)

    @property
    def description(self) -> str:
        """The description of the chosen level."""
        criterion = self._criteria[self.cursor]
        levels = (*criterion.levels, *criterion.halfway_levels)
        level = next((level for level in levels if level.score == self._score), None)
        return clean_line(level.full_description, cap=600) if level else ""

    def action_move(self, step: int) -> None:
        """Select another criterion; after the last comes the first."""
        if abs(step) == 1:
            self.cursor = (self.cursor + step) % self.count
        else:
            super().action_move(step)

    def watch_cursor(self) -> None:
        """Start at the level that counts."""
        self._score = self._current_scores.get(self.key)
        super().watch_cursor()

    def action_shift(self, step: int) -> None:
        """Choose a higher or lower level for the criterion under the cursor."""
        scores = [level.score for level in self._criteria[self.cursor].levels]
        if self._score is None:
            self._choose_level(scores[0])
        elif step > 0:
            self._choose_level(next((score for score in scores if score > self._score), scores[-1]))
        else:
            self._choose_level(next((score for score in reversed(scores) if score < self._score), scores[0]))

    def action_shift_half(self) -> None:
        """Choose the level halfway to the next one, or at the highest level halfway down; a second time, leave it."""
        halves = [level.score for level in self._criteria[self.cursor].halfway_levels]
        if self._score is None or not halves:
            return
        if self._score in halves:
            self.action_shift(-1)
        else:
            self._choose_level(next((half for half in halves if half > self._score), halves[-1]))

    def _choose_level(self, score: float) -> None:
        self._score = score
        self.refresh()
        self.announce()

    def on_click(self, event: events.Click) -> None:
        """Select the clicked criterion; in the selected one, the right half raises the level, the left lowers it."""
        at = event.get_content_offset_capture(self)
        if at.y == self.cursor:
            event.prevent_default()
            self.action_shift(1 if at.x > self.size.width // 2 else -1)

    def _columns(self, width: int) -> tuple[int, int]:
        """The widths of names and pips: the same for every criterion."""
        label = max(cell_len(clean_line(criterion.label)) for criterion in self._criteria)
        glyphs = look(self).glyphs
        pips = max(cell_len(glyphs.pips(criterion.max_score, criterion.max_score)) for criterion in self._criteria)
        return min(label, _MAX_LABEL_CELLS, width // 2), pips

    def line(self, y: int) -> Line:
        """Draw a criterion, its level as pips and text, and the judge's level if it differs."""
        glyphs, criterion, at_cursor = look(self).glyphs, self._criteria[y], y == self.cursor
        score = self._score if at_cursor else self._current_scores.get(criterion.id)
        judged_score = self._judged_scores.get(criterion.id)
        label, pips = self._columns(self.line_width)
        head: Line = (
            (f"{glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (f"{fit(clean_line(criterion.label), label, glyphs.ellipsis)}  ", "bold ash" if at_cursor else "dim"),
        )
        if score is None:
            return (*head, (" " * (pips + _SCORE_CELLS), ""), ("levels differ", "ash" if at_cursor else "dim"))
        is_set_by_hand = judged_score is not None and score != judged_score
        judged_text = f"  (judged {format_number(judged_score or 0)})" if is_set_by_hand else ""
        level_label = clean_line(criterion.level_label(score))
        free_width = self.line_width - (2 + label + 2 + pips + _SCORE_CELLS) - cell_len(judged_text)
        label_width = max(1, min(cell_len(level_label), free_width))
        return (
            *head,
            (fit(glyphs.pips(score, criterion.max_score), pips), "molten" if is_set_by_hand else "ash"),
            (f" {format_number(score):>3}  ", "bold ash"),
            (fit(level_label, label_width, glyphs.ellipsis), "ash" if at_cursor else "dim"),
            (judged_text, "molten"),
        )


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
    """

    CSS_PATH = "dialogs.tcss"
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
