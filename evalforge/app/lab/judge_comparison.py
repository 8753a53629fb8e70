"""Two judges side by side on one hand-in: levels, comments, quotes, and what the evidence bounded."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar, cast

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from evalforge.app.judged_submission import judged_now
from evalforge.app.lab.judge_comparison_text import head_row, judge_text, pairing_rows, state_words
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.judges.base import Case
from evalforge.judges.registry import estimate_cost, model_unavailable_reason
from evalforge.lab.evidence_cache import EvidenceCache
from evalforge.lab.judge_pair import JudgeAnswer, JudgeChoice, judge_submission, pair_criteria, parse_judge
from evalforge.lab.submissions import MeasuredSubmission, SubmissionSource, measure_source
from evalforge.llm.options import ModelOptions
from evalforge.model.errors import EvalForgeError
from evalforge.model.events import Event
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean_line
from evalforge.packs.pack import BossPack

_SIDES = ("left", "right")
_INKS = ("ember", "steel")


class DuelScreen(GameScreen):
    """Every criterion as both see it; the one under the cursor in full.

    Args:
        packs: The pack as it is saved, and as it is drafted.
        sources: Hand-ins to choose from.
        chosen: The one to begin with.
        state: The folder of our state.
    """

    CSS_PATH = "judge_comparison.tcss"
    NAME = "Two judges"
    HELP_TEXT = """
Two judges on one hand-in, from the same evidence. `1` and `2` choose who judges on either side: the forge, by the
rubric before and after your changes, or models. `n` and `p` go through the hand-ins.

