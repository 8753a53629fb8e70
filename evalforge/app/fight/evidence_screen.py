"""Why a criterion got its level: the places, the code, the trial's story, the next level, the hints."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.core.judged_submission import JudgedSubmission
from evalforge.app.fight.evidence_text import hint_text, levels_text, reason_text, trials_text
from evalforge.app.fight.impostor_list import ImpostorList
from evalforge.app.fight.riddles import Rung, mistakes_in, riddled_judgement
from evalforge.app.screens.edit import edit_place, edit_tests
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.code_view import CodeView
from evalforge.app.ui.widgets.finding_list import FindingList
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.evidence import Finding
from evalforge.model.number_format import format_number
from evalforge.model.reason import Mistake
from evalforge.model.rubric import Criterion
from evalforge.model.submission import SubmissionFile
from evalforge.model.text import clean_line

TABS = ("code", "trials", "next level", "hints", "impostors")
TRIES_BEFORE_HINTS = 2


class EvidenceScreen(TabScreen):
    """The evidence for each criterion's level, one criterion at a time."""

    CSS_PATH = "evidence_screen.tcss"
    NAME = "The evidence"
    HELP_TEXT = """
Every level has its reason. The places it points at are above. Below are the code as it was judged, what the trials
called and got back, and what the next level needs. `pgdn` scrolls the reason first, then whatever is open below.

`5` lists the impostors. Tests that fail on a right program come first, then the impostors that your tests missed, each
with a riddle; `h` adds the line of the contract that it breaks. `enter` shows the code of a test; `t` opens your
editor at the end of your tests, so that you can add one.

`y` copies a shell command that repeats a failed trial in your folder.

Where the boss knows your mistake, its riddle comes first: `h` quotes the contract, then names the fault, then says
what to do. `e` opens your editor at the line ($VISUAL or $EDITOR). After two attempts `h` gives hints, too, in three
steps. Hints are counted and cost nothing; only a flawless win without any is *unaided*.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "edit", id="evidence.edit"),
        Binding("t", "write_test", "write a test", id="evidence.write_test"),
        Binding("y", "copy_command", "copy as command", id="evidence.copy"),
        Binding("h", "hint", "hint", id="evidence.hint"),
        Binding("n", "criterion(1)", "next criterion", id="evidence.next"),
        Binding("N", "criterion(-1)", "previous criterion", show=False, id="evidence.previous"),
        *tab_keys("evidence", TABS),
        Binding("pagedown", "page(1)", "read on", key_display="pgdn", id="evidence.page_down"),
        Binding("pageup", "page(-1)", "read back", show=False, key_display="pgup", id="evidence.page_up"),
        Binding("escape", "back", "back", id="evidence.back"),
    ]

    def __init__(self, judged_submission: JudgedSubmission, criterion_id: str) -> None:
        super().__init__()
        self._judged_submission = judged_submission
        ids = [criterion.id for criterion in judged_submission.boss.rubric.criteria]
        self._at = ids.index(criterion_id) if criterion_id in ids else 0
        self._opened_test: Finding | None = None

    @property
    def criterion(self) -> Criterion:
        """The criterion that is shown."""
        return self._judged_submission.boss.rubric.criteria[self._at]

    @property
    def _tries(self) -> int:
        return self.session.tries(self._judged_submission.boss.boss_id)

    def body(self) -> Iterable[Widget]:
        """Compose heading, reason and places, then one of the tabs."""
        yield Heading(id="heading")
        with Container(id="page"):
            with Vertical(id="why"):
                yield Panel(id="reason")
                yield FindingList(max_lines=3, id="findings")
            with Vertical(id="what"):
                yield TabBar(TABS, TABS[0], id="tabs")
                yield Heading(id="file")
                yield CodeView(id="code")
                yield Panel(id="text")
                yield ImpostorList(id="impostors")

    def on_mount(self) -> None:
        """Open the requested criterion."""
        self.query_one("#reason").can_focus = False
        self.query_one(ImpostorList).show_evidence(self._judged_submission.evidence)
        self._show()
        self.query_one(FindingList).focus()

    def _show(self) -> None:
        criterion, judged_submission = self.criterion, self._judged_submission
        judgement = judged_submission.judgements.get(criterion.id)
        score = judgement.score if judgement else 0
        top = score >= criterion.max_score
        self.query_one("#heading", Heading).set_text(
            [
                (clean_line(criterion.label).upper(), f"bold {judged_submission.boss.accent}"),
                (f"  {self.game.look.glyphs.pips(score, criterion.max_score)}", "molten" if top else "ember"),
                (f"  {criterion.level_label(score)}", "ash"),
                (f"  {format_number(score)} of {format_number(criterion.max_score)}", "dim"),
            ],
            [(f"{self._at + 1} of {len(judged_submission.boss.rubric.criteria)}", "dim")],
        )  # fmt: skip
        self._show_reason()
        findings = self.query_one(FindingList)
        paths = [finding.path for finding in self._findings]
        findings.show(sorted(self._findings, key=lambda finding: (not finding.path, paths.index(finding.path))))
        tabs, first = self.query_one(TabBar), findings.selection
        if tabs.open in ("code", "trials"):
            tabs.open = "next level" if not first else "code" if first.path or not first.trial else "trials"
        self._show_open_tab()

    def _show_reason(self) -> None:
        judgement = self._judged_submission.judgements.get(self.criterion.id)
        if judgement is not None and self._judged_submission.has_riddles:
            mistakes = mistakes_in(self._judged_submission.judgements.values())
            judgement = riddled_judgement(judgement, mistakes, self._rung_of)
        self.query_one("#reason", Panel).set_text(reason_text(judgement, self.game.look.glyphs, self._findings))

    @property
    def _findings(self) -> tuple[Finding, ...]:
        """The findings of the criterion."""
        return self._judged_submission.findings(self.criterion.id)

    def _rung_of(self, mistake: Mistake) -> int:
        return self.session.hints_taken(self._judged_submission.boss.boss_id, mistake.hint_key)

    @property
    def _open_riddle(self) -> Mistake | None:
        """The first mistake of the criterion of which something is still a riddle; None if there is none."""
        judgement = self._judged_submission.judgements.get(self.criterion.id)
        if judgement is None or not self._judged_submission.has_riddles:
            return None
        return next((m for m in mistakes_in((judgement,)) if self._rung_of(m) < Rung.RECIPE), None)

    @property
    def _selection(self) -> Finding | None:
        """The place whose code is shown and edited: a finding's, or that of an opened or selected test."""
        if self.query_one(TabBar).open == "impostors":
            return self.query_one(ImpostorList).place
        return self._opened_test or self.query_one(FindingList).selection

    @on(FindingList.Pointed, "#findings")
    def _leave_test(self) -> None:
        """Show the finding under the cursor again instead of a test."""
        self._opened_test = None
        self._show_open_tab()

    @on(ImpostorList.Opened, "#impostors")
    def _open_test(self) -> None:
        self._opened_test = self.query_one(ImpostorList).place
        self.query_one(TabBar).open = "code"

    @on(TabBar.TabOpened)
    def _turn_focus(self) -> None:
        """Let the arrow keys move in the impostors if these are shown, else in the findings."""
        shows_impostors = self.query_one(TabBar).open == "impostors"
        if not shows_impostors:
            self.query_one(FindingList).focus()
        self._show_open_tab()
        if shows_impostors:
            self.query_one(ImpostorList).focus()

    def _show_open_tab(self) -> None:
        """Fill the open tab."""
        tab, criterion, finding = self.query_one(TabBar).open, self.criterion, self._selection
        file = self._judged_submission.submission.file(finding.path) if finding and finding.path else None
        is_code, text = tab == "code" and file is not None, self.query_one("#text", Panel)
        self.query_one(CodeView).display = self.query_one("#file").display = is_code
        self.query_one(ImpostorList).display = tab == "impostors"
        text.display = not is_code and tab != "impostors"
        judgement = self._judged_submission.judgements.get(criterion.id)
        if finding is not None and file is not None and is_code:
            self._show_code_place(finding, file)
        elif tab == "code":
            text.set_text(_placeless(finding))
        elif tab == "trials":
            trials = self._judged_submission.trials(criterion.id, self.query_one(FindingList).selection)
            everything, listed = self._judged_submission.evidence.trials, {each.trial for each in self._findings}
            text.set_text(trials_text(trials, everything, self.game.look.glyphs, listed))
        elif tab == "next level":
            text.set_text(levels_text(criterion, judgement))
        elif tab == "hints":
            text.set_text(self._hints())
        self.refresh_bindings()

    def _show_code_place(self, finding: Finding, file: SubmissionFile) -> None:
        code, name = self.query_one(CodeView), self.query_one("#file", Heading)
        place, folder = clean_line(finding.place), clean_line(short(self._judged_submission.directory))
        fits = len(place) + len(folder) + 4 < code.container_size.width
        name.set_text([(place, "bold steel")], [(folder, "faint")] if fits else [])
        marks = self._judged_submission.marks(self.criterion.id, file.path)
        if self._opened_test is not None:
            marks = {finding.line or 1: [finding.message]}
        code.show(file.path, file.content, marks, finding.line or 1)

    def _hints(self) -> Content:
        hint_count = self.session.hints_taken(self._judged_submission.boss.boss_id, self.criterion.id)
        hints = self._judged_submission.hints.get(self.criterion.id, ())
        return hint_text(hints, hint_count, self._tries, TRIES_BEFORE_HINTS)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable hints only if there are any left."""
        if action == "edit" and self.is_mounted:
            finding = self._selection
            return bool(finding and finding.path)
        if action == "write_test":
            return self.is_mounted and self.query_one(TabBar).open == "impostors"
        if action == "copy_command":
            return bool(self.is_mounted and self._command)
        has_more = self._riddle_pack or self._open_riddle or self._judged_submission.hints.get(self.criterion.id)
        return action != "hint" or bool(has_more)

    def action_criterion(self, step: int) -> None:
        """Show the next criterion, with the same tab open."""
        self._opened_test = None
        self._at = (self._at + step) % len(self._judged_submission.boss.rubric.criteria)
        self._show()

    def action_page(self, pages: int) -> None:
        """Scroll through the reason, if it is long, then the open tab."""
        parts = [part for part in self.query("#reason, #code, #text") if part.display]
        for part in parts[::pages]:
            if part.max_scroll_y - part.scroll_y if pages > 0 else part.scroll_y:
                part.scroll_relative(y=pages * max(1, part.size.height - 1), animate=False)
                return

    @property
    def _riddle_pack(self) -> Path | None:
        """The pack with more on the riddle under the cursor; None if there is none."""
        is_open = self.is_mounted and self.query_one(TabBar).open == "impostors"
        return self._judged_submission.boss.pack if is_open and self.query_one(ImpostorList).riddle else None

    def action_hint(self) -> None:
        """Say more of a riddle, or show one more step of the criterion's hint, after two attempts."""
        if (pack := self._riddle_pack) is not None:
            self.query_one(ImpostorList).quote_contract(pack)
            return
        if (mistake := self._open_riddle) is not None:
            self.session.count_hint(self._judged_submission.boss.boss_id, mistake.hint_key, self._rung_of(mistake) + 1)
            self._show_reason()
            self.refresh_bindings()
            return
        tabs, boss, criterion = self.query_one(TabBar), self._judged_submission.boss.boss_id, self.criterion.id
        hint_count = self.session.hints_taken(boss, criterion)
        wants_more = tabs.open == "hints" or not hint_count
        if (
            self._tries >= TRIES_BEFORE_HINTS
            and wants_more
            and hint_count < len(self._judged_submission.hints.get(criterion, ()))
        ):
            self.session.count_hint(boss, criterion, hint_count + 1)
        tabs.open = "hints"
        self._show_open_tab()

    def action_edit(self) -> None:
        """Open the editor at the finding, and return."""
        finding = self._selection
        if finding is not None and finding.path:
            edit_place(self, self._judged_submission.directory, finding)

    @property
    def _command(self) -> str:
        """The shell command of the chosen finding's trial, or of the first failed trial with a command."""
        trials = self._judged_submission.trials(self.criterion.id, self.query_one(FindingList).selection)
        return next((trial.command for trial in trials if trial.command), "")

    def action_copy_command(self) -> None:
        """Copy the command that repeats the failed trial."""
        self.game.copy_to_clipboard(self._command)
        self.notify("Copied. Paste it into a shell in your folder.", markup=False)

    def action_write_test(self) -> None:
        """Open the editor at the end of the tests, and return."""
        edit_tests(self, Path(self._judged_submission.directory), self._judged_submission.submission)


def _placeless(finding: Finding | None) -> Content:
    """A finding that has no line of code."""
    if finding is None:
        return styled(("No specific lines.", "dim"))
    message = spans(clean_line(finding.message, cap=2_000), "ash")
    return styled(*message, ("\n\nNo line of code shows this.", "dim"))
