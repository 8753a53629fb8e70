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
            return lesson_text.place(step, len(self._criteria))
        return ""

    def show_step(self, step: Step, fight: "BackgroundFight | None", pointed: float | None, *, roomy: bool) -> None:
        """Show one step of the lesson on the page.

        Args:
            step: Any step except those of the ghosts.
            fight: The fight of the submission it is about.
            pointed: The level under the cursor.
            roomy: Whether there is room for more than the essentials.
        """
        if fight is not None:
            self._page.open(fight.submission, self._lesson.pack.definition.metadata.entry_files)
        if step.kind is StepKind.MISSION:
            self._mission(roomy=roomy)
        elif step.kind is StepKind.CONTRACT:
            self._contract()
        elif step.kind is StepKind.CRITERION:
            self._criterion(step, roomy=roomy)
        elif fight is None:
            return
        elif step.kind is StepKind.HAND_IN:
            self._hand_in(step, fight, roomy=roomy)
        elif step.kind is StepKind.GUESS:
            self._guess(step, pointed, roomy=roomy)
        elif step.kind is StepKind.REVEAL:
            self._reveal(step, fight, roomy=roomy)
        else:
            self._verdict(step, fight, roomy=roomy)

    @property
    def _criteria(self) -> "tuple[Criterion, ...]":
        return self._lesson.rubric.criteria

    def _picture(self) -> None:
        about = self._lesson.pack.definition
        name = about.metadata.sprite or about.boss_id
        self._page.picture.show(name, self._lesson.pack.path, about.metadata.accent)

    def _mission(self, *, roomy: bool) -> None:
        page, about = self._page, self._lesson.pack.definition
        page.lay("kicker", "word", "words", picture=roomy, wide=True)
        page.set_kicker("the mission")
        page.set_word(about.title, "molten", "ember", share_taken=0.3 if roomy else 0.0, spaced=True)
        page.set_part("words", lesson_text.mission(self._lesson.pack))
        self._picture()

    def _contract(self) -> None:
        self._page.lay("kicker", "words")
        self._page.set_kicker("the contract")
        self._page.set_part("words", contract(self._lesson.pack.definition.metadata.contract))

    def _criterion(self, step: Step, *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        page.lay("kicker", "word", "words", "levels")
        page.set_kicker(f"criterion {step.criterion + 1} of {len(self._criteria)}")
        large = page.set_word(criterion.label, "ember", spaced=roomy)
        page.set_part("words", lesson_text.criterion_words(criterion, large=large))
        page.show_levels(Levels(criterion, {}, {}))

    def _hand_in(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        self._page.lay("kicker", "words", code=True)
        self._page.set_kicker(f"submission {letter(step.hand_in)}")
        self._page.set_part("words", lesson_text.files(fight, self._criteria if roomy else ()))
        self._page.show_code()

    def _say_place(self, step: Step) -> None:
        self._page.set_kicker(lesson_text.place(step, len(self._criteria)))

    def _guess(self, step: Step, pointed: float | None, *, roomy: bool) -> None:
        self._page.lay(*(["kicker"] if roomy else []), "words", "levels", code=True, wide=True)
        self._say_place(step)
        self._page.set_part("words", lesson_text.question(self._criteria[step.criterion], roomy=roomy))
        self.levels(step, pointed, roomy=roomy)
        self._page.show_code()

    def levels(self, step: Step, pointed: float | None, *, roomy: bool, judged_score: float | None = None) -> None:
        """The levels of the step's criterion, with the audience's guesses."""
        criterion = self._criteria[step.criterion]
        keys = {score: key for key, score in level_keys(criterion).items()} if judged_score is None else {}
        tally = self._guesses.tally(step.hand_in, criterion.id)
        brief = judged_score is not None or not roomy
        self._page.show_levels(Levels(criterion, keys, tally, pointed, judged_score, brief))

    def _reveal(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        judgement = fight.judgements.get(criterion.id)
        self._say_place(step)
        if judgement is None:
            page.lay(*(["kicker"] if roomy else []), "words", code=True)
            page.set_part("words", lesson_text.waiting(fight))
            page.show_findings(())
            return
        findings = lesson_text.unique_findings(judgement)
        more = [*(["kicker", "word"] if roomy else []), *(["findings"] if findings else [])]
        page.lay("words", "levels", "after", *more, code=True)
        if roomy:
            role = level_role(judgement.score, criterion.max_score)
            page.set_word(criterion.level_label(judgement.score), role, share_taken=0.55, spaced=True)
        tally = self._guesses.tally(step.hand_in, criterion.id)
        page.set_part("words", lesson_text.revealed(criterion, judgement, tally, roomy=roomy))
        page.set_part("after", lesson_text.reason(judgement))
        self.levels(step, None, roomy=roomy, judged_score=judgement.score)
        page.show_findings(findings)

    def _verdict(self, step: Step, fight: "BackgroundFight", *, roomy: bool) -> None:
        page, result = self._page, fight.result
        page.lay("kicker", *(["word"] if result else []), "words", picture=roomy, wide=True)
        page.set_kicker(f"submission {letter(step.hand_in)}, the verdict")
        self._picture()
        if result is not None:
            page.set_word(VERDICT_BANNERS[result.verdict], VERDICT_ROLES[result.verdict])
        tallies = [self._guesses.tally(step.hand_in, criterion.id) for criterion in self._criteria]
        page.set_part(
            "words", lesson_text.verdict(fight, step.hand_in, self._lesson.rubric, tallies, look(page).glyphs)
        )
        if result is not None and result.passed:
            page.picture.fall(flawless=result.verdict == "strong_pass")
