"""The ways to what is shown to others: a stage, its speaker's notes, the tour."""

from typing import TYPE_CHECKING

from evalforge.app.paths import problem
from evalforge.app.ways import Ways
from evalforge.model.errors import EvalForgeError

if TYPE_CHECKING:
    from evalforge.app.showing import Showing
    from evalforge.library.pack import BossPack


class Shows(Ways):
    """What teachers and stands ask the app for."""

    def show(self, showing: "Showing", pack: "BossPack") -> None:
        """Open what the command line asked for."""
        if showing.kind == "stage":
            self.open_stage(pack, showing)
        elif showing.kind == "notes":
            self.open_notes(pack)
        else:
            self.open_tour(auto=showing.auto)

    def open_stage(self, pack: "BossPack", showing: "Showing | None" = None) -> None:
        """Teach a boss's rubric, step by step; what keeps it from being taught is said."""
        from evalforge.app.lesson.plan import make_lesson
        from evalforge.app.screens.lesson import LessonScreen

        try:
            lesson = make_lesson(pack, showing.exemplars, showing.hand_ins) if showing else make_lesson(pack)
        except EvalForgeError as error:
            self.notify(problem(error), title="Nothing to show", severity="warning", markup=False)
            return
        self.light_forge()
        self.push_screen(LessonScreen(lesson, showing.judge if showing else "forge"))

    def open_notes(self, pack: "BossPack") -> None:
        """What the speaker reads while a stage runs elsewhere on this machine."""
        from evalforge.app.screens.notes import NotesScreen

        self.push_screen(NotesScreen(pack))

    def open_tour(self, *, auto: bool = False) -> None:
        """Two minutes for whoever is here for the first time."""
        from evalforge.app.lesson.tour import TRAINING, two_tries
        from evalforge.app.screens.tour import TourScreen

        sound = [boss for boss in self.services.find_bosses() if not boss.error]
        first = next((boss for boss in sound if boss.slug == TRAINING), sound[0] if sound else None)
        pack = self.pack(first.path) if first else None
        tries = two_tries(pack) if pack else None
        if pack is None or tries is None:
            self.notify("There is no boss here with exemplars to show.", severity="warning", markup=False)
            return
        self.light_forge()
        self.push_screen(TourScreen(pack, tries, auto=auto))