A model is asked only when you press enter, and you see before what it costs. A diamond marks where they differ.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ask", "ask", key_display="⏎", id="duel.ask", priority=True),
        Binding("enter", "evidence(0)", "evidence", key_display="⏎", id="duel.evidence_enter"),
        Binding("1", "judge(0)", "left judge", id="duel.left"),
        Binding("2", "judge(1)", "right judge", id="duel.right"),
        Binding("n", "hand_in(1)", "next hand-in", id="duel.next"),
        Binding("p", "hand_in(-1)", "previous hand-in", show=False, id="duel.previous"),
        Binding("e", "evidence(0)", "evidence", id="duel.evidence"),
        Binding("E", "evidence(1)", "evidence on the right", show=False, id="duel.evidence_right"),
        Binding("pageup", "page(-1)", "page up", show=False, id="duel.page_up", priority=True),
        Binding("pagedown", "page(1)", "page down", show=False, id="duel.page_down", priority=True),
        Binding("escape", "back", "back", id="duel.back"),
    ]

    def __init__(
        self, packs: tuple[BossPack, BossPack], sources: Sequence[SubmissionSource], chosen: str, state: Path
    ) -> None:
        super().__init__()
        self._packs, self._sources = packs, list(sources)
        self._at = next((at for at, source in enumerate(sources) if source.id == chosen), 0)
        self._cache = EvidenceCache(state, packs[0].trials_hash)
        self._exhibit: MeasuredSubmission | None = None
        self._problem = ""
        self._options: list[JudgeChoice] = []
        self._who = [0, 0]
        self._said: list[JudgeAnswer | None] = [None, None]
        self._pending = ["", ""]

    def body(self) -> Iterable[Widget]:
        """Heading, criteria, both sides."""
        yield Heading(id="heading")
        yield Rows(opens="", id="criteria")
        with Horizontal(id="sides"):
            for name in _SIDES:
                yield Panel(id=name)

    def on_mount(self) -> None:
        """Begin with the two that are asked for most: before and after, or the forge and a model."""
        models = self._models
        names = ["forge"] if self._packs[0].rubric_hash == self._packs[1].rubric_hash else ["before", "after"]
        named = [f"claude:{model}" for model in models.models_to_ask] if len(models.models_to_ask) > 1 else ["claude"]
        self._options = [parse_judge(name) for name in (*names, *named, "panel")]
        self._who = [0, 1]
        self.query_one(Rows).focus()
        self._take()

    @property
    def _models(self) -> ModelOptions:
        return self.session.services.models or ModelOptions()

    def _contender(self, side: int) -> JudgeChoice:
        return self._options[self._who[side]]

    # The hand-in

    def action_hand_in(self, step: int) -> None:
        """Another hand-in."""
        if self._sources:
            self._at = (self._at + step) % len(self._sources)
            self._take()

    @work(exclusive=True, group="take", exit_on_error=False)
    async def _take(self) -> None:
        """Get the evidence of a hand-in; its code is run only if nothing is known of it."""
        self.workers.cancel_group(self, "ask")  # pyright: ignore[reportUnknownMemberType]
        self._exhibit, self._problem = None, ""
        self._said = [None, None]
        if not self._sources:
            self._problem = "There is no exemplar and no past attempt to judge."
            self._tell()
            return
        self._pending = ["measuring ..."] * 2
        self._tell()
        options = self.session.services.options(practice=True)
        try:
            source = self._sources[self._at]
            self._exhibit = await measure_source(source, self._packs[0], self._cache, self.session.engine, options)
        except EvalForgeError as error:
            self._problem = problem(error)
        for side in (0, 1):
            self._begin(side)
        self._tell()

    # The judges

    def action_judge(self, side: int) -> None:
        """The next judge on one side."""
        self._who[side] = (self._who[side] + 1) % len(self._options)
        self._said[side] = None
        self._begin(side)
        self._tell()

    def _begin(self, side: int) -> None:
        """Have a judge that is free, or can't be had, speak at once; say what the others cost."""
        who, shown = self._contender(side), self._exhibit
        self._pending[side] = self._problem
        if shown is None:
            return
        if who.is_free or model_unavailable_reason(self._chosen_models(who)):
            self._speak(side, who, shown)
        else:
            self._pending[side] = f"{self.game.look.glyphs.enter} asks"
            self._price(side, who, shown)

    def _chosen_models(self, who: JudgeChoice) -> ModelOptions:
        from dataclasses import replace

        return replace(self._models, models=who.models) if who.models else self._models

    @work(group="price", exit_on_error=False)
    async def _price(self, side: int, who: JudgeChoice, shown: MeasuredSubmission) -> None:
        found = await estimate_cost(self._packs[0], shown.submission, who.judge, self._chosen_models(who))
        if self._contender(side) is who and self._said[side] is None and self._exhibit is shown:
            self._pending[side] = f"{self.game.look.glyphs.enter} asks, {found.price_words}"
            self._tell()

    def action_ask(self) -> None:
        """Ask every model that hasn't spoken yet."""
        for side in (0, 1):
            who = self._contender(side)
            if self._exhibit is not None and self._said[side] is None and not who.is_free:
                self._pending[side] = "asking ..."
                self._speak(side, who, self._exhibit)
        self._tell()

    @work(group="ask", exit_on_error=False)
    async def _speak(self, side: int, who: JudgeChoice, shown: MeasuredSubmission) -> None:
        said = await judge_submission(who, shown, self._packs, self._models, self._ask)
        if self._contender(side) is who and self._exhibit is shown:
            self._said[side] = said
            self._tell()
            self._point_at_a_difference()

    async def _ask(self, name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
        """The forge needs no fire; what models cost is the session's."""
        if name == "forge":
            from evalforge.judges.forge import ForgeJudge

            stream = ForgeJudge().judge(case)
        else:
            fighter = await self.session.engine()
            stream = fighter.judge(name, models, case)
        async with aclosing(stream) as events:
            async for event in events:
                yield event

    # Telling

    def _titles(self) -> tuple[str, str]:
        def title(side: int) -> str:
            who = self._contender(side)
            models = ", ".join(self._chosen_models(who).models_to_ask) if not who.is_free else ""
            return clean_line(" ".join(part for part in (who.name or who.judge, "" if who.models else models) if part))

        return title(0), title(1)

    def _tell(self) -> None:
        if not self.is_mounted or not self._options:
            return
        title = self._packs[0].definition
        name = self._sources[self._at].name if self._sources else ""
        self.query_one(Heading).set_text(
            [("TWO JUDGES  ", "bold ember"), (title.title, f"bold {title.metadata.accent}")],
            [(name, "bold ash"), (f"  {self._at + 1} of {len(self._sources)}", "dim")],
        )
        # A side that has not spoken yet still shows its criteria.
        shown = tuple(side or JudgeAnswer(self._contender(at)) for at, side in enumerate(self._said))
        rows = pairing_rows(pair_criteria(self._packs, (shown[0], shown[1])), self.game.look.glyphs)
        lines = [self._packs[self._contender(at).by_draft].rubric.overall.pass_threshold for at in (0, 1)]
        states = tuple(state_words(side, self._pending[at], lines[at]) for at, side in enumerate(self._said))
        criteria = self.query_one("#criteria", Rows)
        criteria.show([head_row(self._titles(), (states[0], states[1])), *rows])
        self._tell_sides()
        self.refresh_bindings()

    @on(Rows.Pointed, "#criteria")
    def _tell_sides(self) -> None:
        criterion = self._criterion()
        if criterion is None:
            return
        for at, name in enumerate(_SIDES):
            title = (self._titles()[at], _INKS[at])
            story = judge_text(title, self._said[at], criterion, self._pending[at], self.game.look.glyphs)
            self.query_one(f"#{name}", Panel).set_text(story)

    def _point_at_a_difference(self) -> None:
        """Where they first differ is what one wants to read."""
        one, other = self._said
        if one is not None and other is not None:
            apart = next((pair for pair in pair_criteria(self._packs, (one, other)) if pair.differs), None)
            if apart is not None:
                self.query_one("#criteria", Rows).point(apart.criterion.id)

    @on(Rows.Opened, "#criteria")
    def _open(self) -> None:
        self.action_evidence(0)

    def _criterion(self) -> Criterion | None:
        wanted = self.query_one("#criteria", Rows).key
        known = {criterion.id: criterion for pack in self._packs[::-1] for criterion in pack.rubric.criteria}
        return known.get(wanted) or next(iter(self._packs[0].rubric.criteria), None)

    # What else can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what there is something for."""
        if action == "ask":
            return any(
                said is None and self._options and not self._contender(at).is_free and not self._problem
                for at, said in enumerate(self._said)
            )
        if action == "evidence":
            said = self._said[cast("int", parameters[0])] if parameters else None
            return said is not None and said.judged is not None
        return len(self._sources) > 1 if action == "hand_in" else True

    def action_evidence(self, side: int) -> None:
        """What one side's judgement stands on, with its lines of code."""
        said, shown, criterion = self._said[side], self._exhibit, self._criterion()
        if said is None or said.judged is None or shown is None or criterion is None:
            return
        pack = self._packs[said.choice.by_draft]
        judged = judged_now(pack, said.judged.judgements, shown.evidence, shown.submission, shown.directory)
        self.navigator.open_evidence(judged, criterion.id)

    def action_page(self, pages: int) -> None:
        """Scroll what both say."""
        for name in _SIDES:
            panel = self.query_one(f"#{name}", Panel)
            panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)
