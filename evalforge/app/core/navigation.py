"""How screens open those of other folders, even of folders above their own: each is named here and imported late."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

    from evalforge.app.core.judged_submission import JudgedSubmission
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


def _find(place: str) -> Any:
    """Import what a place like ``fight.arena:ArenaScreen`` names below ``evalforge.app``."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"evalforge.app.{module}"), name)


class Navigator:
    """Opens screens on top of the one that is shown.

    It knows them by name only, because it lies below all of them, so that none has to import one above it.

    Args:
        app: The game, which functions get that prepare a screen.
    """

    def __init__(self, app: "App[None]") -> None:
        self._app = app

    def _push(self, screen: str, *arguments: object, **options: object) -> None:
        """Open a screen, given by the place of its class."""
        self._app.push_screen(_find(screen)(*arguments, **options))

    def _call(self, function: str, *arguments: object, **options: object) -> None:
        """Let a function open a screen for which something has to be read or asked first."""
        _find(function)(self._app, *arguments, **options)

    # Fights

    def open_boss(self, pack: "BossPack", tab: str = "briefing") -> None:
        """Open the boss's page, at one of its tabs."""
        self._push("home.boss_page:BossScreen", pack, tab)

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """Open the arena, where the player chooses what to submit."""
        self._push("fight.arena:ArenaScreen", pack, directory)

    def open_fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        """Open a fight; when watching, every save is judged as practice until the player strikes."""
        self._push("fight.screen:FightScreen", pack, directory, notes, watch=watch)

    def open_impostors(self, pack: "BossPack") -> None:
        """Open practice that runs a directory's tests on a boss's impostors only."""
        self._push("fight.impostor_practice:ImpostorsScreen", pack)

    def open_evidence(self, judged_submission: "JudgedSubmission", criterion_id: str) -> None:
        """Show why a criterion got its level."""
        self._push("fight.evidence_screen:EvidenceScreen", judged_submission, criterion_id)

    # Past attempts

    def open_attempts(self, boss_id: str = "") -> None:
        """Open all past attempts, or those on one boss."""
        self._push("attempts.attempt_list:AttemptsScreen", boss_id)

    def open_attempt(self, attempt_id: str) -> None:
        """Open one past attempt in full; show a message if it can't be read."""
        self._call("attempts.detail:open_attempt", attempt_id)

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        """Open two attempts side by side."""
        self._push("attempts.comparison_screen:ComparisonScreen", before, after)

    def open_export(self, attempt: "Attempt") -> None:
        """Ask for a format, export the attempt, and show where the file is."""
        self._call("attempts.attempt_export:open_export", attempt)

    def open_progress(self) -> None:
        """Show rank and achievements."""
        self._push("home.progress_screen:ProgressScreen")

    # The lab and evaluations

    def open_settings(self) -> None:
        """Show the player's settings."""
        self._push("home.settings_screen:SettingsScreen")

    def open_lab(self, pack: "BossPack") -> None:
        """Open the rubric lab; show a message if the boss's draft is unavailable."""
        self._call("lab.screen:open_lab", pack)

    def open_judge_comparison(self, pack: "BossPack") -> None:
        """Open two judges on one submission."""
        self._call("lab.judge_comparison:open_judge_comparison", pack)

    def open_version(self, old: Path, pack: "BossPack") -> None:
        """Use a boss's new version from now on, including on all open screens; the open lab is replaced."""
        self._call("home.boss_page:open_version", old, pack)

    def open_evaluations(self) -> None:
        """Open the evaluations that were made on the command line."""
        self._push("evaluations.screen:EvaluationsScreen")

    # Classes

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        """Open the list of classes judged before, from which a new one can be started."""
        self._push("classroom.class_list:ClassesScreen", pack)

    def open_class(self, pack: "BossPack", place: Path, options: "ClassOptions | None") -> None:
        """Judge a class or resume it; without options, by the forge and on this machine."""
        self._push("classroom.screen:ClassScreen", pack, place, options)

    # Teaching

    def open_stage(
        self,
        pack: "BossPack",
        exemplars: tuple[str, ...] = (),
        hand_ins: tuple[Path, ...] = (),
        judge: str = "forge",
    ) -> None:
        """Open stage mode: a boss's rubric, step by step; show a message if there is nothing to teach it with."""
        self._call("teaching.lesson:open_stage", pack, exemplars, hand_ins, judge)

    def open_speaker_notes(self, pack: "BossPack") -> None:
        """Open the speaker's notes for a stage that runs elsewhere on this machine."""
        self._push("teaching.speaker_notes:NotesScreen", pack)

    def open_teaching_menu(self, pack: "BossPack") -> None:
        """Ask for a teacher's action with a boss, and open it."""
        self._call("teaching.teaching_menu:open_teaching_menu", pack)

    def open_tour(self, *, auto: bool = False) -> None:
        """Open the tour, two minutes for first-time players."""
        self._call("teaching.tour:open_tour", auto=auto)


Opener = Callable[["Navigator", "BossPack"], None]
"""Opens the first screen, once its boss is loaded."""


@dataclass(frozen=True)
class StartRequest:
    """A request to open a screen on top of the roster.

    Attributes:
        boss: The boss's slug; empty for the roster alone.
        opener: Opens the screen; not called if there is no boss.
    """

    boss: str = ""
    opener: Opener = lambda navigator, pack: navigator.open_boss(pack)


ROSTER = StartRequest()
"""Nothing on top of the roster."""
