"""Two judges side by side on one submission: levels, comments, quotes, and the bounds set by evidence."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from evalforge.app.lab.judging import ask_through_engine, judged_by
from evalforge.app.lab.lab_text import level_words
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import brief, fit
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.judges.availability import model_unavailable_reason
from evalforge.judges.registry import estimate_cost
from evalforge.lab.judge_pair import (
    CriterionPair,
    JudgeAnswer,
    JudgeChoice,
    judge_submission,
    pair_criteria,
    parse_judge,
)
from evalforge.lab.submissions import LabSubmission, comparison_sources, measure_source
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import merge_findings
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line
from evalforge.packs.pack import BossPack

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp

# Two judges' answers about one submission, as rows and texts.

_MAX_FINDINGS = 6
_NAME_WIDTH, _LEVEL_WIDTH = 30, 27
"""Widths in which names of criteria, and levels with their names, mostly fit."""


def _columns(width: int) -> tuple[int, int]:
    """The widths of the names and of the left pane; the right pane starts in the middle, like its text below."""
    middle = (width + 2) // 2
    label_width = max(12, min(_NAME_WIDTH, middle - 2 - _LEVEL_WIDTH))
    return label_width, max(8, middle - label_width - 2)


State = tuple[str, str, str]
"""The state of a pane, the part of it that may be cut, and its role."""


def head_row(titles: tuple[str, str], states: tuple[State, State]) -> Row:
    """The judges, and the state of each."""

    def build(width: int) -> list[Line]:
        label_width, pane_width = _columns(width)
        indent = (" " * (label_width + 2), "")
        return [
            (indent, (fit(titles[0], pane_width), "bold ember"), (fit(titles[1], pane_width), "bold steel")),
            (indent, *((_state_text(state, pane_width), state[2]) for state in states)),
            (),
        ]

    return Row("", build, is_static=True)


def _state_text(state: State, width: int) -> str:
    words, more, _ = state
    return fit(words + more if len(words + more) < width else words, width - 1) + " "


def pairing_rows(pairings: Sequence[CriterionPair], glyphs: Glyphs) -> list[Row]:
    """List each criterion with both levels; those that differ are marked."""

    def row(pairing: CriterionPair) -> Row:
        def build(width: int) -> list[Line]:
            label_width, pane_width = _columns(width)
            mark = (f"{glyphs.diamond} ", "ember") if pairing.differs else ("  ", "")
            label_text = brief(clean_line(pairing.criterion.label), label_width - 1)
            name = (fit(label_text, label_width), "bold ash" if pairing.differs else "ash")
            levels = [_level(pairing.criterion, judgement, glyphs, pane_width) for judgement in pairing.judgements]
            return [(mark, name, *levels[0], *levels[1])]

        return Row(pairing.criterion.id, build)

    return [row(pairing) for pairing in pairings]


def _level(criterion: Criterion, judgement: Judgement | None, glyphs: Glyphs, width: int) -> list[Run]:
    if judgement is None:
        return [(fit(glyphs.dot, width), "faint")]
    pips, label, role = level_words(criterion, judgement.score, glyphs)
    bounded = " bounded" if judgement.bounded else ""
    text = fit(f"{label}", max(1, width - len(pips) - 2 - len(bounded)))
    return [(f"{pips} ", role), (text, "ash"), (bounded, "steel"), (" ", "")]


def state_words(answer: JudgeAnswer | None, pending: str, rubric: BossRubric) -> State:
    """Describe the state of a pane in a few words, with a role.

    Args:
        answer: The judge's answer, if there is one.
        pending: What it is waiting for.
        rubric: The rubric it judges by.
    """
    if answer is None:
        return pending, "", "dim"
    if answer.judged is None:
        return "could not judge", "", "blood"
    result = answer.judged.result
    score = f"{format_number(result.score_total)}/{format_number(result.score_max)} {VERDICT_WORDS[result.verdict]}"
    more = f", pass at {format_number(rubric.overall.pass_threshold)}" + (
        f", {answer.cost.price}" if answer.cost.input_tokens else ""
    )
    return score, more, VERDICT_ROLES[result.verdict]


def judge_text(title: Run, answer: JudgeAnswer | None, criterion: Criterion, pending: str, glyphs: Glyphs) -> Content:
    """One judge's answer on one criterion: level, comment, what bounded it, its findings."""
    parts: list[Run] = [(f"{clean_line(title[0])}\n", f"bold {title[1]}")]
    if answer is None:
        return styled(*parts, (pending, "dim"))
    if answer.judged is None:
        return styled(*parts, ("Could not judge.\n", "blood"), (clean(answer.failure), "ash"))
    judgement = answer.judgement(criterion.id)
    if judgement is None:
        return styled(*parts, ("Its rubric has no such criterion.", "dim"))
    level_text, label, role = level_words(criterion, judgement.score, glyphs)
    parts += [
        (f"{level_text}  ", f"{role}"), (label, "bold ash"), (f"  {format_number(judgement.score)}\n\n", "dim"),
        *spans(clean(judgement.comment), "ash"), ("\n", ""),
    ]  # fmt: skip
    for caveat in judgement.caveats:
        parts += [*spans(clean(caveat), "steel"), ("\n", "")]
    if judgement.findings:
        parts.append(("\nPoints at\n", "bold dim"))
    for finding in merge_findings(judgement.findings)[:_MAX_FINDINGS]:
        parts.append((f"  {clean_line(finding.place)}\n" if finding.place else "", "steel"))
        parts += [("  ", ""), *spans(clean_line(finding.message), "dim"), ("\n", "")]
    return styled(*parts)


