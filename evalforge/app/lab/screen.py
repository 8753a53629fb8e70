"""The rubric lab: a rubric and its rules under the hammer, and every verdict that moves with them."""

import asyncio
from collections.abc import Iterable
from typing import ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.lab.actions import LabActions
from evalforge.app.lab.editors import DraftEditors
from evalforge.app.lab.lab_text import places
from evalforge.app.lab.rows import move_rows, moved_words, source_counts
from evalforge.app.lab.rubric_editor import RubricEditor
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.painting import Run
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.lab.draft import DraftPart
from evalforge.lab.draft_check import DraftCheck
from evalforge.lab.pack_versions import version_number
from evalforge.lab.session import LabSession, ScoreChanges
from evalforge.model.text import clean_line

MOVED = "what moved"
_BY_LETTER = frozenset({"duel", "calibrate", "attempts", "save", "throw_away", "edit", "open"})
"""What letters do: only while no text is being typed."""


class LabScreen(LabActions):
    """A draft, and what becomes of every exemplar and chosen try by it."""

    CSS_PATH = "screen.tcss"
    NAME = "The rubric lab"
    HELP_TEXT = """
Change levels, the pass line or what earns a level, and see at once whose verdict moves, and because of which change.
Nothing is run again: everything is scored from the evidence that is there.

You work on a draft. It is on the disk with every key you press, and waits for you if you leave. `s` saves it as a new
version of the boss and keeps the old one; `x` throws it away.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "check", "check", id="lab.check"),
        Binding("e", "edit", "edit", id="lab.edit"),
        Binding("s", "save", "save", id="lab.save"),
        Binding("v", "duel", "judges", id="lab.duel"),
        Binding("c", "calibrate", "calibrate", id="lab.calibrate"),
        Binding("a", "attempts", "tries", id="lab.attempts"),
        Binding("x", "throw_away", "discard", id="lab.throw"),
        Binding("f4", "next_note", "next note", id="lab.note"),
        Binding("f2", "other", "other side", id="lab.other"),
        Binding("ctrl+o", "elsewhere", "your editor", id="lab.elsewhere"),
        Binding("escape", "leave", "back", id="lab.leave"),
        *(Binding(str(i), f"open({i - 1})", "side", show=False, id=f"lab.side{i}") for i in (1, 2, 3)),
        Binding("f1", "help", "help", id="lab.help"),
    ]

    def __init__(self, bench: LabSession) -> None:
        super().__init__(bench)
        self._busy = ""
        self._names = [bench.draft.file(part).name for part in DraftPart]

    def body(self) -> Iterable[Widget]:
        """Heading, sides, desk and table."""
        yield Heading(id="heading")
        yield TabBar((*self._names, MOVED), self._names[0], id="tabs")
        with Horizontal(id="page"):
            yield DraftEditors(self._bench.draft, id="desk")
            with Vertical(id="side"):
                yield Heading(id="tally")
                yield Prose(id="words")
                yield Rows(id="moves")

    def on_mount(self) -> None:
        """Begin to score."""
        self._tell()
        self._desk.text().focus()
        self.measure()

    def on_unmount(self) -> None:
        """Let go of the draft."""
        self._bench.close()

    @property
    def _desk(self) -> DraftEditors:
        return self.query_one(DraftEditors)

    @property
    def _is_typing(self) -> bool:
        return isinstance(self.focused, RubricEditor)

    # Scoring

    def measure(self) -> None:
        """Get the evidence of all that is on the bench, then score."""
        self._gather()

    @work(exclusive=True, group="measure", exit_on_error=False)
    async def _gather(self) -> None:
        """Get the evidence of all that is on the bench."""
        bench = self._bench
        self.show_busy("reading the exemplars")
        await asyncio.to_thread(bench.add_exemplars)
        await bench.measure(self.session.engine, self.session.services.options(practice=True), self.show_busy)
        self.show_busy("")
        self._check()

    def show_busy(self, words: str) -> None:
        """Say what is going on."""
        self._busy = words
        self._tell_heading()

    @on(DraftEditors.Written)
    def _check_soon(self) -> None:
        self._check()

    @work(exclusive=True, group="check", exit_on_error=False)
    async def _check(self) -> None:
        """Lint the draft; if it is sound, score everything by it."""
        checked = await asyncio.to_thread(self._bench.check_draft)
        if checked.pack is not None:
            self._outcome = await self._bench.score(checked.pack)
        self._checked = checked
        self._tell()

    # Telling

    def _tell(self) -> None:
        self._tell_heading()
        self._tell_table()
        if self._checked is not None:
            self._desk.show_checks(self._checked)
        self.refresh_bindings()

    def _tell_heading(self) -> None:
        if not self.is_mounted:
            return
        about, draft = self._bench.pack.definition, self._bench.draft
        version = f"version {version_number(self._bench.pack.path)}"
        state = f"draft on {version}" if draft.is_changed else f"{version}, unchanged"
        if draft.is_changed and draft.is_outdated:
            state += ", which changed since"
        right: list[Run] = [(self._busy or state, "ember" if self._busy else "dim")]
        title: list[Run] = [("RUBRIC LAB  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")]
        self.query_one("#heading", Heading).set_text(title, right)

    def _tell_table(self) -> None:
        outcome, checked = self._outcome, self._checked
        words = self.query_one("#words", Prose)
        if outcome is None or checked is None:
            told = "The text can't be scored yet: mend what is marked." if checked else "Scoring ..."
            words.set_text(Content.assemble((told, "$dim")))
            return
        moved = any(not move.is_unchanged for move in outcome.by_submission.values())
        left: list[Run] = [("WHAT MOVED", "bold ember"), (f"  {moved_words(outcome)}", "dim")]
        self.query_one("#tally", Heading).set_text(left, [(source_counts(self._bench), "faint")])
        words.set_text(Content.assemble(*self._state(outcome, checked, moved=moved)))
        if checked.pack is not None:
            names = dict(zip(DraftPart, self._names, strict=True))
            rows = move_rows(self._bench, outcome, places(checked, names), self.game.look.glyphs)
            self.query_one("#moves", Rows).show(rows)

    def _state(self, outcome: ScoreChanges, checked: DraftCheck, *, moved: bool) -> list[tuple[str, str]]:
        """How to read the table, and how the forge stands to gold."""
        exhibits = list(self._bench.submissions.values())
        (now, total), (was, _) = (
            outcome.count_gold_hits(exhibits, outcome.after),
            outcome.count_gold_hits(exhibits, outcome.before),
        )
        gold = f"The forge meets {now} of {total} gold levels" + (f", {was} before." if now != was else ".")
        if checked.pack is None:
            bar = checked.blocking_issue
            where = clean_line(
                f"{bar.file_name}:{bar.line} " if bar and bar.line else bar.file_name + " " if bar else ""
            )
            return [(f"Not scored: {where}", "$blood"), ("bars it. This is as of the last sound text.", "$ash")]
        if not outcome.revision.changes:
            return [("Nothing is changed yet that could move a level. ", "$dim"), (gold, "$dim")]
        lead = "" if moved else f"{plural(len(outcome.revision.changes), 'change')}, and nothing moves. "
        return [(lead, "$ash"), (gold, "$dim")]

    # Sides

    @on(TabBar.Turned)
    def _turned(self, event: TabBar.Turned) -> None:
        self.set_class(event.name == MOVED, "-moved")
        if event.name == MOVED:
            self.query_one("#moves").focus()
        else:
            self._desk.open(list(DraftPart)[self._names.index(event.name)])
            self._desk.text().focus()
        self.refresh_bindings()

    def action_open(self, index: int) -> None:
        """One side."""
        tabs = self.query_one(TabBar)
        if tabs.open == tabs.names[index]:
            self._turned(TabBar.Turned(tabs.open))
        tabs.open = tabs.names[index]

    @on(DraftEditors.Opened)
    def _follow(self, event: DraftEditors.Opened) -> None:
        self.query_one(TabBar).open = self._names[list(DraftPart).index(event.part)]

    def action_next_note(self) -> None:
        """The next thing that is said about a text."""
        self._desk.next_note()

    def action_other(self) -> None:
        """The next side."""
        self.query_one(TabBar).turn(1)

    def action_edit(self) -> None:
        """Back to the text that was open last."""
        self.action_open(list(DraftPart).index(self._desk.part))

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Letters are keys only where nothing is typed."""
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters only while nothing is typed; and only what there is something for."""
        if action in _BY_LETTER and self._is_typing:
            return False
        if action == "next_note":
            return self._checked is not None and bool(self._checked.issues)
        if action == "check":
            return self._is_typing
        if action in ("duel", "calibrate"):
            return self._outcome is not None and bool(self._outcome.by_submission)
        if action in ("save", "throw_away"):
            return self._bench.draft.is_changed
        return True

    # What can be done

    def action_check(self) -> None:
        """Check and score now."""
        self._check()

    @on(RubricEditor.Left)
    def _leave_text(self) -> None:
        self.action_open(2)

    def action_elsewhere(self) -> None:
        """The open text in one's own editor."""
        self._desk.edit_elsewhere()

    def action_leave(self) -> None:
        """Out of the lab; the draft stays."""
        if self._bench.draft.is_changed:
            self.notify("Your draft is kept.", timeout=2, markup=False)
        self.action_back()
