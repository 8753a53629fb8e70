"""Fills the page of a lesson: what each step says and shows, and what it still hides."""

from typing import TYPE_CHECKING

from evalforge.app.teaching import lesson_text
from evalforge.app.teaching.guesses import Guesses, level_keys
from evalforge.app.teaching.lesson_page import LessonPage
from evalforge.app.teaching.lesson_plan import Lesson, letter
from evalforge.app.teaching.lesson_steps import Step, StepKind
from evalforge.app.teaching.level_board import Levels
from evalforge.app.teaching.speaker_notes import step_title
from evalforge.app.ui.text.formatting import VERDICT_BANNERS, VERDICT_ROLES, level_role
from evalforge.app.ui.text.markup import contract
from evalforge.app.ui.theme.look import look

if TYPE_CHECKING:
    from evalforge.app.teaching.background_fight import BackgroundFight
    from evalforge.model.rubric import Criterion


class LessonNarrator:
    """Fills the page step by step.

    Args:
        page: The page to fill.
        lesson: The lesson.
        guesses: The audience's guesses.
    """

    def __init__(self, page: LessonPage, lesson: Lesson, guesses: Guesses) -> None:
        self._page, self._lesson, self._guesses = page, lesson, guesses

    def title(self, step: Step, *, roomy: bool) -> str:
        """The first line of a step; for most steps the page itself says what they are."""
        if step.kind is StepKind.GHOSTS:
            return step_title(self._lesson, step)
        if step.kind in (StepKind.GUESS, StepKind.REVEAL) and not roomy:
            return lesson_text.step_position(step, len(self._criteria))
        return ""

    def show_step(
        self, step: Step, fight: "BackgroundFight | None", pointed_score: float | None, *, roomy: bool
    ) -> None:
        """Show one step of the lesson on the page.

        Args:
            step: Any step except those of the ghosts.
            fight: The fight of the submission it is about.
            pointed_score: The level under the cursor.
            roomy: Whether there is room for more than the essentials.
        """
        if fight is not None:
            self._page.open(fight.submission, self._lesson.pack.definition.metadata.entry_files)
        if step.kind is StepKind.MISSION:
            self._show_mission(roomy=roomy)
        elif step.kind is StepKind.CONTRACT:
            self._show_contract()
        elif step.kind is StepKind.CRITERION:
            self._show_criterion(step, roomy=roomy)
        elif fight is None:
            return
        elif step.kind is StepKind.HAND_IN:
            self._show_hand_in(step, fight, roomy=roomy)
        elif step.kind is StepKind.GUESS:
            self._show_guess(step, pointed_score, roomy=roomy)
        elif step.kind is StepKind.REVEAL:
            self._show_reveal(step, fight, roomy=roomy)
        else:
            self._show_verdict(step, fight, roomy=roomy)

    @property
    def _criteria(self) -> "tuple[Criterion, ...]":
        return self._lesson.rubric.criteria

    def _show_picture(self) -> None:
        about = self._lesson.pack.definition
        name = about.metadata.sprite or about.boss_id
        self._page.picture.show(name, self._lesson.pack.path, about.metadata.accent)

    def _show_mission(self, *, roomy: bool) -> None:
        page, about = self._page, self._lesson.pack.definition
        page.show_parts("kicker", "word", "words", picture=roomy, wide=True)
        page.set_kicker("the mission")
        page.set_word(about.title, "molten", "ember", share_taken=0.3 if roomy else 0.0, spaced=True)
        page.set_part("words", lesson_text.mission(self._lesson.pack))
        self._show_picture()

    def _show_contract(self) -> None:
        self._page.show_parts("kicker", "words")
        self._page.set_kicker("the contract")
        self._page.set_part("words", contract(self._lesson.pack.definition.metadata.contract))

    def _show_criterion(self, step: Step, *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        page.show_parts("kicker", "word", "words", "levels")
        page.set_kicker(f"criterion {step.criterion + 1} of {len(self._criteria)}")
        is_large = page.set_word(criterion.label, "ember", spaced=roomy)
        page.set_part("words", lesson_text.criterion_words(criterion, large=is_large))
        page.show_levels(Levels(criterion, {}, {}))

    def _show_hand_in(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        self._page.show_parts("kicker", "words", code=True)
        self._page.set_kicker(f"submission {letter(step.hand_in)}")
        self._page.set_part("words", lesson_text.files(fight, self._criteria if roomy else ()))
        self._page.show_code()

    def _show_position(self, step: Step) -> None:
        self._page.set_kicker(lesson_text.step_position(step, len(self._criteria)))

    def _show_guess(self, step: Step, pointed_score: float | None, *, roomy: bool) -> None:
        self._page.show_parts(*(["kicker"] if roomy else []), "words", "levels", code=True, wide=True)
        self._show_position(step)
        self._page.set_part("words", lesson_text.question(self._criteria[step.criterion], roomy=roomy))
        self.show_levels(step, pointed_score, roomy=roomy)
        self._page.show_code()

    def show_levels(
        self, step: Step, pointed_score: float | None, *, roomy: bool, judged_score: float | None = None
    ) -> None:
        """Show the levels of the step's criterion, with the audience's guesses."""
        criterion = self._criteria[step.criterion]
        keys = {score: key for key, score in level_keys(criterion).items()} if judged_score is None else {}
        tally = self._guesses.tally(step.hand_in, criterion.id)
        self._page.show_levels(Levels(criterion, keys, tally, pointed_score, judged_score))

    def _show_reveal(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        judgement = fight.judgements.get(criterion.id)
        self._show_position(step)
        if judgement is None:
            page.show_parts(*(["kicker"] if roomy else []), "words", code=True)
            page.set_part("words", lesson_text.no_verdict(fight))
            page.show_findings(())
            return
        findings = lesson_text.unique_findings(judgement)
        more = [*(["kicker", "word"] if roomy else []), *(["findings"] if findings else [])]
        page.show_parts("words", "levels", "after", *more, code=True)
        if roomy:
            role = level_role(judgement.score, criterion.max_score)
            page.set_word(criterion.level_label(judgement.score), role, share_taken=0.55, spaced=True)
        tally = self._guesses.tally(step.hand_in, criterion.id)
        page.set_part("words", lesson_text.revealed_level(criterion, judgement, tally, roomy=roomy))
        page.set_part("after", lesson_text.reason(judgement))
        self.show_levels(step, None, roomy=roomy, judged_score=judgement.score)
        page.show_findings(findings)

    def _show_verdict(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        page, result = self._page, fight.result
        page.show_parts("kicker", *(["word"] if result else []), "words", picture=roomy, wide=True)
        page.set_kicker(f"submission {letter(step.hand_in)}, the verdict")
        self._show_picture()
        if result is not None:
            page.set_word(VERDICT_BANNERS[result.verdict], VERDICT_ROLES[result.verdict])
        tallies = [self._guesses.tally(step.hand_in, criterion.id) for criterion in self._criteria]
        page.set_part(
            "words", lesson_text.verdict(fight, step.hand_in, self._lesson.rubric, tallies, look(page).glyphs)
        )
        if result is not None and result.passed:
            page.picture.fall(flawless=result.verdict == "strong_pass")