_PANEL_IDS = ("left", "right")
_PANEL_ROLES = ("ember", "steel")


class JudgeComparisonScreen(GameScreen):
    """Every criterion as both judges see it; the one under the cursor in full.

    Args:
        packs: The pack as it is saved, and as it is drafted.
        sources: The submissions to choose from.
        first_id: The id of the first one to show.
    """

    CSS_PATH = "judge_comparison.tcss"
    NAME = "Two judges"
    HELP_TEXT = """
Two judges on the same submission and the same evidence. `1` and `2` choose the judge on the left and on the right: the
forge, by the rubric before or after your changes, or a model. `n` and `p` switch submissions.

A model is asked only when you press enter, and you see the price first. A diamond marks where the two differ.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ask", "ask", key_display="⏎", id="duel.ask", priority=True),
        Binding("enter", "evidence(0)", "evidence", key_display="⏎", id="duel.evidence_enter"),
        Binding("1", "judge(0)", "left judge", id="duel.left"),
        Binding("2", "judge(1)", "right judge", id="duel.right"),
        Binding("n", "hand_in(1)", "next submission", id="duel.next"),
        Binding("p", "hand_in(-1)", "previous submission", show=False, id="duel.previous"),
        Binding("e", "evidence(0)", "evidence", id="duel.evidence"),
        Binding("E", "evidence(1)", "evidence on the right", show=False, id="duel.evidence_right"),
        Binding("pageup", "page(-1)", "page up", show=False, id="duel.page_up", priority=True),
        Binding("pagedown", "page(1)", "page down", show=False, id="duel.page_down", priority=True),
        Binding("escape", "back", "back", id="duel.back"),
    ]

    def __init__(self, packs: tuple[BossPack, BossPack], sources: Sequence[LabSubmission], first_id: str) -> None:
        super().__init__()
        self._packs, self._sources = packs, list(sources)
        self._source_index = next((index for index, source in enumerate(sources) if source.id == first_id), 0)
        self._submission: LabSubmission | None = None
        self._problem = ""
        self._choices: list[JudgeChoice] = []
        self._choice_indexes = [0, 0]
        self._answers: list[JudgeAnswer | None] = [None, None]
        self._status_texts = ["", ""]

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the criteria and both answers."""
        yield Heading(id="heading")
        yield Rows(opens="", id="criteria")
        with Horizontal(id="sides"):
            for name in _PANEL_IDS:
                yield Panel(id=name)

    def on_mount(self) -> None:
        """Start with the most common pair: before and after, or the forge and a model."""
        models = self._models
        names = ["forge"] if self._packs[0].rubric_hash == self._packs[1].rubric_hash else ["before", "after"]
        if not model_unavailable_reason(models):
            many = [f"claude:{model}" for model in models.models_to_ask] if len(models.models_to_ask) > 1 else []
            names += [*(many or ["claude"]), "panel"]
        elif len(names) == 1:
            names.append("claude")
        self._choices = [parse_judge(name) for name in names]
        self._choice_indexes = [0, 1]
        self.query_one(Rows).focus()
        self._load_submission()

    @property
    def _models(self) -> ModelOptions:
        return self.session.services.models or ModelOptions()

    def _choice(self, pane: int) -> JudgeChoice:
        return self._choices[self._choice_indexes[pane]]

    # The submission

    def action_hand_in(self, step: int) -> None:
        """Compare the judges on the next submission."""
        if self._sources:
            self._source_index = (self._source_index + step) % len(self._sources)
            self._load_submission()

    @work(exclusive=True, group="take", exit_on_error=False)
    async def _load_submission(self) -> None:
        """Get the evidence of a submission; its code is run only if there is no evidence yet."""
        self.workers.cancel_group(self, "ask")  # pyright: ignore[reportUnknownMemberType]
        self._submission, self._problem = None, ""
        self._answers = [None, None]
        if not self._sources:
            self._problem = "There is no exemplar or past attempt to judge."
            self._show_all()
            return
        self._status_texts = ["measuring ..."] * 2
        self._show_all()
        options = self.session.services.options(practice=True)
        try:
            source = self._sources[self._source_index]
            self._submission = await measure_source(source, self._packs[0], await self.session.engine(), options)
        except EvalForgeError as error:
            self._problem = problem(error)
        for pane in (0, 1):
            self._start_judge(pane)
        self._show_all()

    # The judges

    def action_judge(self, pane: int) -> None:
        """Switch to the next judge in one pane."""
        self._choice_indexes[pane] = (self._choice_indexes[pane] + 1) % len(self._choices)
        self._answers[pane] = None
        self._start_judge(pane)
        self._show_all()

    def _start_judge(self, pane: int) -> None:
        """Get the answer of a free or unavailable judge at once; show the price of any other."""
        choice, submission = self._choice(pane), self._submission
        self._status_texts[pane] = self._problem
        if submission is None:
            return
        if choice.is_free or model_unavailable_reason(choice.options(self._models)):
            self._get_answer(pane, choice, submission)
        else:
            self._status_texts[pane] = f"{self.game.look.glyphs.enter} asks"
            self._show_price(pane, choice, submission)

    @work(group="price", exit_on_error=False)
    async def _show_price(self, pane: int, choice: JudgeChoice, submission: LabSubmission) -> None:
        estimate = await estimate_cost(
            self._packs[0], submission.submission, choice.judge, choice.options(self._models)
        )
        if self._choice(pane) is choice and self._answers[pane] is None and self._submission is submission:
            self._status_texts[pane] = f"{self.game.look.glyphs.enter} asks, {estimate.price_words}"
            self._show_all()

    def action_ask(self) -> None:
        """Ask every model that hasn't answered yet."""
        for pane in (0, 1):
            choice = self._choice(pane)
            if self._submission is not None and self._answers[pane] is None and not choice.is_free:
                self._status_texts[pane] = "asking ..."
                self._get_answer(pane, choice, self._submission)
        self._show_all()

    @work(group="ask", exit_on_error=False)
    async def _get_answer(self, pane: int, choice: JudgeChoice, submission: LabSubmission) -> None:
        ask = ask_through_engine(self.session.engine)
        answer = await judge_submission(choice, submission, self._packs, self._models, ask)
        if self._choice(pane) is choice and self._submission is submission:
            self._answers[pane] = answer
            self._show_all()
            self._point_at_first_difference()

    # Display

    def _title(self, pane: int) -> str:
        """The judge of a pane, with the models it asks."""
        choice = self._choice(pane)
        has_own_models = choice.is_free or choice.models
        models = "" if has_own_models else ", ".join(self._models.models_to_ask)
        return clean_line(f"{choice.name or choice.judge} {models}".strip())

    def _show_all(self) -> None:
        if not self.is_mounted or not self._choices:
            return
        about = self._packs[0].definition
        name = self._sources[self._source_index].name if self._sources else ""
        self.query_one(Heading).set_text(
            [("TWO JUDGES  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")],
            [(name, "bold ash"), (f"  {self._source_index + 1} of {len(self._sources)}", "dim")],
        )
        # The criteria of a judge that has not answered yet are shown, too.
        answers = [answer or JudgeAnswer(self._choice(pane)) for pane, answer in enumerate(self._answers)]
        rows = pairing_rows(pair_criteria(self._packs, (answers[0], answers[1])), self.game.look.glyphs)
        states = [
            state_words(answer, self._status_texts[pane], self._packs[self._choice(pane).by_draft].rubric)
            for pane, answer in enumerate(self._answers)
        ]
        criteria = self.query_one("#criteria", Rows)
        criteria.show([head_row((self._title(0), self._title(1)), (states[0], states[1])), *rows])
        self._show_judgements()
        self.refresh_bindings()

    @on(Rows.Pointed, "#criteria")
    def _show_judgements(self) -> None:
        criterion = self._criterion()
        if criterion is None:
            return
        for pane, name in enumerate(_PANEL_IDS):
            title = (self._title(pane), _PANEL_ROLES[pane])
            status = self._status_texts[pane]
            text = judge_text(title, self._answers[pane], criterion, status, self.game.look.glyphs)
            self.query_one(f"#{name}", Panel).set_text(text)

    def _point_at_first_difference(self) -> None:
        """Move the cursor to the first criterion on which the judges differ."""
        first, other = self._answers
        if first is not None and other is not None:
            first_difference = next((pair for pair in pair_criteria(self._packs, (first, other)) if pair.differs), None)
            if first_difference is not None:
                self.query_one("#criteria", Rows).point(first_difference.criterion.id)

    @on(Rows.Opened, "#criteria")
    def _open_evidence(self) -> None:
        self.action_evidence(0)

    def _criterion(self) -> Criterion | None:
        criterion_id = self.query_one("#criteria", Rows).key
        criteria = {criterion.id: criterion for pack in self._packs[::-1] for criterion in pack.rubric.criteria}
        return criteria.get(criterion_id) or next(iter(self._packs[0].rubric.criteria), None)

    # Other actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only actions that have something to act on."""
        if action == "ask":
            return any(
                answer is None and self._choices and not self._choice(pane).is_free and not self._problem
                for pane, answer in enumerate(self._answers)
            )
        if action == "evidence":
            answer = self._answers[cast("int", parameters[0])] if parameters else None
            return answer is not None and answer.judged is not None
        return len(self._sources) > 1 if action == "hand_in" else True

    def action_evidence(self, pane: int) -> None:
        """Open the evidence of one pane's judgement, with its lines of code."""
        answer, submission, criterion = self._answers[pane], self._submission, self._criterion()
        if answer is None or answer.judged is None or submission is None or criterion is None:
            return
        pack = self._packs[answer.choice.by_draft]
        self.navigator.open_evidence(judged_by(pack, answer.judged.judgements, submission), criterion.id)

    def action_page(self, pages: int) -> None:
        """Scroll both texts by pages."""
        for name in _PANEL_IDS:
            panel = self.query_one(f"#{name}", Panel)
            panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)


def open_judge_comparison(game: "GameApp", pack: BossPack) -> None:
    """Open two judges on one of the submissions to a boss, the newest attempt first."""
    sources = comparison_sources(game.session.history(), pack)
    first_id = sources[0].id if sources else ""
    game.push_screen(JudgeComparisonScreen((pack, pack), sources, first_id))
