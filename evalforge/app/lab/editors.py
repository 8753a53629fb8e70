"""The lab's editors for both texts, which write each change to the draft, and the notes on them."""

from collections.abc import Iterable

from textual import events, on
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from evalforge.app.lab.rows import issue_rows
from evalforge.app.lab.rubric_editor import Margin, RubricEditor
from evalforge.app.screens.edit import edit
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.draft_check import DraftCheck
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.issue import Issue

PAUSE = 0.7
"""Seconds without a key press until a text is checked."""
_FILE_CHECK_SECONDS = 1.0
"""Seconds between two checks whether another editor changed a text."""


class DraftEditors(Vertical):
    """Two editors, one of them visible, and the list of notes below."""

    class Opened(Message):
        """Posted when a note led to a text."""

        def __init__(self, part: DraftPart) -> None:
            super().__init__()
            self.part = part

    class Written(Message):
        """Posted when a text was changed; ``at_once`` says whether somebody is waiting for the check."""

        def __init__(self, *, at_once: bool = False) -> None:
            super().__init__()
            self.at_once = at_once

    def __init__(self, draft: LabDraft, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._draft = draft
        self._notes: tuple[Issue, ...] = ()
        self._blocking_issue: Issue | None = None
        self._texts: dict[DraftPart, str] = {}
        self._pause: Timer | None = None
        self.part = DraftPart.RUBRIC
        """The open text."""

    def compose(self) -> Iterable[Widget]:
        """Compose margin and editor of each text, and the notes."""
        for part in DraftPart:
            text = RubricEditor(id=part.value)
            with Horizontal(id=f"text-{part.value}", classes="text"):
                yield Margin(text, id=f"margin-{part.value}")
                yield text
        yield Rows(id="notes")

    def on_mount(self) -> None:
        """Load both texts from the draft."""
        for part in DraftPart:
            self._load(part)
        self.open(self.part)
        self.query_one("#notes").display = False
        self.set_interval(_FILE_CHECK_SECONDS, self._reload_changed_files)

    def text(self, part: DraftPart | None = None) -> RubricEditor:
        """The editor of a text; of the open one if none is named."""
        return self.query_one(f"#{(part or self.part).value}", RubricEditor)

    def open(self, part: DraftPart) -> None:
        """Open the editor of one of the draft's texts."""
        self.part = part
        for other_part in DraftPart:
            self.query_one(f"#text-{other_part.value}").display = other_part is part
        self._show_notes()

    def show_checks(self, draft_check: DraftCheck) -> None:
        """Show the notes on the texts."""
        notes = self._notes = draft_check.issues
        self._blocking_issue = draft_check.blocking_issue
        for part in DraftPart:
            # A line with a problem is marked as one, whatever other notes it has.
            marks: dict[int, bool] = {}
            for note in notes:
                if note.path == self._draft.file(part) and note.line:
                    marks[note.line] = marks.get(note.line, False) or note.is_problem
            self.query_one(f"#margin-{part.value}", Margin).mark(marks)
        self._show_notes()

    def _show_notes(self) -> None:
        rows = self.query_one("#notes", Rows)
        rows.display = bool(self._notes)
        rows.show(issue_rows(self._notes, self._blocking_issue, self._draft, self.part, look(self).glyphs))

    # Writing

    def _load(self, part: DraftPart) -> None:
        """Load a text from the draft; the cursor keeps its position."""
        editor = self.text(part)
        cursor = editor.cursor_location
        editor.load_text(self._draft.text(part))
        self._texts[part] = editor.text
        editor.move_cursor(cursor)

    @on(RubricEditor.Changed)
    def _write_draft(self, event: RubricEditor.Changed) -> None:
        """Write the text to the disk after every key, so that nothing typed is lost."""
        part = DraftPart(event.text_area.id or "")
        text = event.text_area.text
        if text == self._texts.get(part):
            return
        self._texts[part] = text
        try:
            self._draft.write(part, text)
        except UsageError as error:
            self.notify(problem(error), title="Not written", severity="error", markup=False)
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, lambda: self.post_message(self.Written()))

    def _reload_changed_files(self) -> None:
        """Check whether another editor has changed a text."""
        changed = [part for part in DraftPart if self._draft.is_changed_outside(part)]
        for part in changed:
            self._load(part)
        if changed:
            self.post_message(self.Written(at_once=True))

    def reload(self) -> None:
        """Load both texts from the draft's files again."""
        for part in DraftPart:
            self._load(part)
        self.post_message(self.Written(at_once=True))

    # Moving through the notes

    @on(Rows.Opened, "#notes")
    def _open_note(self, event: Rows.Opened) -> None:
        event.stop()
        self._go_to(self._notes[int(event.key)])

    def next_note(self) -> None:
        """Go to the next note after the cursor, in this text or the other."""
        notes = [(self._draft.part_of(note.path), note) for note in self._notes if note.line]
        notes_here = [note for part, note in notes if part is self.part]
        line = self.text().cursor_location[0] + 1
        after = next((note for note in notes_here if (note.line or 0) > line), None)
        other_notes = [note for part, note in notes if part not in (self.part, None)]
        target = after or next(iter(other_notes), None) or next(iter(notes_here), None)
        if target is not None:
            self._go_to(target)

    def _go_to(self, note: Issue) -> None:
        part = self._draft.part_of(note.path)
        if part is None:
            file = note.file(self._draft.path)
            self.notify(clean_line(f"{file} is in the pack, not in this draft."), markup=False)
            return
        self.text(part).go_to(note.line or 1)
        self.open(part)
        self.text().focus()
        self.post_message(self.Opened(part))
        self.query_one("#notes", Rows).point(str(self._notes.index(note)))

    # External editor

    def edit_elsewhere(self) -> None:
        """Open the text in the editor from the environment, at the cursor's line."""
        edit(self, self._draft.file(self.part), self.text().cursor_location[0] + 1, self.reload)

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Refresh the key bar, because available keys depend on the focus."""
        self.screen.refresh_bindings()

    def on_descendant_blur(self, _: events.DescendantBlur) -> None:
        """Refresh the key bar, because available keys depend on the focus."""
        self.screen.refresh_bindings()
