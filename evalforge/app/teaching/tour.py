"""The tour: a scripted fight with the real engine, explained step by step to first-time players."""

import asyncio
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.worker import Worker

from evalforge.app.core.boss_view import boss_view
from evalforge.app.fight.judgement_text import rubric_text
from evalforge.app.fight.stage.criterion_board import CriterionBoard
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.home.boss_list import BossList
from evalforge.app.teaching import lesson_text
from evalforge.app.teaching.background_judging import BackgroundFight, BackgroundJudgingScreen
from evalforge.app.teaching.lesson_page import LessonPage, StepBar
from evalforge.app.teaching.lesson_plan import ShownSubmission, ghosts_of, shown_submission
from evalforge.app.ui.text.markup import contract
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.packs.pack import BossPack
from evalforge.packs.summary import training_boss

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp


_FIRST_WIN = "first-win"
_WORDS_PER_SECOND = 2.6
_LOOKING_SECONDS = 3.5


class TourStop(Enum):
    """A stop of the tour: its title, and below it what is said of its view."""

    ROSTER = (
        "The roster\n"
        "Every line is a boss: something worth building. The icon before its name shows your progress. "
        "Nothing is locked; begin where you like."
    )
    CONTRACT = (
        "The contract\n"
        "Exactly what to build, in a folder of your own, with your own editor. It is complete: the hidden "
        "trials test nothing else."
    )
    RUBRIC = (
        "The rubric\n"
        "How it is judged: a few criteria, each with levels in plain words. Levels are added up, and the sum decides."
    )
    STRIKE = (
        "The strike\n"
        "Somebody submits a first attempt. It runs in a sandbox, trial after trial; then each criterion strikes for "
        "what it reached."
    )
    BAR = (
        "The bar\nIt is the boss's life. Each criterion strikes its share off the right end. At 0 the boss falls: "
        "that is the pass mark."
    )
    EVIDENCE = (
        "The evidence\n"
        "No point without its reason: the level, the line of code, the trial that saw it, and what the next level "
        "needs."
    )
    SECOND_TRY = (
        "The next attempt\n"
        "After some work, the same folder is submitted again. The game shows what improved, level by level. Past the "
        "mark, the boss falls."
    )
    END = (
        "Your turn\n"
        "That is the whole game; nothing was saved. Start with a test if you like: evalforge impostors shows "
        "which wrong programs it catches."
    )

    def __init__(self, words: str) -> None:
        self.title, _, self.text = words.partition("\n")

    @property
    def seconds(self) -> float:
        """How long a person looks at it during automatic play."""
        return _LOOKING_SECONDS + len(self.text.split()) / _WORDS_PER_SECOND


STOPS = tuple(TourStop)
_ON_STAGE = (TourStop.STRIKE, TourStop.BAR, TourStop.SECOND_TRY, TourStop.END)
_KEYS_LEFT_TO_APP = frozenset({"escape", "ctrl+q", "ctrl+c", "ctrl+p"})


def two_tries(pack: BossPack) -> tuple[ShownSubmission, ShownSubmission] | None:
    """A first attempt and a better one, from the boss's own exemplars; None if it doesn't have two."""
    graded = [submission for path in pack.exemplars if (submission := shown_submission(path)).gold]
    ghosts = ghosts_of(graded)
    if not ghosts:
        return None
    return ghosts[0], next((exemplar for exemplar in graded if exemplar.name == _FIRST_WIN), ghosts[-1])


