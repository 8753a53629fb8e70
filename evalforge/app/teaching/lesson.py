"""Stage mode: a rubric taught on a projector, one step per key press, every level hidden until it is revealed."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.core.boss_view import boss_view
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.teaching import lesson_text
from evalforge.app.teaching.background_judging import BackgroundFight, BackgroundJudgingScreen
from evalforge.app.teaching.ghost_fights import GhostRow
from evalforge.app.teaching.lesson_page import LessonPage, LevelBoard, Levels, StepBar
from evalforge.app.teaching.lesson_plan import Guesses, Lesson, Step, StepKind, letter, level_keys, make_lesson
from evalforge.app.teaching.speaker_notes import (
    TeachingState,
    clear_state,
    now,
    speaker_notes,
    state_file,
    step_title,
    write_state,
)
from evalforge.app.ui.text.formatting import VERDICT_BANNERS, VERDICT_ROLES, level_role
from evalforge.app.ui.text.markup import contract
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.errors import EvalForgeError
from evalforge.model.hp import HpScale, Part

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.model.rubric import Criterion
    from evalforge.packs.pack import BossPack


_ROOMY_SIZE = (110, 32)
"""With at least this many columns and lines, every level is always described."""
_KINDS_WITH_BAR = (StepKind.HAND_IN, StepKind.GUESS, StepKind.REVEAL, StepKind.VERDICT)


class LessonScreen(BackgroundJudgingScreen):
    """The stage. The step alone decides what it shows, so going back hides again what was revealed."""

    CSS_PATH = "lesson.tcss"
    AUTO_FOCUS = ""
    NAME = "The stage"
    HELP_TEXT = """
Teach a rubric step by step: the mission, every criterion, then a submission. The room guesses each level before you
reveal it. At the end a weak, a middling and a strong submission fight side by side.

`space` goes on, `←` back. Before a level is revealed, press its digit to count one guess for it (or `↑↓` and `+`);
`-` takes the last guess back. `f` opens the next file, `g` jumps to the side-by-side fights.

