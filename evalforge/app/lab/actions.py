"""Actions on a draft and its submissions while no text is being typed: open, compare, save, discard."""

import asyncio

from textual import on, work

from evalforge.app.lab.editors import DraftEditors
from evalforge.app.lab.judging import judged_by
from evalforge.app.lab.rows import change_counts
from evalforge.app.screens.base import GameScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.lab.draft_check import DraftCheck
from evalforge.lab.lab_session import LabSession, ScoreChanges
from evalforge.lab.pack_versions import save_version, version_destination, version_number
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line
from evalforge.packs.pack import load_pack


class LabActions(GameScreen):
    """The actions of the lab; a subclass decides what is shown.

    Args:
        lab: The draft and the submissions it scores.
    """

    def __init__(self, lab: LabSession) -> None:
        super().__init__()
        self._lab = lab
        self._draft_check: DraftCheck | None = None
        self._score_changes: ScoreChanges | None = None

    @property
    def score_changes(self) -> ScoreChanges | None:
        """The score changes when the text was last valid."""
        return self._score_changes

    def measure(self) -> None:
        """Get the evidence of every submission, then score."""
        raise NotImplementedError

    def show_busy(self, text: str) -> None:
        """Show what is going on."""
        raise NotImplementedError

    @on(Rows.Opened, "#moves")
    def _open_submission(self, event: Rows.Opened) -> None:
        """Open the evidence of a submission, at the first level that changed."""
        changes = self._score_changes
        if changes is not None and event.key in changes.by_submission:
            pack, level_changes = changes.pack, changes.by_submission[event.key].levels
            first = next((level.criterion_id for level in level_changes if level.after), pack.rubric.criteria[0].id)
            judgements = changes.after[event.key].judgements
            self.navigator.open_evidence(judged_by(pack, judgements, self._lab.submissions[event.key]), first)

    def action_compare_judges(self) -> None:
        """Compare two judges on the submission under the cursor, at first the rubric before and after."""
        from evalforge.app.lab.judge_comparison import JudgeComparisonScreen

        if self._score_changes is not None:
            packs = (self._lab.pack, self._score_changes.pack)
            submission_id = self.query_one("#moves", Rows).key
            self.game.push_screen(JudgeComparisonScreen(packs, self._lab.measured_sources, submission_id))

    def action_calibrate(self) -> None:
        """Show in pictures how well the judge agrees with gold."""
        from evalforge.app.lab.calibration_screen import CalibrationScreen

        if self._score_changes is not None:
            submissions = [submission for submission in self._lab.submissions.values() if submission.gold is not None]
            packs = (self._lab.pack, self._score_changes.pack)
            self.game.push_screen(CalibrationScreen(packs, submissions, self._lab.state))

    def action_faults(self) -> None:
        """Show which criteria are lowered by which faults, judged by the draft."""
        from evalforge.app.lab.fault_matrix import FaultMatrixScreen

        if self._score_changes is not None:
            self.game.push_screen(FaultMatrixScreen(self._score_changes.pack, self._lab.state))

    def action_attempts(self) -> None:
        """Choose past attempts to be scored too."""
        from evalforge.app.lab.attempt_picker import AttemptPickerScreen
        from evalforge.history.listing import AttemptFilter

        history = self.session.history()
        if history is not None:
            rows = history.page(AttemptFilter(self._lab.pack.boss_id, with_classes=True), limit=300)
            self.game.push_screen(AttemptPickerScreen(rows, self._lab.attempt_ids), self._score_attempts)

    def _score_attempts(self, attempt_ids: tuple[str, ...] | None) -> None:
        if attempt_ids is not None:
            self._read_attempts(attempt_ids)

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_attempts(self, attempt_ids: tuple[str, ...]) -> None:
        """Read attempts one by one, so that hundreds don't block the screen."""
        history = self.session.history()
        attempts: list[tuple[Attempt, str]] = []
        for number, name in enumerate(attempt_ids, start=1):
            self.show_busy(f"Reading attempt {number} of {len(attempt_ids)} ...")
            try:
                row = history.row(name) if history else None
                if history and row:
                    attempts.append((history.get(name), row.words))
            except EvalForgeError as error:
                self.notify(problem(error), severity="error", markup=False)
            await asyncio.sleep(0)
        self._lab.replace_attempts(attempts)
        self.measure()

    def action_throw_away(self) -> None:
        """Start over from the pack, after a confirmation."""
        text = "Both texts go back to the pack's. A copy of yours stays in the draft's folder."
        self.game.push_screen(ConfirmScreen("Discard the draft?", text, "throw away"), self._throw_away)

    def _throw_away(self, yes: bool | None) -> None:
        if not yes:
            return
        backup = self._lab.draft.reset()
        if backup is not None:
            self.notify(clean_line(short(backup)), title="Draft discarded; a copy is kept", markup=False)
        self.query_one(DraftEditors).reload()

    def action_save(self) -> None:
        """Make the draft the boss's new version, after a confirmation."""
        if self._draft_check is None or self._draft_check.pack is None or self._score_changes is None:
            self.notify("Fix what is marked first.", title="Can't be saved yet", severity="warning", markup=False)
            return
        lab = self._lab
        target = version_destination(lab.pack, lab.state)
        number = version_number(lab.pack.path)
        problems = sum(note.is_problem for note in self._draft_check.issues)
        text = f"Version {number + 1} goes to {short(target)}; version {number} stays in its versions folder."
        text += f"\n\nIt moves {change_counts(self._score_changes)}."
        text += f" Lint still finds {plural(problems, 'thing')} to fix." if problems else ""
        self.game.push_screen(ConfirmScreen("Save as a new version?", text, "save"), self._save)

    def _save(self, yes: bool | None) -> None:
        if not yes:
            return
        lab = self._lab
        try:
            saved = save_version(lab.draft, lab.state)
            pack = load_pack(saved.pack)
        except EvalForgeError as error:
            self.notify(problem(error), title="Not saved", severity="error", markup=False)
            return
        self.notify(clean_line(short(saved.pack)), title=f"Version {saved.number} is in use", markup=False)
        lab.close()
        self.navigator.open_version(lab.pack.path, pack)
