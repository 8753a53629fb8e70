"""What is done with a draft and its exhibits once nothing is typed: opened, compared, saved, thrown away."""

import asyncio

from textual import on, work

from evalforge.app.lab.editors import DraftEditors
from evalforge.app.lab.rows import judged_by_draft, moved_words
from evalforge.app.screens.base import GameScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.lab.draft_check import DraftCheck
from evalforge.lab.pack_versions import save_version, version_destination, version_number
from evalforge.lab.session import LabSession, ScoreChanges
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line


class LabActions(GameScreen):
    """The deeds of the lab; what is shown is left to the screen.

    Args:
        bench: The draft and its exhibits.
    """

    def __init__(self, bench: LabSession) -> None:
        super().__init__()
        self._bench = bench
        self._checked: DraftCheck | None = None
        self._outcome: ScoreChanges | None = None

    @property
    def outcome(self) -> ScoreChanges | None:
        """What moved when the text was sound last."""
        return self._outcome

    def measure(self) -> None:
        """Get the evidence of all that is on the bench, then score."""

    def show_busy(self, words: str) -> None:
        """Say what is going on."""

    @on(Rows.Opened, "#moves")
    def _open_exhibit(self, event: Rows.Opened) -> None:
        """The evidence of an exhibit, at the first level that moved."""
        outcome = self._outcome
        if outcome is not None and event.key in outcome.by_submission:
            moved = outcome.by_submission[event.key].levels
            first = next((level.criterion_id for level in moved if level.after), outcome.pack.rubric.criteria[0].id)
            self.navigator.open_evidence(judged_by_draft(self._bench, outcome, event.key), first)

    def action_duel(self) -> None:
        """Two judges on the exhibit under the cursor: before and after, to begin with."""
        from evalforge.app.lab.judge_comparison import DuelScreen

        if self._outcome is not None:
            packs = (self._bench.pack, self._outcome.pack)
            chosen = self.query_one("#moves", Rows).key
            self.game.push_screen(DuelScreen(packs, self._bench.measured_sources, chosen, self._bench.state))

    def action_calibrate(self) -> None:
        """How well the judge agrees with gold, as pictures."""
        from evalforge.app.lab.calibration import CalibrationScreen

        if self._outcome is not None:
            exhibits = [one for one in self._bench.submissions.values() if one.gold is not None]
            packs = (self._bench.pack, self._outcome.pack)
            self.game.push_screen(CalibrationScreen(packs, exhibits, self._bench.state))

    def action_attempts(self) -> None:
        """Choose past tries to be scored too."""
        from evalforge.app.lab.attempt_picker import PickScreen

        history = self.session.history()
        if history is not None:
            rows = history.page(self.session.services.filter(boss_id=self._bench.pack.boss_id), limit=300)
            self.game.push_screen(PickScreen(rows, self._bench.attempt_ids), self._take_attempts)

    def _take_attempts(self, chosen: tuple[str, ...] | None) -> None:
        if chosen is not None:
            self._read_attempts(chosen)

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_attempts(self, chosen: tuple[str, ...]) -> None:
        """Read them one by one, so that hundreds don't hold up the screen."""
        history = self.session.history()
        found: list[tuple[Attempt, int]] = []
        for number, name in enumerate(chosen, start=1):
            self.show_busy(f"reading try {number} of {len(chosen)}")
            try:
                row = history.row(name) if history else None
                if history and row:
                    found.append((history.get(name), row.number))
            except EvalForgeError as error:
                self.notify(problem(error), severity="error", markup=False)
            await asyncio.sleep(0)
        self._bench.replace_attempts(found)
        self.measure()

    def action_throw_away(self) -> None:
        """Begin anew from the pack, once that was confirmed."""
        words = "Both texts are the pack's again. What you wrote is kept aside in the draft's folder."
        self.game.push_screen(ConfirmScreen("Throw the draft away?", words, "throw away"), self._throw_away)

    def _throw_away(self, yes: bool | None) -> None:
        if not yes:
            return
        kept = self._bench.draft.reset()
        if kept is not None:
            self.notify(clean_line(short(kept)), title="Thrown away; a copy is kept", markup=False)
        self.query_one(DraftEditors).reload()

    def action_save(self) -> None:
        """Make the draft the boss's new version, once that was confirmed."""
        if self._checked is None or self._checked.pack is None or self._outcome is None:
            self.notify("Mend what is marked first.", title="Can't be saved yet", severity="warning", markup=False)
            return
        bench = self._bench
        target, number = version_destination(bench.pack, bench.state), version_number(bench.pack.path)
        problems = sum(note.is_problem for note in self._checked.issues)
        words = f"Version {number + 1} goes to {short(target)}; version {number} is kept in its folder versions."
        words += f"\n\nIt moves {moved_words(self._outcome)}."
        words += f" Lint still finds {plural(problems, 'thing')} to mend." if problems else ""
        self.game.push_screen(ConfirmScreen("Save as a new version?", words, "save"), self._save)

    def _save(self, yes: bool | None) -> None:
        if not yes:
            return
        bench = self._bench
        try:
            saved = save_version(bench.draft, bench.state)
            pack = self.session.services.load_pack(saved.pack)
        except EvalForgeError as error:
            self.notify(problem(error), title="Not saved", severity="error", markup=False)
            return
        self.notify(clean_line(short(saved.pack)), title=f"Version {saved.number} is in force", markup=False)
        bench.close()
        self.navigator.replace_version(bench.pack.path, pack)
        self.navigator.reopen_lab(pack)