Nothing here is saved to your history. For your notes, run in another terminal: `evalforge stage BOSS --notes`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,right,enter", "step(1)", "on", key_display="space", id="lesson.next"),
        Binding("left", "step(-1)", "back", key_display="←", id="lesson.previous"),
        *(
            Binding(str(n), f"guess('{n}')", "guess", key_display="0-9", show=not n, id=f"lesson.guess{n}")
            for n in range(10)
        ),
        Binding("up,k", "point(1)", "choose", key_display="↑↓", id="lesson.higher"),
        Binding("down,j", "point(-1)", "choose", show=False, id="lesson.lower"),
        Binding("up,k", "move(-1)", "move", show=False, id="lesson.up"),
        Binding("down,j", "move(1)", "move", show=False, id="lesson.down"),
        Binding("plus,equals_sign", "count", "count it", key_display="+", id="lesson.count"),
        Binding("minus,backspace", "take_back", "one less", key_display="-", id="lesson.less"),
        Binding("f", "file", "next file", id="lesson.file"),
        Binding("pageup", "page(-1)", "page up", show=False, id="lesson.page_up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="lesson.page_down"),
        Binding("g", "ghosts", "ghosts", id="lesson.ghosts"),
        Binding("escape", "back", "leave", id="lesson.back"),
    ]

    def __init__(self, lesson: Lesson, judge: str = "forge") -> None:
        super().__init__()
        self.lesson = lesson
        self.guesses = Guesses()
        self._requested_judge = judge
        self._step_index = 0
        self._pointed_score: float | None = None
        self._shown_since = now()
        self._has_warned = False

    @property
    def step(self) -> Step:
        """The current step of the lesson."""
        return self.lesson.steps[self._step_index]

    @property
    def criterion(self) -> "Criterion":
        """The criterion of this step."""
        return self.lesson.rubric.criteria[self.step.criterion]

    @property
    def page(self) -> LessonPage:
        """The part between the first lines and the bar."""
        return self.query_one(LessonPage)

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the progress, the page or the ghosts, and the bar."""
        about = self.lesson.pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}")], id="heading")
        yield StepBar(id="steps")
        yield LessonPage(id="page")
        names = [self.lesson.strength(index) for index in range(len(self.lesson.ghosts))]
        yield GhostRow(boss_view(self.lesson.pack), names, id="ghosts")
        yield HpBar(id="bar")

    def on_mount(self) -> None:
        """Start with the mission, and judge everything while it is read."""
        rubric, about = self.lesson.rubric, self.lesson.pack.definition.metadata
        self.query_one(StepBar).plan([step.chapter for step in self.lesson.steps])
        parts = [Part(c.id, c.label, c.max_score) for c in rubric.criteria]
        self.query_one(HpBar).prepare(parts, HpScale.from_rubric(rubric), about.accent)
        self.judge_in_background(self.lesson.pack, self.lesson.all_submissions, self._requested_judge)
        self._show_step()

    def on_resize(self) -> None:
        """Show the step again, because a different amount of it may fit."""
        if self.query(LessonPage):
            self.call_after_refresh(self._show_step)

    def on_unmount(self) -> None:
        """Clear what the speaker's notes show, because the stage has closed."""
        clear_state(state_file(self.session.services.history, self.lesson.pack.boss_id))

    @property
    def _is_roomy(self) -> bool:
        return self.size.width >= _ROOMY_SIZE[0] and self.size.height >= _ROOMY_SIZE[1]

    # Steps

    def _go_to_step(self, step_index: int) -> None:
        """Go to another step; a step forward animates what it reveals."""
        is_forward = step_index > self._step_index
        self._step_index, self._shown_since, self._pointed_score = step_index, now(), None
        self._show_step(strike=is_forward)

    def _show_step(self, *, strike: bool = False) -> None:
        """Show the step, and only what it reveals."""
        if not self.is_mounted:
            return
        step = self.step
        has_ghosts = step.kind is StepKind.GHOSTS
        self.page.display, self.query_one(GhostRow).display = not has_ghosts, has_ghosts
        self.query_one(HpBar).display = step.kind in _KINDS_WITH_BAR
        self.query_one(StepBar).go(self._step_index)
        position = f"   {self._step_index + 1} of {len(self.lesson.steps)}"
        self.query_one("#heading", Heading).set_text(right=[(self._step_name(), "dim"), (position, "faint")])
        if has_ghosts:
            fights = [self.fight_of(ghost) for ghost in self.lesson.ghosts]
            self.query_one(GhostRow).show(fights, step.revealed, strike=strike)
        elif step.hand_in < 0:
            self._show_task()
        else:
            self._show_bar(strike=strike)
            self._show_submission()
        self.refresh_bindings()
        self._publish_state()

    def _step_name(self) -> str:
        """The first line of a step; for most steps the page itself says what they are."""
        if self.step.kind is StepKind.GHOSTS:
            return step_title(self.lesson, self.step)
        is_crowded = self.step.kind in (StepKind.GUESS, StepKind.REVEAL) and not self._is_roomy
        return self._position if is_crowded else ""

    @property
    def _position(self) -> str:
        return lesson_text.step_position(self.step, len(self.lesson.rubric.criteria))

    def _show_task(self) -> None:
        """Show the mission, the contract, or one criterion."""
        page, pack, roomy = self.page, self.lesson.pack, self._is_roomy
        about = pack.definition
        if self.step.kind is StepKind.MISSION:
            page.show_parts("kicker", "word", "words", picture=roomy, wide=True)
            page.set_kicker("the mission")
            page.set_word(about.title, "molten", "ember", share_taken=0.3 if roomy else 0.0, spaced=True)
            page.set_part("words", lesson_text.mission(pack))
            self._show_picture()
        elif self.step.kind is StepKind.CONTRACT:
            page.show_parts("kicker", "words")
            page.set_kicker("the contract")
            page.set_part("words", contract(about.metadata.contract))
        else:
            page.show_parts("kicker", "word", "words", "levels")
            page.set_kicker(f"criterion {self.step.criterion + 1} of {len(self.lesson.rubric.criteria)}")
            is_large = page.set_word(self.criterion.label, "ember", spaced=roomy)
            page.set_part("words", lesson_text.criterion_words(self.criterion, large=is_large))
            page.show_levels(Levels(self.criterion, {}, {}))

    def _show_picture(self) -> None:
        pack = self.lesson.pack
        about = pack.definition.metadata
        self.page.picture.show(about.sprite or pack.boss_id, pack.path, about.accent)

    def _show_submission(self) -> None:
        """Show a submission: its files, the question for a level, the level, or the verdict."""
        step, page = self.step, self.page
        page.open(self._fight.submission, self.lesson.pack.definition.metadata.entry_files)
        if step.kind is StepKind.HAND_IN:
            page.show_parts("kicker", "words", code=True)
            page.set_kicker(f"submission {letter(step.hand_in)}")
            page.set_part(
                "words", lesson_text.files(self._fight, self.lesson.rubric.criteria if self._is_roomy else ())
            )
            page.show_code()
        elif step.kind is StepKind.GUESS:
            page.show_parts(*self._roomy_parts("kicker"), "words", "levels", code=True, wide=True)
            page.set_kicker(self._position)
            page.set_part("words", lesson_text.question(self.criterion, roomy=self._is_roomy))
            self._show_levels()
            page.show_code()
        elif step.kind is StepKind.REVEAL:
            self._show_reveal()
        else:
            self._show_verdict()

    def _roomy_parts(self, *parts: str) -> tuple[str, ...]:
        return parts if self._is_roomy else ()

    def _show_levels(self, judged_score: float | None = None) -> None:
        """Show the levels of the step's criterion, with the audience's guesses."""
        keys = {score: key for key, score in level_keys(self.criterion).items()} if judged_score is None else {}
        pointed_score = self._pointed_score if judged_score is None else None
        self.page.show_levels(Levels(self.criterion, keys, self._tally, pointed_score, judged_score))

    @property
    def _tally(self) -> Counter[float]:
        return self.guesses.tally(self.step.hand_in, self.criterion.id)

    def _show_reveal(self) -> None:
        page, criterion, roomy = self.page, self.criterion, self._is_roomy
        judgement = self._fight.judgements.get(criterion.id)
        page.set_kicker(self._position)
        if judgement is None:
            page.show_parts(*self._roomy_parts("kicker"), "words", code=True)
            page.set_part("words", lesson_text.no_verdict(self._fight))
            page.show_findings(())
            return
        findings = lesson_text.unique_findings(judgement)
        more = [*self._roomy_parts("kicker", "word"), *(["findings"] if findings else [])]
        page.show_parts("words", "levels", "after", *more, code=True)
        if roomy:
            role = level_role(judgement.score, criterion.max_score)
            page.set_word(criterion.level_label(judgement.score), role, share_taken=0.55, spaced=True)
        page.set_part("words", lesson_text.revealed_level(criterion, judgement, self._tally, roomy=roomy))
        page.set_part("after", lesson_text.reason(judgement))
        self._show_levels(judgement.score)
        page.show_findings(findings)

    def _show_verdict(self) -> None:
        page, step, fight, rubric = self.page, self.step, self._fight, self.lesson.rubric
        result = fight.result
        page.show_parts("kicker", *(["word"] if result else []), "words", picture=self._is_roomy, wide=True)
        page.set_kicker(f"submission {letter(step.hand_in)}, the verdict")
        self._show_picture()
        if result is not None:
            page.set_word(VERDICT_BANNERS[result.verdict], VERDICT_ROLES[result.verdict])
        tallies = [self.guesses.tally(step.hand_in, criterion.id) for criterion in rubric.criteria]
        page.set_part("words", lesson_text.verdict(fight, step.hand_in, rubric, tallies, self.game.look.glyphs))
        if result is not None and result.passed:
            page.picture.fall(flawless=result.verdict == "strong_pass")

    def _show_bar(self, *, strike: bool) -> None:
        """Show what has been revealed of this submission so far; the newest blow is animated."""
        step, bar = self.step, self.query_one(HpBar)
        ids = tuple(criterion.id for criterion in self.lesson.rubric.criteria[: step.revealed])
        scores = self._fight.scores(ids)
        newest = ids[-1] if strike and step.kind is StepKind.REVEAL and ids[-1] in scores else ""
        bar.chosen = ""
        bar.show({name: score for name, score in scores.items() if name != newest})
        bar.show_note("not judged" if self._fight.reason else "")
        if newest:
            bar.strike(newest, scores[newest])

    @property
    def _fight(self) -> BackgroundFight:
        return self.fight_of(self.lesson.submissions[self.step.hand_in])

    @on(BackgroundJudgingScreen.Finished)
    def _show_fight(self, event: BackgroundJudgingScreen.Finished) -> None:
        """Show a finished fight at once if the audience is waiting for it."""
        step, fight = self.step, event.fight
        is_awaited = step.kind is StepKind.GHOSTS or (
            step.kind in (StepKind.REVEAL, StepKind.VERDICT) and fight.hand_in is self.lesson.submissions[step.hand_in]
        )
        if is_awaited:
            self._show_step(strike=True)
        else:
            self._publish_state()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only what the step allows."""
        kind = self.step.kind
        is_guess = kind is StepKind.GUESS
        if action == "guess":
            return is_guess and parameters[0] in level_keys(self.criterion)
        if action in ("point", "count", "take_back"):
            return is_guess
        if action == "step":
            return 0 <= self._step_index + int(str(parameters[0])) < len(self.lesson.steps)
        if action == "file":
            return kind in (StepKind.HAND_IN, StepKind.GUESS, StepKind.REVEAL) and len(self._fight.submission.files) > 1
        if action == "ghosts":
            return bool(self.lesson.ghosts) and kind is not StepKind.GHOSTS
        if action == "move":
            return kind not in (StepKind.GUESS, StepKind.GHOSTS)
        return action != "page" or kind is not StepKind.GHOSTS

    def action_step(self, by: int) -> None:
        """Go on, or back. Going on counts a level that is only pointed at as a guess."""
        if by > 0 and self.step.kind is StepKind.GUESS and self._pointed_score is not None:
            guessed_level = self.step.hand_in, self.criterion.id
            if not self.guesses.tally(*guessed_level):
                self.guesses.count(*guessed_level, self._pointed_score)
        self._go_to_step(self._step_index + by)

    def action_ghosts(self) -> None:
        """Go straight to the ghosts."""
        self._go_to_step(next(index for index, step in enumerate(self.lesson.steps) if step.kind is StepKind.GHOSTS))

    def action_guess(self, key: str) -> None:
        """Count a guess for the level of a digit."""
        self._count_guess(level_keys(self.criterion)[key])

    @on(LevelBoard.Picked)
    def _count_clicked_level(self, event: LevelBoard.Picked) -> None:
        if self.step.kind is StepKind.GUESS:
            self._count_guess(event.score)

    def _count_guess(self, score: float) -> None:
        self._pointed_score = score
        self.guesses.count(self.step.hand_in, self.criterion.id, score)
        self._show_guesses()

    def _show_guesses(self) -> None:
        """Show the current guesses and cursor."""
        self._show_levels()
        self._publish_state()

    def action_count(self) -> None:
        """Count a guess for the level under the cursor."""
        self._count_guess(self._pointed_score if self._pointed_score is not None else self.criterion.levels[-1].score)

    def action_take_back(self) -> None:
        """Remove the last guess."""
        self.guesses.take_back(self.step.hand_in, self.criterion.id)
        self._show_guesses()

    def action_point(self, by: int) -> None:
        """Point at a higher or a lower level."""
        scores = [level.score for level in self.criterion.levels]
        first_index = 0 if by > 0 else len(scores) - 1
        index = scores.index(self._pointed_score) + by if self._pointed_score in scores else first_index
        self._pointed_score = scores[min(max(index, 0), len(scores) - 1)]
        self._show_guesses()

    def action_move(self, by: int) -> None:
        """Move through the evidence, or scroll."""
        if self.step.kind is StepKind.REVEAL:
            self.page.findings.action_move(by)
            self.page.show_selection()
        else:
            self.page.scroll_lines(by)

    def action_page(self, pages: int) -> None:
        """Scroll by a page; if the arrow keys move through the evidence, scroll the text above it."""
        self.page.scroll_page(pages, prefers_text=self.step.kind is StepKind.REVEAL)

    def action_file(self) -> None:
        """Open the next file of the submission."""
        self.page.open_next_file()

    # The speaker's notes

    def _publish_state(self) -> None:
        """Write the speaker's notes on this step to a file; warn once if that fails."""
        step, lesson = self.step, self.lesson
        has_guesses = step.kind in (StepKind.GUESS, StepKind.REVEAL)
        scores = {
            submission.path: {name: judgement.score for name, judgement in self.fight_of(submission).judgements.items()}
            for submission in lesson.all_submissions
        }
        tally = self._tally if has_guesses else Counter[float]()
        state = TeachingState(
            boss_id=lesson.pack.boss_id,
            pid=os.getpid(),
            since=self._shown_since,
            step=self._step_index,
            step_count=len(lesson.steps),
            notes=tuple(speaker_notes(lesson, self._step_index, scores, tally)),
        )
        is_written = write_state(state_file(self.session.services.history, lesson.pack.boss_id), state)
        if not is_written and not self._has_warned:
            self._has_warned = True
            self.notify("The notes can't follow, because the state folder can't be written.", markup=False)


def open_stage(
    game: "GameApp", pack: "BossPack", exemplars: tuple[str, ...], hand_ins: tuple[Path, ...], judge: str
) -> None:
    """Open the lesson on a boss's rubric; show a message if there is nothing to teach it with."""
    try:
        lesson = make_lesson(pack, exemplars, hand_ins)
    except EvalForgeError as error:
        game.notify(problem(error), title="Nothing to show", severity="warning", markup=False)
        return
    game.push_screen(LessonScreen(lesson, judge))