class TourScreen(BackgroundJudgingScreen):
    """One stop after the other, at the viewer's pace. Nothing is stored.

    Args:
        pack: The boss of the tour.
        attempts: A first attempt on it and a better one.
        auto: Whether it plays by itself, over and over, until a key is pressed.
        pace: The speed of automatic play, as a multiple of reading speed.
    """

    CSS_PATH = "tour.tcss"
    AUTO_FOCUS = ""
    NAME = "The tour"
    HELP_TEXT = """
Eight stops, about two minutes. `space` goes on, `←` back, `esc` leaves at any time. The fights are real; none of
them is saved.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,right,enter", "step(1)", "on", key_display="space", id="tour.next"),
        Binding("left", "step(-1)", "back", key_display="←", id="tour.previous"),
        Binding("up,k", "scroll(-1)", "scroll", show=False, id="tour.up"),
        Binding("down,j", "scroll(1)", "scroll", show=False, id="tour.down"),
        Binding("pageup", "scroll(-10)", "page up", show=False, id="tour.page_up"),
        Binding("pagedown", "scroll(10)", "page down", show=False, id="tour.page_down"),
        Binding("escape", "back", "leave the tour", id="tour.leave"),
    ]

    def __init__(
        self,
        pack: "BossPack",
        attempts: tuple[ShownSubmission, ShownSubmission],
        *,
        auto: bool = False,
        pace: float = 1.0,
    ) -> None:
        super().__init__()
        self._pack, self._attempts, self._pace = pack, attempts, pace
        self.auto = auto
        self._stop_index = 0
        self._autoplay: Worker[None] | None = None
        self._shown_event = asyncio.Event()

    def body(self) -> Iterable[Widget]:
        """Compose the view, and the text below it."""
        about = self._pack.definition
        yield Heading([("THE TOUR", "bold ember"), (f"  {about.title}", "dim")], id="heading")
        yield StepBar(id="steps")
        with Horizontal(id="roster"):
            yield BossList(id="bosses")
            yield SpriteView(id="portrait")
        yield Stage(boss_view(self._pack), id="stage")
        yield LessonPage(id="page")
        with Vertical(id="caption"):
            yield Prose(id="said")

    def on_mount(self) -> None:
        """Start at the roster; the fights run meanwhile."""
        self.query_one(BossList).can_focus = self.query_one(CriterionBoard).can_focus = False
        self.query_one(StepBar).plan(["tour"] * len(STOPS))
        self.judge_in_background(self._pack, self._attempts)
        self._show_stop()
        if self.auto:
            self._autoplay = self._play_automatically()

    @property
    def stop(self) -> TourStop:
        """The current stop."""
        return STOPS[self._stop_index]

    @property
    def is_stop_shown(self) -> bool:
        """Whether everything of the current stop is on the screen; a fight takes its time."""
        return self._shown_event.is_set()

    @property
    def stage(self) -> Stage:
        """The stage on which the fights are replayed."""
        return self.query_one(Stage)

    # Display

    def _show_stop(self) -> None:
        stop = self.stop
        self.query_one(StepBar).go(self._stop_index)
        self.query_one("#said", Prose).set_text(styled((f"{stop.title}   ", "bold ember"), (stop.text, "ash")))
        self._show_progress("press any key to take control   " if self.auto else "")
        self.query_one("#roster").display = stop is TourStop.ROSTER
        self.stage.display = stop in _ON_STAGE
        self.query_one(LessonPage).display = stop is not TourStop.ROSTER and stop not in _ON_STAGE
        self._shown_event.clear()
        self._fill_view(stop)
        self.refresh_bindings()

    def _show_progress(self, remark: str) -> None:
        progress = f"{self._stop_index + 1} of {len(STOPS)}"
        self.query_one("#heading", Heading).set_text(right=[(remark, "molten"), (progress, "dim")])

    @work(exclusive=True, group="acting", exit_on_error=False)
    async def _fill_view(self, stop: TourStop) -> None:
        """Fill the view; this waits for fights and takes their time."""
        pack, page = self._pack, self.query_one(LessonPage)
        about = pack.definition.metadata
        match stop:
            case TourStop.ROSTER:
                bosses = self.query_one(BossList)
                bosses.show(self.session.services.find_bosses())
                bosses.point(pack.boss_id)
                self.query_one("#portrait", SpriteView).show(about.sprite or pack.boss_id, pack.path, about.accent)
            case TourStop.CONTRACT | TourStop.RUBRIC:
                page.show_parts("words")
                is_contract = stop is TourStop.CONTRACT
                page.set_part("words", contract(about.contract) if is_contract else rubric_text(pack.rubric))
            case TourStop.EVIDENCE:
                self._show_evidence(page, await self._fight(0))
            case _:
                await self._replay_fight(stop)
        self._shown_event.set()

    async def _fight(self, attempt: int) -> BackgroundFight:
        """The fight of one of the attempts, once it is over."""
        fight = self.fight_of(self._attempts[attempt])
        await fight.end.wait()
        return fight

    async def _replay_fight(self, stop: TourStop) -> None:
        """Replay a fight: with its timing at the strike and the next attempt, elsewhere only its end."""
        fight, before = await self._fight(0), None
        if stop in (TourStop.SECOND_TRY, TourStop.END):
            fight, before = await self._fight(1), fight
        self.stage.reset(before.result if before else None, before.record.evidence if before else None)
        if stop in (TourStop.BAR, TourStop.END):
            self.stage.pacer.skip()
        for event in fight.record.events:
            await self.stage.present(event)

    def _show_evidence(self, page: LessonPage, fight: BackgroundFight) -> None:
        """Show a criterion whose evidence points at a line, if there is one: level, reason, line, next level."""
        if fight.result is None:
            page.show_parts("words")
            page.set_part("words", lesson_text.no_verdict(fight))
            return
        criteria = self._pack.rubric.criteria
        has_line = (criterion for criterion in criteria if any(f.line for f in fight.judgements[criterion.id].findings))
        criterion = next(has_line, criteria[0])
        judgement = fight.judgements[criterion.id]
        page.open(fight.submission, self._pack.definition.metadata.entry_files)
        page.show_parts("words", "findings", "after", code=True)
        page.set_part("words", lesson_text.level_with_reason(criterion, judgement))
        page.set_part("after", lesson_text.next_level(criterion, judgement))
        page.show_findings(lesson_text.unique_findings(judgement))

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable going back at the first stop; after the last one there is the exit."""
        return self._stop_index + int(str(parameters[0])) >= 0 if action == "step" else True

    def action_step(self, by: int) -> None:
        """Go on, or back; a fight that is still running is first shown to its end."""
        is_playing = self.stop in (TourStop.STRIKE, TourStop.SECOND_TRY) and not self.is_stop_shown
        if by > 0 and is_playing and not self.stage.pacer.skipping:
            self.stage.pacer.skip()
            self.stage.bar.finish()
        elif self._stop_index + by >= len(STOPS):
            self.action_back()
        else:
            self._stop_index += by
            self._show_stop()

    def action_scroll(self, lines: int) -> None:
        """Scroll the text or the code."""
        self.query_one(LessonPage).scroll_lines(lines)

    # Automatic play

    @work(exclusive=True, group="guide", exit_on_error=False)
    async def _play_automatically(self) -> None:
        """Wait a while and go on; start again after the last stop."""
        while True:
            await self._shown_event.wait()
            await asyncio.sleep(self.stop.seconds / self._pace)
            self._stop_index = (self._stop_index + 1) % len(STOPS)
            self._show_stop()

    def on_key(self, event: events.Key) -> None:
        """Stop automatic play when any key is pressed."""
        if self.auto and event.key not in _KEYS_LEFT_TO_APP:
            event.stop()
            self._stop_autoplay()

    def on_click(self) -> None:
        """Stop automatic play when clicked."""
        if self.auto:
            self._stop_autoplay()

    def _stop_autoplay(self) -> None:
        self.auto = False
        if self._autoplay is not None:
            self._autoplay.cancel()
        self._show_progress("yours now   ")


def open_tour(game: "GameApp", *, auto: bool) -> None:
    """Open the tour of the boss that first-time players begin with; show a message if it has no exemplars."""
    first = training_boss(game.session.services.find_bosses())
    pack = game.session.load_pack(first.path) if first else None
    if pack is None or (tries := two_tries(pack)) is None:
        game.notify("There is no boss here with exemplars to show.", severity="warning", markup=False)
        return
    game.push_screen(TourScreen(pack, tries, auto=auto))
