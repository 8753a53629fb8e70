"""The rubric lab: a rubric and its rules in editors, with every verdict that changes with them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from evalforge.app.lab.actions import LabActions
from evalforge.app.lab.editors import DraftEditors
from evalforge.app.lab.lab_text import places
from evalforge.app.lab.rows import change_counts, score_change_rows, source_counts
from evalforge.app.lab.rubric_editor import RubricEditor
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit, wrap
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.lab.draft import DraftPart
from evalforge.lab.draft_check import DraftCheck
from evalforge.lab.lab_session import LabSession, ScoreChanges
from evalforge.lab.pack_versions import version_number
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.packs.pack import BossPack
from evalforge.model.text import clean_line
from evalforge.packs.level_words import LevelWords

# The lab's table of levels: the rubric's sentence on the left, the conditions on the right.

_MAX_LINES = 40
_GAP = 2
_INDENT = 2
_SENTENCE_SHARE = 0.45
"""The sentence's share of the width; conditions get the rest, because names of facts are long and can't be wrapped."""
_NEW_SENTENCE = "Only the sentence changed: the forge judges as before."
_NEW_CONDITIONS = "Only the conditions changed: a model judges as before."


def level_rows(levels: Sequence[LevelWords], half_changed: Mapping[str, DraftPart]) -> list[Row]:
    """One row for each level.

    Args:
        levels: The levels of the draft.
        half_changed: By a level's key, the one of its halves that changed, if the other didn't.
    """
    return [_row(index, level, half_changed.get(level.key)) for index, level in enumerate(levels)]


def _row(index: int, level: LevelWords, changed_half: DraftPart | None) -> Row:
    remark = ""
    if changed_half is not None:
        remark = _NEW_SENTENCE if changed_half is DraftPart.RUBRIC else _NEW_CONDITIONS

    def build(width: int) -> list[Line]:
        return _lines(level, remark, width)

    return Row(str(index), build)


def _lines(level: LevelWords, remark: str, width: int) -> list[Line]:
    column = max(10, round((width - _INDENT - _GAP) * _SENTENCE_SHARE))
    condition_width = max(10, width - _INDENT - column - _GAP)
    name = f"{level.criterion_id} {format_number(float(level.level.score))}"
    head: Line = ((clean_line(name), "bold steel"), (f"  {clean_line(level.level.label)}", "dim"))
    lines: list[Line] = [head]
    if remark:
        lines += [((" " * _INDENT, ""), (line, "ember")) for line in wrap(remark, width - _INDENT, 3)]
    conditions = [
        line
        for condition in level.conditions
        for line in _condition_lines(clean_line(condition, cap=400), condition_width)
    ]
    sentences = wrap(clean_line(level.sentence, cap=2000), column, _MAX_LINES)
    for sentence, condition in zip_longest(sentences, conditions, fillvalue=""):
        lines.append(((" " * _INDENT, ""), (fit(sentence, column), "ash"), (" " * _GAP, ""), (condition, "verdigris")))
    return lines


def _condition_lines(condition: str, width: int) -> list[str]:
    first, *others = wrap(condition, width - 2, _MAX_LINES)
    return [f"- {first}", *(f"  {line}" for line in others)]


CHANGES_TAB, WORDS_TAB = "what moved", "words"
_LETTER_ACTIONS = frozenset({"compare_judges", "calibrate", "faults", "attempts", "save", "throw_away", "edit", "open"})
"""The actions of letter keys, which are enabled only while no text is being typed."""


class LabScreen(LabActions):
    """A draft, and its effect on every exemplar and chosen attempt."""

    CSS_PATH = "screen.tcss"
    NAME = "The rubric lab"
    HELP_TEXT = """
Change levels, the pass line or the conditions of a level, and see at once which verdicts change and why.
Nothing runs again: everything is scored from the evidence that is there.

You work on a draft. Every key you press is saved, so the draft is there when you come back. `s` saves it as a new
version of the boss and keeps the old one; `x` discards it.

