"""Fills the page of a lesson: what each step says, shows and still keeps to itself."""

from typing import TYPE_CHECKING

from evalforge.app.contract import contract
from evalforge.app.lesson import words
from evalforge.app.lesson.notes import step_title
from evalforge.app.lesson.plan import Lesson, letter
from evalforge.app.lesson.room import Room, level_keys
from evalforge.app.lesson.steps import Kind, Step
from evalforge.app.look import look
from evalforge.app.widgets.lesson_page import LessonPage
from evalforge.app.widgets.level_board import Levels
from evalforge.app.words import VERDICT_BANNERS, VERDICT_ROLES

if TYPE_CHECKING:
    from evalforge.app.lesson.hearing import Hearing
    from evalforge.model.rubric import Criterion


class LessonTeller:
    """Tells one step after the other.

    Args:
        page: Where it is shown.
        lesson: What is taught.
        room: The guesses.
    """

    def __init__(self, page: LessonPage, lesson: Lesson, room: Room) -> None:
        self._page, self._lesson, self._room = page, lesson, room

    def title(self, step: Step, *, roomy: bool) -> str:
        """What the first line says of a step: of most of them the page says itself what they are."""
        if step.kind is Kind.GHOSTS:
            return step_title(self._lesson, step)
        if step.kind in (Kind.GUESS, Kind.REVEAL) and not roomy:
            return words.place(step, len(self._criteria))
        return ""

    def tell(self, step: Step, hearing: "Hearing | None", pointed: float | None, *, roomy: bool) -> None:
        """Show a step.

        Args:
            step: Any but those of the ghosts.
            hearing: The hand-in it is about.
            pointed: The level under the cursor.
            roomy: Whether there is room for more than has to be there.
        """
        if hearing is not None:
            self._page.open(hearing.submission, self._lesson.pack.definition.metadata.entry_files)
        if step.kind is Kind.MISSION:
            self._mission(roomy=roomy)
        elif step.kind is Kind.CONTRACT:
            self._contract()
        elif step.kind is Kind.CRITERION:
            self._criterion(step, roomy=roomy)
        elif hearing is None:
            return
        elif step.kind is Kind.HAND_IN:
            self._hand_in(step, hearing, roomy=roomy)
        elif step.kind is Kind.GUESS:
            self._guess(step, pointed, roomy=roomy)
        elif step.kind is Kind.REVEAL:
            self._reveal(step, hearing, roomy=roomy)
        else:
            self._verdict(step, hearing, roomy=roomy)

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
        page.say("kicker", words.kicker("the mission"))
        page.say_word(about.title, "molten", "ember", beside=0.3 if roomy else 0.0, spaced=True)
        page.say("words", words.mission(self._lesson.pack))
        self._picture()

    def _contract(self) -> None:
        self._page.lay("kicker", "words")
        self._page.say("kicker", words.kicker("the contract"))
        self._page.say("words", contract(self._lesson.pack.definition.metadata.contract))

    def _criterion(self, step: Step, *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        page.lay("kicker", "word", "words", "levels")
        page.say("kicker", words.kicker(f"criterion {step.criterion + 1} of {len(self._criteria)}"))
        large = page.say_word(criterion.label, "ember", spaced=roomy)
        page.say("words", words.criterion_words(criterion, large=large))
        page.show_levels(Levels(criterion, {}, {}))

    def _hand_in(self, step: Step, hearing: "Hearing", *, roomy: bool) -> None:
        self._page.lay("kicker", "words", code=True)
        self._page.say("kicker", words.kicker(f"hand-in {letter(step.hand_in)}"))
        self._page.say("words", words.files(hearing, self._criteria if roomy else ()))
        self._page.show_code()

    def _say_place(self, step: Step) -> None:
        self._page.say("kicker", words.kicker(words.place(step, len(self._criteria))))

    def _guess(self, step: Step, pointed: float | None, *, roomy: bool) -> None:
        self._page.lay(*(["kicker"] if roomy else []), "words", "levels", code=True, wide=True)
        self._say_place(step)
        self._page.say("words", words.question(self._criteria[step.criterion], roomy=roomy))
        self.levels(step, pointed, roomy=roomy)
        self._page.show_code()

    def levels(self, step: Step, pointed: float | None, *, roomy: bool, judged: float | None = None) -> None:
        """The levels of the step's criterion, with the room's guesses."""
        criterion = self._criteria[step.criterion]
        keys = {score: key for key, score in level_keys(criterion).items()} if judged is None else {}
        tally = self._room.tally(step.hand_in, criterion.id)
        brief = judged is not None or not roomy
        self._page.show_levels(Levels(criterion, keys, tally, pointed, judged, brief))

    def _reveal(self, step: Step, hearing: "Hearing", *, roomy: bool) -> None:
        page, criterion = self._page, self._criteria[step.criterion]
        judgement = hearing.judgements.get(criterion.id)
        self._say_place(step)
        if judgement is None:
            page.lay(*(["kicker"] if roomy else []), "words", code=True)
            page.say("words", words.waiting(hearing))
            page.show_code()
            return
        findings = words.told_once(judgement)
        more = [*(["kicker", "word"] if roomy else []), *(["findings"] if findings else [])]
        page.lay("words", "levels", "after", *more, code=True)
        level = next((lv.label for lv in criterion.levels if lv.score == judgement.score), "")
        role = "molten" if judgement.score >= criterion.max_score else "ember" if judgement.score > 0 else "blood"
        if roomy:
            page.say_word(level, role, beside=0.55, spaced=True)
        tally = self._room.tally(step.hand_in, criterion.id)
        page.say("words", words.revealed(criterion, judgement, tally, roomy=roomy))
        page.say("after", words.reason(judgement))
        self.levels(step, None, roomy=roomy, judged=judgement.score)
        page.findings.show(findings)
        self.mark(criterion, hearing)

    def mark(self, criterion: "Criterion", hearing: "Hearing") -> None:
        """The code at the finding under the cursor, with everything found in that file."""
        judgement = hearing.judgements.get(criterion.id)
        findings = words.told_once(judgement) if judgement else []
        finding = self._page.findings.chosen if findings else None
        path = finding.path if finding and finding.path else self._page.open_path
        marks: dict[int, list[str]] = {}
        for one in findings:
            if one.path == path and one.line:
                marks.setdefault(one.line, []).append(one.message)
        self._page.show_code(finding, marks)

    def _verdict(self, step: Step, hearing: "Hearing", *, roomy: bool) -> None:
        page, result = self._page, hearing.result
        page.lay("kicker", *(["word"] if result else []), "words", picture=roomy, wide=True)
        page.say("kicker", words.kicker(f"hand-in {letter(step.hand_in)}, the verdict"))
        self._picture()
        if result is not None:
            page.say_word(VERDICT_BANNERS[result.verdict], VERDICT_ROLES[result.verdict])
        glyphs = look(page).glyphs
        marks = (glyphs.pip, glyphs.half_pip, glyphs.empty_pip)
        tallies = [self._room.tally(step.hand_in, criterion.id) for criterion in self._criteria]
        page.say("words", words.verdict(hearing, step.hand_in, self._lesson.rubric, tallies, marks))
        if result is not None and result.passed:
            page.picture.fall(flawless=result.verdict == "strong_pass")
