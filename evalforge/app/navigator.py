"""The one implementation of the navigator: only it imports screens of every folder, each when it is opened."""

from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.core.game_app import GameApp
from evalforge.app.core.navigation import Navigator
from evalforge.app.ui.text.paths import problem, short
from evalforge.model.errors import EvalForgeError
from evalforge.packs.summary import training_boss

if TYPE_CHECKING:
    from evalforge.app.core.judged_submission import JudgedSubmission
    from evalforge.app.lab.screen import LabScreen
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


class ScreenNavigator(Navigator):
    """Opens screens on top of the one that is shown.

    Args:
        game: The app whose screens these are.
    """

    def __init__(self, game: GameApp) -> None:
        self._game = game
        self._session = game.session

    def _warn(self, error: Exception, title: str) -> None:
        self._game.notify(problem(error), title=title, severity="warning", markup=False)

    # Fights

    def open_boss(self, pack: "BossPack", tab: str = "briefing") -> None:
        from evalforge.app.home.boss_page import BossScreen

        self._game.push_screen(BossScreen(pack, tab))

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        from evalforge.app.fight.arena import ArenaScreen

        self._session.start_engine()
        self._game.push_screen(ArenaScreen(pack, directory))

    def open_fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        from evalforge.app.fight.screen import FightScreen

        self._game.push_screen(FightScreen(pack, directory, notes, watch=watch))

    def open_impostors(self, pack: "BossPack") -> None:
        from evalforge.app.fight.impostor_practice import ImpostorsScreen

        self._session.start_engine()
        self._game.push_screen(ImpostorsScreen(pack))

    def open_evidence(self, judged_submission: "JudgedSubmission", criterion_id: str) -> None:
        from evalforge.app.fight.evidence_screen import EvidenceScreen

        tries = self._session.tries(judged_submission.boss.boss_id)
        self._game.push_screen(EvidenceScreen(judged_submission, criterion_id, tries))

    # Past attempts

    def open_attempts(self, boss_id: str = "") -> None:
        from evalforge.app.attempts.attempt_list import AttemptsScreen

        self._game.push_screen(AttemptsScreen(boss_id))

    def open_attempt(self, attempt_id: str) -> None:
        from evalforge.app.attempts.detail import AttemptScreen

        attempt = self._session.read_attempt(attempt_id)
        if attempt is not None:
            before = self._session.previous_attempt(attempt_id)
            self._game.push_screen(AttemptScreen(attempt, before, self._session.load_boss(attempt.boss_id)))

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        from evalforge.app.attempts.comparison_screen import ComparisonScreen

        self._game.push_screen(ComparisonScreen(before, after))

    def open_export(self, attempt: "Attempt") -> None:
        from evalforge.app.attempts.attempt_export import ExportScreen, export_attempt

        def export(kind: str | None) -> None:
            if kind:
                export_attempt(self._game, attempt, kind)

        folder = self._session.services.starter_folder.absolute()
        self._game.push_screen(ExportScreen(attempt, short(folder)), export)

    def open_progress(self) -> None:
        from evalforge.app.home.progress_screen import ProgressScreen

        self._game.push_screen(ProgressScreen())

    def open_settings(self) -> None:
        from evalforge.app.home.settings_screen import SettingsScreen

        self._game.push_screen(SettingsScreen())

    # The lab

    def open_lab(self, pack: "BossPack") -> None:
        screen = self._lab_screen(pack)
        if screen is not None:
            self._game.push_screen(screen)

    def _lab_screen(self, pack: "BossPack") -> "LabScreen | None":
        from evalforge.app.lab.screen import LabScreen
        from evalforge.lab.lab_session import LabSession

        try:
            return LabScreen(LabSession(self._session.services.history.parent, pack))
        except EvalForgeError as error:
            self._warn(error, "No lab")
            return None

    def open_judge_comparison(self, pack: "BossPack") -> None:
        from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
        from evalforge.lab.submissions import comparison_sources

        sources = comparison_sources(self._session.history(), pack)
        first_id = sources[0].id if sources else ""
        self._game.push_screen(JudgeComparisonScreen((pack, pack), sources, first_id))

    def open_version(self, old: Path, pack: "BossPack") -> None:
        from evalforge.app.home.boss_page import BossScreen

        self._session.use_version(old, pack)
        for screen in self._game.screen_stack:
            if isinstance(screen, BossScreen):
                screen.show_version(pack)
        lab_screen = self._lab_screen(pack)
        if lab_screen is not None:
            self._game.pop_screen()
            self._game.push_screen(lab_screen)

    # Evaluations

    def open_evaluations(self) -> None:
        from evalforge.app.evaluations.evaluation_list import EvaluationsScreen

        self._game.push_screen(EvaluationsScreen())

    # Classes

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        from evalforge.app.classroom.class_list import ClassesScreen

        self._game.push_screen(ClassesScreen(pack))

    def open_class(self, pack: "BossPack", place: Path, options: "ClassOptions | None") -> None:
        from evalforge.app.classroom.screen import ClassScreen

        self._game.push_screen(ClassScreen(pack, place, options))

    # Teaching

    def open_stage(
        self,
        pack: "BossPack",
        exemplars: tuple[str, ...] = (),
        hand_ins: tuple[Path, ...] = (),
        judge: str = "forge",
    ) -> None:
        from evalforge.app.teaching.lesson import LessonScreen
        from evalforge.app.teaching.lesson_plan import make_lesson

        try:
            lesson = make_lesson(pack, exemplars, hand_ins)
        except EvalForgeError as error:
            self._warn(error, "Nothing to show")
            return
        self._session.start_engine()
        self._game.push_screen(LessonScreen(lesson, judge))

    def open_speaker_notes(self, pack: "BossPack") -> None:
        from evalforge.app.teaching.notes import NotesScreen

        self._game.push_screen(NotesScreen(pack))

    def open_teaching_menu(self, pack: "BossPack") -> None:
        from evalforge.app.teaching.teaching_menu import TeachingMenu

        openers = {
            "stage": self.open_stage,
            "lab": self.open_lab,
            "judges": self.open_judge_comparison,
            "class": self.open_classes,
        }

        def open_choice(kind: str | None) -> None:
            if kind:
                openers[kind](pack)

        self._game.push_screen(TeachingMenu(pack.definition.title), open_choice)

    def open_tour(self, *, auto: bool = False) -> None:
        from evalforge.app.teaching.tour import TourScreen
        from evalforge.app.teaching.tour_script import two_tries

        first = training_boss(self._session.services.find_bosses())
        pack = self._session.load_pack(first.path) if first else None
        if pack is None or (tries := two_tries(pack)) is None:
            self._game.notify("There is no boss here with exemplars to show.", severity="warning", markup=False)
            return
        self._session.start_engine()
        self._game.push_screen(TourScreen(pack, tries, auto=auto))
