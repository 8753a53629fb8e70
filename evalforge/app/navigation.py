"""What a screen may ask for: other screens. The protocol lies below all of them, so that no screen imports another."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from textual.screen import Screen

    from evalforge.app.judged_submission import JudgedSubmission
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.evaluate.evaluation import Evaluation
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


class Navigator(Protocol):
    """Opens screens. Screens know this protocol only; its one implementation imports them all."""

    def open_boss(self, pack: "BossPack", tab: str = "briefing") -> None:
        """The boss's page, at one of its tabs."""
        ...

    def open_next_boss(self, pack: "BossPack") -> None:
        """The briefing of the boss to go on with, on top of the roster alone."""
        ...

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """The arena, where the player chooses what to hand in."""
        ...

    def open_fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        """A fight; watching, every save is judged as practice until the player strikes."""
        ...

    def open_impostors(self, pack: "BossPack") -> None:
        """A directory's tests against a boss's impostors alone, for practice."""
        ...

    def open_rush(self) -> None:
        """Boss rush: all bosses, one after the other."""
        ...

    def open_evidence(self, judged_submission: "JudgedSubmission", criterion_id: str) -> None:
        """Why a criterion was judged as it was."""
        ...

    def open_attempts(self, boss_id: str = "") -> None:
        """All past attempts, or those on one boss."""
        ...

    def open_attempt(self, attempt_id: str) -> None:
        """One past attempt in full; a message if it can't be read."""
        ...

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        """Two attempts side by side."""
        ...

    def open_replay(self, attempt: "Attempt", pack: "BossPack | None") -> None:
        """Replay a stored fight."""
        ...

    def open_export(self, attempt: "Attempt") -> None:
        """Ask for a format, export the attempt, say where the file is."""
        ...

    def open_progress(self) -> None:
        """Show rank and achievements."""
        ...

    def open_lab(self, pack: "BossPack") -> None:
        """The rubric lab; a message if the boss's draft is unavailable."""
        ...

    def reopen_lab(self, pack: "BossPack") -> None:
        """Replace the open lab by one on the version that was just saved."""
        ...

    def open_judge_comparison(self, pack: "BossPack") -> None:
        """Two judges on one submission."""
        ...

    def replace_version(self, old: Path, pack: "BossPack") -> None:
        """Use a boss's new version from now on, on every open screen too."""
        ...

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        """Classes judged before, and the way to a new one."""
        ...

    def open_class(self, pack: "BossPack", place: Path, judge: str = "forge", label: str = "") -> None:
        """Judge a class or go on with it; asks first where that costs money."""
        ...

    def open_class_judging(self, pack: "BossPack", place: Path, options: "ClassOptions | None") -> None:
        """Judge a class with the options of the command line."""
        ...

    def open_evaluations(self) -> None:
        """Evaluations that were made on the command line."""
        ...

    def open_evaluation(self, evaluation: "Evaluation") -> None:
        """One evaluation: its figures and its items."""
        ...

    def open_stage(
        self,
        pack: "BossPack",
        exemplars: tuple[str, ...] = (),
        hand_ins: tuple[Path, ...] = (),
        judge: str = "forge",
    ) -> None:
        """Stage mode: a boss's rubric, step by step; a message if there is nothing to teach it with."""
        ...

    def open_speaker_notes(self, pack: "BossPack") -> None:
        """The speaker's notes to a stage that runs elsewhere on this machine."""
        ...

    def open_teaching_menu(self, pack: "BossPack") -> None:
        """Ask what a teacher wants to do with a boss, and open it."""
        ...

    def close_fight(self, pack: "BossPack") -> None:
        """Go up from a fight: to where it was asked for, or to the boss's page; not to the arena's text fields."""
        ...

    def open_help(self, screen: "Screen[None]") -> None:
        """Explain a screen and list its keys."""
        ...

    def open_tour(self, *, auto: bool = False) -> None:
        """Open the tour, two minutes for first-timers."""
        ...