*words* shows each level's sentence beside its conditions, and points out where only one of the two changed.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "check", "check", id="lab.check"),
        Binding("e", "edit", "edit", id="lab.edit"),
        Binding("s", "save", "save", id="lab.save"),
        Binding("J", "compare_judges", "judges", id="lab.duel"),
        Binding("c", "calibrate", "calibrate", id="lab.calibrate"),
        Binding("m", "faults", "faults", id="lab.faults"),
        Binding("a", "attempts", "attempts", id="lab.attempts"),
        Binding("x", "throw_away", "discard", id="lab.throw"),
        Binding("f4", "next_note", "next note", id="lab.note"),
        Binding("f2", "other", "other tab", id="lab.other"),
        Binding("ctrl+o", "elsewhere", "your editor", id="lab.elsewhere"),
        Binding("escape", "leave", "back", id="lab.leave"),
        *(Binding(str(i), f"open({i - 1})", "tab", show=False, id=f"lab.side{i}") for i in (1, 2, 3, 4)),
        Binding("f1", "help", "help", id="lab.help"),
    ]

    def __init__(self, lab: LabSession) -> None:
        super().__init__(lab)
        self._busy = ""
        self._names = [lab.draft.file(part).name for part in DraftPart]

    def body(self) -> Iterable[Widget]:
        """Compose heading, tabs, editors and table."""
        yield Heading(id="heading")
        yield TabBar((*self._names, CHANGES_TAB, WORDS_TAB), self._names[0], id="tabs")
        with Horizontal(id="page"):
            yield DraftEditors(self._lab.draft, id="desk")
            yield Rows(id="levels")
            with Vertical(id="side"):
                yield Heading(id="tally")
                yield Prose(id="words")
                yield Rows(id="moves")

    def on_mount(self) -> None:
        """Start scoring the exemplars with the draft."""
        self._show_all()
        self._editors.text().focus()
        self.measure()

    def on_unmount(self) -> None:
        """Release the draft."""
        self._lab.close()

    @property
    def _editors(self) -> DraftEditors:
        return self.query_one(DraftEditors)

    @property
    def _is_typing(self) -> bool:
        return isinstance(self.focused, RubricEditor)

    # Scoring

    def measure(self) -> None:
        """Get the evidence of every submission, then score."""
        self._measure_and_check()

    @work(exclusive=True, group="measure", exit_on_error=False)
    async def _measure_and_check(self) -> None:
        """Get the evidence of every submission, then check the draft."""
        lab = self._lab
        self.show_busy("Reading the exemplars ...")
        await asyncio.to_thread(lab.add_exemplars)
        await lab.measure(self.session.engine, self.session.services.options(practice=True), self.show_busy)
        self.show_busy("")
        self._check()

    def show_busy(self, text: str) -> None:
        """Show what is going on."""
        self._busy = text
        self._show_score_changes()

    @on(DraftEditors.Written)
    def _check_soon(self) -> None:
        self._check()

    @work(exclusive=True, group="check", exit_on_error=False)
    async def _check(self) -> None:
        """Lint the draft; if it is sound, score everything with it."""
        draft_check = await asyncio.to_thread(self._lab.check_draft)
        if draft_check.pack is not None:
            self._score_changes = await self._lab.score(draft_check.pack)
        self._draft_check = draft_check
        self._show_all()

    # Display

    def _show_all(self) -> None:
        self._show_heading()
        self._show_score_changes()
        if self._draft_check is not None:
            self._editors.show_checks(self._draft_check)
            self.query_one("#levels", Rows).show(level_rows(self._draft_check.levels, self._draft_check.half_changed))
        self.refresh_bindings()

    def _show_heading(self) -> None:
        about, draft = self._lab.pack.definition, self._lab.draft
        version = f"version {version_number(self._lab.pack.path)}"
        state = f"draft on {version}" if draft.is_changed else f"{version}, unchanged"
        if draft.is_changed and draft.is_outdated:
            state += ", which changed since"
        title: list[Run] = [("RUBRIC LAB  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")]
        self.query_one("#heading", Heading).set_text(title, [(state, "dim")])

    def _show_score_changes(self) -> None:
        if not self.is_mounted:
            return
        changes, draft_check = self._score_changes, self._draft_check
        status = self.query_one("#words", Prose)
        if self._busy or changes is None or draft_check is None:
            message = "The text can't be scored yet: fix what is marked." if draft_check else "Scoring ..."
            status.set_text(styled((clean_line(self._busy), "ember") if self._busy else (message, "dim")))
            return
        has_moved = any(not move.is_unchanged for move in changes.by_submission.values())
        title: list[Run] = [("WHAT MOVED", "bold ember"), (f"  {change_counts(changes)}", "dim")]
        self.query_one("#tally", Heading).set_text(title, [(source_counts(self._lab), "faint")])
        status.set_text(styled(*self._status_parts(changes, draft_check, has_moved=has_moved)))
        if draft_check.pack is not None:
            names = dict(zip(DraftPart, self._names, strict=True))
            rows = score_change_rows(self._lab, changes, places(draft_check, names), self.game.look.glyphs)
            self.query_one("#moves", Rows).show(rows)

    def _status_parts(self, changes: ScoreChanges, draft_check: DraftCheck, *, has_moved: bool) -> list[Run]:
        """How to read the table, and how the forge compares with gold."""
        submissions = list(self._lab.submissions.values())
        (hits, total), (hits_before, _) = (
            changes.count_gold_hits(submissions, changes.after),
            changes.count_gold_hits(submissions, changes.before),
        )
        gold = f"The forge meets {hits} of {total} gold levels" + (
            f", {hits_before} before." if hits != hits_before else "."
        )
        if draft_check.pack is None:
            issue = draft_check.blocking_issue
            where = clean_line(f"{issue.place(self._lab.draft.path)} ") if issue else ""
            return [
                (f"Not scored: {where}", "blood"),
                ("blocks it. These results are from the last valid text.", "ash"),
            ]
        if not changes.revision.changes:
            return [("No change so far affects a level. ", "dim"), (gold, "dim")]
        lead = "" if has_moved else f"{plural(len(changes.revision.changes), 'change')}, and no verdict changes. "
        return [(lead, "ash"), (gold, "dim")]

    # Tabs

    @on(TabBar.TabOpened)
    def _show_tab(self, event: TabBar.TabOpened) -> None:
        self.set_class(event.name == CHANGES_TAB, "-moved")
        self.set_class(event.name == WORDS_TAB, "-words")
        if event.name in (WORDS_TAB, CHANGES_TAB):
            self.query_one("#levels" if event.name == WORDS_TAB else "#moves").focus()
        else:
            self._editors.open(list(DraftPart)[self._names.index(event.name)])
            self._editors.text().focus()
        self.refresh_bindings()

    def action_open(self, index: int) -> None:
        """Open one tab of the lab."""
        tabs = self.query_one(TabBar)
        if tabs.open == tabs.names[index]:
            self._show_tab(TabBar.TabOpened(tabs.open))
        tabs.open = tabs.names[index]

    @on(DraftEditors.Opened)
    def _open_tab_of_part(self, event: DraftEditors.Opened) -> None:
        self.query_one(TabBar).open = self._names[list(DraftPart).index(event.part)]

    @on(Rows.Opened, "#levels")
    def _open_level(self, event: Rows.Opened) -> None:
        """Go to a level's sentence in its text."""
        event.stop()
        if self._draft_check is not None:
            self._editors.text(DraftPart.RUBRIC).go_to(self._draft_check.levels[int(event.key)].sentence_line)
            self.action_open(list(DraftPart).index(DraftPart.RUBRIC))

    def action_next_note(self) -> None:
        """Go to the next note."""
        self._editors.next_note()

    def action_other(self) -> None:
        """Open the tab after the open one."""
        self.query_one(TabBar).open_neighbour(1)

    def action_edit(self) -> None:
        """Return to the text that was open last."""
        self.action_open(list(DraftPart).index(self._editors.part))

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Refresh the key bar: letters are keys only while no text is being typed."""
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable letters while text is being typed, and actions that have nothing to act on."""
        if action in _LETTER_ACTIONS and self._is_typing:
            return False
        if action == "next_note":
            return self._draft_check is not None and bool(self._draft_check.issues)
        if action == "check":
            return self._is_typing
        if action in ("compare_judges", "calibrate", "faults"):
            return self._score_changes is not None and bool(self._score_changes.by_submission)
        if action in ("save", "throw_away"):
            return self._lab.draft.is_changed
        return True

    # Actions

    def action_check(self) -> None:
        """Check the draft and score with it at once."""
        self._check()

    @on(RubricEditor.Left)
    def _leave_text(self) -> None:
        self.action_open(len(self._names))

    def action_elsewhere(self) -> None:
        """Open the current text in the user's own editor."""
        self._editors.edit_elsewhere()

    def action_leave(self) -> None:
        """Leave the lab; the draft is kept."""
        if self._lab.draft.is_changed:
            self.notify("Your draft is kept.", timeout=2, markup=False)
        self.action_back()


def open_lab(game: "GameApp", pack: "BossPack") -> None:
    """Open the lab of a boss, in place of the lab that is shown; show a message if its draft is unavailable."""
    try:
        screen = LabScreen(LabSession(game.session.services.history.parent, pack))
    except EvalForgeError as error:
        game.notify(problem(error), title="No lab", severity="warning", markup=False)
        return
    if isinstance(game.screen, LabScreen):
        game.pop_screen()
    game.push_screen(screen)
