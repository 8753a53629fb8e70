"""A comment to one student or to everybody in a cluster; it changes no level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.classroom.override import title_of_rows
from evalforge.app.classroom.tab_rows import hanging_lines, heading_row
from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.classroom.class_row import ClassRow

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

    CSS_PATH = "comment.tcss"
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
