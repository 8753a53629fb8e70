"""A comment to one student or to everybody in a cluster; it changes no level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.classroom.findings import heading_row, title_of_rows
from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.classroom.class_row import ClassRow
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.store import History

_WRITTEN, _USED = "written ", "used "
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
        written: Comments that they already have.
        used: Comments for reuse: saved ones, or ones written to anybody in this class.
    """

    CSS_PATH = "comment.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "cancel", id="comment.close"),
    ]

    def __init__(self, title: str, written: Sequence[str], used: Sequence[str]) -> None:
        super().__init__(f"Comment: {title}")
        self._written = tuple(dict.fromkeys(written))
        self._used = tuple(text for text in dict.fromkeys(used) if text not in self._written)

    def body(self) -> Iterable[Widget]:
        """Compose the input and the existing comments."""
        yield CommentLine(placeholder="what should they read first?", id="line")
        yield Prose(styled((_HINT, "dim")), id="message")
        rows = Rows("take back or use", id="comments")
        rows.show([*self._section(_WRITTEN, "Already sent: enter takes it back", self._written),
                   *self._section(_USED, "Used before: enter inserts it", self._used)])  # fmt: skip
        rows.display = bool(self._written or self._used)
        yield rows

    def _section(self, key: str, title: str, texts: Sequence[str]) -> list[Row]:
        heading = [heading_row(key, title)] if texts else []
        return [*heading, *(_comment_row(f"{key}{index}", text) for index, text in enumerate(texts))]

    def on_mount(self) -> None:
        """Focus the input, so that the user can type at once."""
        self.query_one(CommentLine).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the key for the list if there are no comments."""
        return action != "list_comments" or bool(self._written or self._used)

    def action_list_comments(self) -> None:
        """Focus the list of existing comments."""
        self.query_one(Rows).focus()

    @on(Input.Submitted)
    def _write(self, event: Input.Submitted) -> None:
        text = " ".join(event.value.split())
        if text:
            self.dismiss(CommentChange(text))
        else:
            self.query_one("#message", Prose).set_text(styled(("Write something first.", "ember")))

    @on(Rows.Opened)
    def _choose(self, event: Rows.Opened) -> None:
        kind, _, index = event.key.partition(" ")
        if f"{kind} " == _WRITTEN:
            self.dismiss(CommentChange(self._written[int(index)], is_withdrawn=True))
            return
        line = self.query_one(CommentLine)
        line.value = self._used[int(index)]
        line.focus()

    def action_leave(self) -> None:
        """Go from the comments back to the input, then close."""
        line = self.query_one(CommentLine)
        if line.has_focus:
            self.dismiss(None)
        else:
            line.focus()


def _comment_row(key: str, text: str) -> Row:
    return Row(key, lambda width: wrap_runs(mark_code(clean_line(text), "ash"), max(8, width), 2))


def comment_dialog(history: "History", label: str, boss_id: str, rows: Sequence[ClassRow]) -> CommentScreen:
    """Build the dialog for some rows of a class, with their comments and those that can be reused."""
    comments = history.comments.of_class(label, boss_id)
    used = [row_comment.text for row_comments in comments.values() for row_comment in row_comments]
    written = [one.text for row in rows for one in comments.get(row.row_id, ())]
    return CommentScreen(title_of_rows(rows), written, (*history.comments.saved().values(), *used))
