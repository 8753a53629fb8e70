"""The protocol by which screens open those of other folders. It lies below all, so that none imports one above it."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from evalforge.app.core.judged_submission import JudgedSubmission
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


class Navigator(Protocol):
    """Opens screens. Screens know only this protocol; its single implementation, app/navigator.py, imports them all."""

    def open_boss(self, pack: "BossPack", tab: str = "briefing") -> None:
        """Open the boss's page, at one of its tabs."""

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """Open the arena, where the player chooses what to submit."""

    def open_fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        """Open a fight; when watching, every save is judged as practice until the player strikes."""

    def open_impostors(self, pack: "BossPack") -> None:
        """Open practice that runs a directory's tests on a boss's impostors only."""

    def open_evidence(self, judged_submission: "JudgedSubmission", criterion_id: str) -> None:
        """Show why a criterion got its level."""

    def open_attempts(self, boss_id: str = "") -> None:
        """Open all past attempts, or those on one boss."""

    def open_attempt(self, attempt_id: str) -> None:
        """Open one past attempt in full; show a message if it can't be read."""

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        """Open two attempts side by side."""

    def open_export(self, attempt: "Attempt") -> None:
        """Ask for a format, export the attempt, and show where the file is."""

    def open_progress(self) -> None:
        """Show rank and achievements."""

    def open_settings(self) -> None:
        """Show the player's settings."""

    def open_lab(self, pack: "BossPack") -> None:
        """Open the rubric lab; show a message if the boss's draft is unavailable."""

    def open_judge_comparison(self, pack: "BossPack") -> None:
        """Open two judges on one submission."""

    def open_version(self, old: Path, pack: "BossPack") -> None:
        """Use a boss's new version from now on, including on all open screens; the open lab is replaced."""

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        """Open the list of classes judged before, from which a new one can be started."""

    def open_class(self, pack: "BossPack", place: Path, options: "ClassOptions | None") -> None:
        """Judge a class or resume it; without options, by the forge and on this machine."""

    def open_evaluations(self) -> None:
        """Open the evaluations that were made on the command line."""

    def open_stage(
        self,
        pack: "BossPack",
        exemplars: tuple[str, ...] = (),
        hand_ins: tuple[Path, ...] = (),
        judge: str = "forge",
    ) -> None:
        """Open stage mode: a boss's rubric, step by step; show a message if there is nothing to teach it with."""

    def open_speaker_notes(self, pack: "BossPack") -> None:
        """Open the speaker's notes for a stage that runs elsewhere on this machine."""

    def open_teaching_menu(self, pack: "BossPack") -> None:
        """Ask for a teacher's action with a boss, and open it."""

    def open_tour(self, *, auto: bool = False) -> None:
        """Open the tour, two minutes for first-time players."""
