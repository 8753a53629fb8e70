"""Why a criterion was judged as it was: the places, the code, the trial's story, the next level, the hints."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app.fight.evidence_text import hint_text, next_level_text, reason_text, trials_text
from evalforge.app.judged_submission import JudgedSubmission
from evalforge.app.screens.base import TabScreen, tab_keys
from evalforge.app.screens.edit import edit
from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.widgets.code_view import CodeView
from evalforge.app.ui.widgets.finding_list import FindingList
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.evidence import Finding
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion
from evalforge.model.submission import SubmissionFile
from evalforge.model.text import clean_line

TABS = ("code", "trials", "next level", "hints")
TRIES_BEFORE_HINTS = 2


class EvidenceScreen(TabScreen):
    """One criterion after the other, each with all that speaks for its level."""

    CSS_PATH = "evidence.tcss"
    NAME = "The evidence"
    HELP_TEXT = """
Every level has its reason. Above are the places it points at; below them the code as it was judged, what the
trials called and what came back, what the next level needs. `pgdn` reads on: first the rest of the reason, then the
code or whatever is open.

`e` opens your editor at the line ($VISUAL or $EDITOR). `h` gives a hint, in three steps, once you have tried twice.
Hints are counted, nothing more.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "edit", id="evidence.edit"),
        Binding("h", "hint", "hint", id="evidence.hint"),
        Binding("n", "criterion(1)", "next criterion", id="evidence.next"),
        Binding("p", "criterion(-1)", "previous criterion", show=False, id="evidence.previous"),
        *tab_keys("evidence", TABS),
        Binding("pagedown", "page(1)", "read on", key_display="pgdn", id="evidence.page_down"),
        Binding("pageup", "page(-1)", "read back", show=False, key_display="pgup", id="evidence.page_up"),
        Binding("escape", "back", "back", id="evidence.back"),
    ]

    def __init__(self, judged: JudgedSubmission, criterion_id: str, tries: int) -> None:
        super().__init__()
        self._judged, self._tries = judged, tries
        ids = [criterion.id for criterion in judged.boss.rubric.criteria]
        self._at = ids.index(criterion_id) if criterion_id in ids else 0

    @property
    def criterion(self) -> Criterion:
        """The one that is shown."""
        return self._judged.boss.rubric.criteria[self._at]

    def body(self) -> Iterable[Widget]:
        """Heading, reason and places, then one of the sides."""
        yield Heading(id="heading")
        with Container(id="page"):
            with Vertical(id="why"):
                yield Panel(id="reason")
                yield FindingList(id="findings")
                yield Panel(id="next")
            with Vertical(id="what"):
                yield TabBar(TABS, TABS[0], id="tabs")
                yield Heading(id="file")
                yield CodeView(id="code")
                yield Panel(id="text")

    def on_mount(self) -> None:
        """Open the criterion asked for."""
        self.query_one("#reason").can_focus = self.query_one("#next").can_focus = False
        self._show()
        self.query_one(FindingList).focus()

    def _show(self) -> None:
        criterion, judged = self.criterion, self._judged
        judgement = judged.judgements.get(criterion.id)
        score = judgement.score if judgement else 0
        top = score >= criterion.max_score
        self.query_one("#heading", Heading).set_text(
            [
                (clean_line(criterion.label).upper(), f"bold {judged.boss.accent}"),
                (f"  {self.game.look.glyphs.pips(score, criterion.max_score)}", "molten" if top else "ember"),
                (f"  {criterion.level_label(score)}", "ash"),
                (f"  {format_number(score)} of {format_number(criterion.max_score)}", "dim"),
            ],
            [(f"{self._at + 1} of {len(judged.boss.rubric.criteria)}", "dim")],
        )  # fmt: skip
        self.query_one("#reason", Panel).set_text(reason_text(judgement))
        self.query_one("#next", Panel).set_text(next_level_text(criterion, judgement))
        findings = self.query_one(FindingList)
        found = judged.findings(criterion.id)
        paths = [finding.path for finding in found]
        findings.show(sorted(found, key=lambda finding: (not finding.path, paths.index(finding.path))))
        tabs = self.query_one(TabBar)
        if tabs.open in ("code", "trials"):
            tabs.open = "code" if any(f.path for f in judged.findings(criterion.id)) else "next level"
        self._show_open_tab()

    @on(TabBar.Turned)
    @on(FindingList.Pointed)
    def _show_open_tab(self) -> None:
        """Fill the side that is open."""
        tab = self.query_one(TabBar).open
        finding, criterion = self.query_one(FindingList).selection, self.criterion
        file = self._judged.submission.file(finding.path) if finding and finding.path else None
        is_code = tab == "code" and file is not None
        text = self.query_one("#text", Panel)
        self.query_one(CodeView).display = self.query_one("#file").display = is_code
        text.display = not is_code
        judgement = self._judged.judgements.get(criterion.id)
        if finding is not None and file is not None and is_code:
            self._tell_code(finding, file)
        elif tab == "code":
            text.set_text(_placeless(finding))
        elif tab == "trials":
            text.set_text(trials_text(self._judged.trials(criterion.id, finding), self._judged.evidence.trials))
        elif tab == "next level":
            text.set_text(next_level_text(criterion, judgement, whole=True))
        else:
            text.set_text(self._hints())
        self.refresh_bindings()

    def _tell_code(self, finding: Finding, file: SubmissionFile) -> None:
        code, name = self.query_one(CodeView), self.query_one("#file", Heading)
        place, folder = clean_line(finding.place), clean_line(short(self._judged.directory))
        fits = len(place) + len(folder) + 4 < code.container_size.width
        name.set_text([(place, "bold steel")], [(folder, "faint")] if fits else [])
        code.show(file.path, file.content, self._judged.marks(self.criterion.id, file.path), finding.line or 1)

    def _hints(self) -> Content:
        criterion = self.criterion
        taken = self.session.hints_taken(self._judged.boss.boss_id, criterion.id)
        return hint_text(self._judged.hints.get(criterion.id, ()), taken, self._tries, TRIES_BEFORE_HINTS)

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hints only where there are any left to give."""
        if action == "edit" and self.is_mounted:
            finding = self.query_one(FindingList).selection
            return bool(finding and finding.path)
        if action == "hint":
            return bool(self._judged.hints.get(self.criterion.id))
        return True

    def action_criterion(self, step: int) -> None:
        """The next criterion, with the same side open."""
        self._at = (self._at + step) % len(self._judged.boss.rubric.criteria)
        self._show()

    def action_page(self, pages: int) -> None:
        """Read on, or back: the reason, what the next level needs, then the open side."""
        parts = [part for part in self.query("#reason, #next, #code, #text") if part.display]
        for part in parts[::pages]:
            if part.max_scroll_y - part.scroll_y if pages > 0 else part.scroll_y:
                part.scroll_relative(y=pages * max(1, part.size.height - 1), animate=False)
                return

    def action_hint(self) -> None:
        """One step more of the hint, once there were two tries."""
        tabs, boss, criterion = self.query_one(TabBar), self._judged.boss.boss_id, self.criterion.id
        taken = self.session.hints_taken(boss, criterion)
        wants_more = tabs.open == "hints" or not taken
        if self._tries >= TRIES_BEFORE_HINTS and wants_more and taken < len(self._judged.hints.get(criterion, ())):
            self.session.count_hint(boss, criterion, taken + 1)
        tabs.open = "hints"
        self._show_open_tab()

    def action_edit(self) -> None:
        """Open the editor where the finding is, and come back."""
        finding = self.query_one(FindingList).selection
        if finding is None or not finding.path:
            return
        file = external_editor.find(self._judged.directory, finding.path)
        if file is None:
            gone = f"{finding.path} is not in {short(self._judged.directory)} any more."
            self.notify(clean_line(gone), severity="warning", markup=False)
        else:
            edit(self, file, finding.line)


def _placeless(finding: Finding | None) -> Content:
    """What was found that no line of code can show."""
    if finding is None:
        return Content("Nothing points at a line.").stylize("$dim")
    words = spans(clean_line(finding.message, cap=2_000), "$ash")
    return Content.assemble(*words, ("\n\nNo line of code shows this.", "$dim"))
