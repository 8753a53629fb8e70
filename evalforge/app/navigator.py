"""The single implementation of the navigator: besides the app, only it imports screens, each when it is opened."""

from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.core.game_app import GameApp
from evalforge.app.core.navigation import Navigator
from evalforge.app.ui.text.paths import problem, short
from evalforge.model.errors import EvalForgeError
from evalforge.packs.summary import training_boss

if TYPE_CHECKING:
    from textual.screen import Screen

    from evalforge.app.core.judged_submission import JudgedSubmission
    from evalforge.app.lab.screen import LabScreen
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.evaluate.evaluation import Evaluation
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
        """Open the boss's page, at one of its tabs."""
        from evalforge.app.home.boss_page import BossScreen

        self._game.push_screen(BossScreen(pack, tab))

    def open_next_boss(self, pack: "BossPack") -> None:
        """Open the briefing of the next boss, on top of the roster only."""
        while len(self._game.screen_stack) > 1:
            self._game.pop_screen()
        self.open_boss(pack)

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """Open the arena, where the player chooses what to submit."""
        from evalforge.app.fight.arena import ArenaScreen

        self._session.start_engine()
        self._game.push_screen(ArenaScreen(pack, directory))

    def open_fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        """Open a fight; when watching, every save is judged as practice until the player strikes."""
        from evalforge.app.fight.screen import FightScreen

        self._game.push_screen(FightScreen(pack, directory, notes, watch=watch))

    def close_fight(self, pack: "BossPack") -> None:
        """Leave a fight: return to where it was started, or to the boss's page, but not to the arena's text fields."""
        from evalforge.app.fight.arena import ArenaScreen

        self._game.pop_screen()
        if isinstance(self._game.screen_stack[-1], ArenaScreen):
            self._game.pop_screen()
        if len(self._game.screen_stack) == 1:
            self.open_boss(pack)

    def open_impostors(self, pack: "BossPack") -> None:
        """Open practice that runs a directory's tests on a boss's impostors only."""
        from evalforge.app.fight.impostor_practice import ImpostorsScreen

        self._session.start_engine()
        self._game.push_screen(ImpostorsScreen(pack))

    def open_rush(self) -> None:
        """Open the boss rush: all bosses, one after the other."""
        from evalforge.app.fight.rush import RushScreen

        self._game.push_screen(RushScreen())

    def open_evidence(self, judged_submission: "JudgedSubmission", criterion_id: str) -> None:
        """Show why a criterion got its level."""
        from evalforge.app.fight.evidence_screen import EvidenceScreen

        tries = self._session.tries(judged_submission.boss.boss_id)
        self._game.push_screen(EvidenceScreen(judged_submission, criterion_id, tries))

    # Past attempts

    def open_attempts(self, boss_id: str = "") -> None:
        """Open all past attempts, or those on one boss."""
        from evalforge.app.attempts.attempt_list import AttemptsScreen

        self._game.push_screen(AttemptsScreen(boss_id))

    def open_attempt(self, attempt_id: str) -> None:
        """Open one past attempt in full; show a message if it can't be read."""
        from evalforge.app.attempts.detail import AttemptScreen

        attempt = self._session.read_attempt(attempt_id)
        if attempt is not None:
            before = self._session.previous_attempt(attempt.boss_id, attempt_id)
            self._game.push_screen(AttemptScreen(attempt, before, self._session.load_boss(attempt.boss_id)))

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        """Open two attempts side by side."""
        from evalforge.app.attempts.comparison_screen import ComparisonScreen

        self._game.push_screen(ComparisonScreen(before, after))

    def open_replay(self, attempt: "Attempt", pack: "BossPack | None") -> None:
        """Replay a stored fight."""
        from evalforge.app.attempts.replay_screen import ReplayScreen

        self._game.push_screen(ReplayScreen(attempt, pack))

    def open_export(self, attempt: "Attempt") -> None:
        """Ask for a format, export the attempt, and show where the file is."""
        from evalforge.app.attempts.attempt_export import ExportScreen, export_attempt

        def export(kind: str | None) -> None:
            if kind:
                export_attempt(self._game, attempt, kind)

        folder = self._session.services.starter_folder.absolute()
        self._game.push_screen(ExportScreen(attempt, short(folder)), export)

    def open_progress(self) -> None:
        """Show rank and achievements."""
        from evalforge.app.home.progress_screen import ProgressScreen

        self._game.push_screen(ProgressScreen())

    # The lab

    def open_lab(self, pack: "BossPack") -> None:
        """Open the rubric lab; show a message if the boss's draft is unavailable."""
        screen = self._lab_screen(pack)
        if screen is not None:
            self._game.push_screen(screen)

    def reopen_lab(self, pack: "BossPack") -> None:
        """Replace the open lab with one on the version that was just saved."""
        screen = self._lab_screen(pack)
        if screen is not None:
            self._game.pop_screen()
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
        """Open two judges on one submission: one of the boss's last attempts or its exemplars."""
        from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
        from evalforge.lab.submissions import comparison_sources

        sources = comparison_sources(self._session.history(), pack)
        first_id = sources[0].id if sources else ""
        self._game.push_screen(JudgeComparisonScreen((pack, pack), sources, first_id))

    def replace_version(self, old: Path, pack: "BossPack") -> None:
        """Use a boss's new version from now on, including on all open screens."""
        from evalforge.app.home.boss_page import BossScreen

        self._session.use_version(old, pack)
        for screen in self._game.screen_stack:
            if isinstance(screen, BossScreen):
                screen.show_version(pack)

    # Evaluations

    def open_evaluations(self) -> None:
        """Open the evaluations that were made on the command line."""
        from evalforge.app.evaluations.evaluation_list import EvaluationsScreen

        self._game.push_screen(EvaluationsScreen())

    def open_evaluation(self, evaluation: "Evaluation") -> None:
        """Open one evaluation: its figures and its items."""
        from evalforge.app.evaluations.screen import EvaluationScreen

        self._game.push_screen(EvaluationScreen(evaluation))

    # Classes

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        """Open the list of classes judged before, from which a new one can be started."""
        from evalforge.app.classroom.class_list import ClassesScreen

        self._game.push_screen(ClassesScreen(pack))

    def open_class(self, pack: "BossPack", place: Path, judge: str = "forge", label: str = "") -> None:
        """Judge a class or resume it; asks first if that costs money."""
        from evalforge.app.screens.confirm import ConfirmScreen
        from evalforge.classroom.class_run import ClassOptions
        from evalforge.llm.model_options import ModelOptions

        services = self._session.services
        models = services.models or ModelOptions()
        options = ClassOptions(judge=judge, models=models, python=services.python, label=label)
        if judge == "forge":
            self.open_class_judging(pack, place, options)
            return

        def begin(confirmed: bool | None) -> None:
            if confirmed:
                self.open_class_judging(pack, place, options)

        text = (
            f"It may cost up to ${models.budget_usd:.2f} for the class. What is known from earlier runs costs nothing."
        )
        self._game.push_screen(ConfirmScreen(f"Let {judge} judge a whole class?", text, "judge them"), begin)

    def open_class_judging(self, pack: "BossPack", place: Path, options: "ClassOptions | None") -> None:
        """Judge a class with the options from the command line."""
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
        """Open stage mode: a boss's rubric, step by step; show a message if there is nothing to teach it with."""
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
        """Open the speaker's notes for a stage that runs elsewhere on this machine."""
        from evalforge.app.teaching.notes import NotesScreen

        self._game.push_screen(NotesScreen(pack))

    def open_teaching_menu(self, pack: "BossPack") -> None:
        """Ask for a teacher's action with a boss, and open it."""
        from evalforge.app.teaching.teaching_menu import TeachingMenu

        lab, judges = self.open_lab, self.open_judge_comparison
        openers = {"stage": self.open_stage, "lab": lab, "judges": judges, "class": self.open_classes}

        def open_choice(kind: str | None) -> None:
            if kind:
                openers[kind](pack)

        self._game.push_screen(TeachingMenu(pack.definition.title), open_choice)

    def open_help(self, screen: "Screen[None]") -> None:
        """Explain a screen and list its keys."""
        from evalforge.app.screens.base import GameScreen
        from evalforge.app.screens.help import HelpScreen

        if isinstance(screen, GameScreen):
            self._game.push_screen(HelpScreen(screen))

    def open_tour(self, *, auto: bool = False) -> None:
        """Open the tour, two minutes for first-time players."""
        from evalforge.app.teaching.tour import TourScreen
        from evalforge.app.teaching.tour_script import two_tries

        first = training_boss(self._session.services.find_bosses())
        pack = self._session.load_pack(first.path) if first else None
        if pack is None or (tries := two_tries(pack)) is None:
            self._game.notify("There is no boss here with exemplars to show.", severity="warning", markup=False)
            return
        self._session.start_engine()
        self._game.push_screen(TourScreen(pack, tries, auto=auto))
