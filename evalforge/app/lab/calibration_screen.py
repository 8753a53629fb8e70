"""How well a judge agrees with gold, or with another judge, as pictures; every disagreement can be opened."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from evalforge.app.lab.confusion_table import ConfusionView
from evalforge.app.lab.judging import ask_through_engine, judged_by
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.interval_bars import IntervalBar, IntervalBars
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.calibration.figures import CriterionFigures, OverallFigures, criterion_figures, overall_figures
from evalforge.judges.availability import model_unavailable_reason
from evalforge.judges.forge import ForgeJudge
from evalforge.judges.registry import estimate_cost
from evalforge.lab.calibration_runs import (
    CalibrationRun,
    CalibrationRunStore,
    LevelDifference,
    forge_run,
    level_differences,
    rate_run,
    run_judge,
)
from evalforge.lab.judge_pair import parse_judge
from evalforge.lab.submissions import LabSubmission
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean_line
from evalforge.packs.pack import BossPack

# A calibration as bars and rows.

_MAX_REASON_LINES = 5
"""The most lines of a reason in a row; opening the row shows all of it."""


def agreement_bars(overall: OverallFigures, criteria: Sequence[CriterionFigures]) -> list[IntervalBar | None]:
    """Draw the agreement over all criteria first, then the exact agreement on each."""
    return [
        IntervalBar("exact agreement", overall.exact, is_head=True),
        IntervalBar("at most one level off", overall.adjacent),
        IntervalBar("weighted kappa", overall.quadratic_kappa, is_share=False),
        IntervalBar("passes or not", overall.pass_agreement),
        None,
        *(IntervalBar(figures.label, figures.exact) for figures in criteria),
    ]


def difference_key(difference: LevelDifference) -> str:
    """The key of a difference's row."""
    return f"{difference.submission_id} {difference.criterion_id}"


def difference_rows(
    pack: BossPack, differences: Sequence[LevelDifference], run: CalibrationRun, reference: str, glyphs: Glyphs
) -> list[Row]:
    """List each disagreement: the submission, the criterion, and the reason for gold.

    Args:
        pack: The pack whose levels are named.
        differences: The disagreements.
        run: The run that disagrees.
        reference: The name of what it is compared with.
        glyphs: The signs to draw with.
    """
    if not differences:
        calm: Line = ((f"{glyphs.passed} ", "verdigris"), ("No disagreements.", "ash"))
        return [Row("", lambda _width: [calm], is_static=True)]
    criteria = {criterion.id: criterion for criterion in pack.rubric.criteria}
    rows: list[Row] = []
    for index, difference in enumerate(differences):
        rows.append(_row(difference, criteria.get(difference.criterion_id), run, reference, glyphs))
        rows.append(Row(str(index), lambda _width: [()], is_static=True))
    return rows[:-1]


def _row(
    difference: LevelDifference, criterion: Criterion | None, run: CalibrationRun, reference: str, glyphs: Glyphs
) -> Row:
    def build(width: int) -> list[Line]:
        name = clean_line(criterion.label if criterion else difference.criterion_id)
        submission_id = clean_line(difference.submission_id)
        expected, judged = _level(criterion, difference.expected), _level(criterion, difference.judged)
        levels = f"{reference} {expected} {glyphs.arrow} judged {judged}"
        judgement = run.judgement(difference.submission_id, difference.criterion_id)
        text_width = max(10, width - 2)
        lines: list[Line] = [
            ((f"{submission_id}  ", "bold ash"), (fit(name, max(0, width - len(submission_id) - 2)), "dim")),
            (("  ", ""), (fit(levels, text_width), "ember")),
        ]
        reasons = [f"Gold: {difference.gold_reason}"] if difference.gold_reason else []
        reasons += [f"Judge: {judgement.comment}"] if judgement is not None else []
        reason_lines = [
            line
            for reason in reasons
            for line in wrap_runs(mark_code(reason, "dim"), text_width, _MAX_REASON_LINES, glyphs.ellipsis)
        ]
        return [*lines, *((("  ", ""), *line) for line in reason_lines)]

    return Row(difference_key(difference), build)


def _level(criterion: Criterion | None, score: float) -> str:
    label = clean_line(criterion.level_label(score)) if criterion else ""
    return f"{format_number(score)} {label}".strip()


TABS = ("confusion", "agreement", "differences")
GOLD = "gold"


class CalibrationScreen(TabScreen):
    """One judge compared with gold or another run, over the exemplars.

    Args:
        packs: The pack as it is saved, and as it is drafted.
        exemplars: Measured exemplars with gold.
        state: EvalForge's state folder, in which models' runs are stored.
    """

    CSS_PATH = "calibration_screen.tcss"
    NAME = "Calibration"
    HELP_TEXT = """
Readers gave the gold levels from the rubric's words alone. In each table, gold is in the rows and the judge in the
columns; the two disagree wherever a number is off the diagonal. The shaded part of a bar is its 95 % interval: where
the figure would fall 19 times out of 20 with other exemplars of the same kind.

`j` chooses the judge, `a` what to compare it with: gold, or another judge. `c` runs claude on the exemplars,
`C` a panel. Their rounds are kept, so you can compare two rounds of one panel. Enter opens the code behind a
disagreement.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "turn_judge", "judge", id="calibration.judge", priority=True),
        Binding("a", "turn_against", "against", id="calibration.against"),
        Binding("c", "round('claude')", "ask claude", id="calibration.round"),
        Binding("C", "round('panel')", "ask a panel", show=False, id="calibration.panel"),
        *tab_keys("calibration", TABS),
        Binding("escape", "back", "back", id="calibration.back"),
    ]

    def __init__(self, packs: tuple[BossPack, BossPack], exemplars: Sequence[LabSubmission], state: Path) -> None:
        super().__init__()
        self._packs, self._exemplars = packs, {exemplar.id: exemplar for exemplar in exemplars}
        self._run_store = CalibrationRunStore(state, packs[0].boss_id)
        self._runs: list[tuple[str, CalibrationRun]] = []
        self._run_index, self._other_index = 0, -1
        self._difference_by_key: dict[str, LevelDifference] = {}
        self._busy = ""

    def body(self) -> Iterable[Widget]:
        """Compose heading, the compared judges, pictures, disagreements."""
        yield Heading(id="heading")
        yield Heading(id="who")
        yield TabBar(TABS, TABS[0], id="tabs")
        with Horizontal(id="page"):
            yield ConfusionView(id="confusion")
            with Vertical(id="right"):
                yield IntervalBars(id="bars")
                yield Heading(id="count")
                yield Rows(id="differences")

    def on_mount(self) -> None:
        """Show the forge against the gold levels."""
        self.query_one("#bars").add_class("agreement")
        for name in ("#count", "#differences"):
            self.query_one(name).add_class("differences")
        self._load_runs()
        self._run_index = len(self._forge_runs()) - 1
        self._show_run()
        self.call_after_refresh(self._show_tab, TabBar.TabOpened(TABS[0]))

    def _forge_runs(self) -> list[tuple[str, CalibrationRun]]:
        info = ForgeJudge().info
        saved, drafted = self._packs
        names = (
            {"forge": saved}
            if saved.rubric_hash == drafted.rubric_hash
            else {"forge, as saved": saved, "forge, as drafted": drafted}
        )
        return [(name, forge_run(pack, self._submissions, info)) for name, pack in names.items()]

    def _load_runs(self) -> None:
        hashes = {pack.rubric_hash for pack in self._packs}
        stored = [
            (run.name if run.rubric_hash in hashes else f"{run.name}, another rubric", run)
            for run in self._run_store.load_all()
        ]
        self._runs = [*self._forge_runs(), *stored]

    @property
    def _submissions(self) -> list[LabSubmission]:
        return list(self._exemplars.values())

    @property
    def _pack(self) -> BossPack:
        """The pack whose levels are shown: the draft, unless the run was judged by the saved pack."""
        judged_by = self._runs[self._run_index][1].rubric_hash
        return self._packs[0] if judged_by == self._packs[0].rubric_hash else self._packs[1]

    # Pictures

    @work(exclusive=True, group="figures", exit_on_error=False)
    async def _show_run(self) -> None:
        """Show everything about this judge; intervals take a moment, so they are drawn when ready."""
        self._show_judge_names()
        run = self._runs[self._run_index][1]
        other_run = self._runs[self._other_index][1] if self._other_index >= 0 else None
        pack = self._pack
        self._show_differences(run, other_run)
        ratings = rate_run(pack, self._submissions, run, other_run)
        figures = [
            await asyncio.to_thread(criterion_figures, ratings, pack.boss_id, criterion)
            for criterion in pack.rubric.criteria
        ]
        labels = [tuple(level.label for level in criterion.levels) for criterion in pack.rubric.criteria]
        rows_name = "gold" if other_run is None else "other"
        self.query_one(ConfusionView).show(list(zip(figures, labels, strict=True)), rows_name, "judged")
        overall = await asyncio.to_thread(overall_figures, ratings)
        self.query_one(IntervalBars).show(agreement_bars(overall, figures))

    def _show_judge_names(self) -> None:
        about = self._packs[0].definition
        self.query_one("#heading", Heading).set_text(
            [("CALIBRATION  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")],
            [(self._busy or plural(len(self._exemplars), "exemplar"), "ember" if self._busy else "dim")],
        )
        reference = GOLD if self._other_index < 0 else self._runs[self._other_index][0]
        self.query_one("#who", Heading).set_text(
            [(self._runs[self._run_index][0], "bold ash"), ("  against  ", "dim"), (reference, "bold molten")]
        )

    def _show_differences(self, run: CalibrationRun, other_run: CalibrationRun | None) -> None:
        differences = level_differences(self._submissions, run, other_run)
        self._difference_by_key = {difference_key(difference): difference for difference in differences}
        reference = GOLD if other_run is None else "the other"
        rows = difference_rows(self._pack, differences, run, reference, self.game.look.glyphs)
        self.query_one("#differences", Rows).show(rows)
        count = f"  {len(differences)} of {sum(map(len, run.judged.values()))}"
        self.query_one("#count", Heading).set_text([("WHERE THEY DIFFER", "bold ember"), (count, "dim")])
        self.refresh_bindings()

    # Actions

    def action_turn_judge(self) -> None:
        """Show the next judge's run."""
        self._run_index = (self._run_index + 1) % len(self._runs)
        if self._other_index == self._run_index:
            self._other_index = -1
        self._show_run()

    def action_turn_against(self) -> None:
        """Compare with the next reference: gold, then every other run."""
        indices = [-1, *(index for index in range(len(self._runs)) if index != self._run_index)]
        self._other_index = indices[(indices.index(self._other_index) + 1) % len(indices)]
        self._show_run()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the keys that change what is shown."""
        if action in ("turn_judge", "turn_against"):
            return len(self._runs) > 1
        if action == "turn":
            return not self.has_class("-wide")
        return True

    @on(TabBar.TabOpened)
    def _show_tab(self, event: TabBar.TabOpened) -> None:
        for name in TABS:
            self.set_class(event.name == name, f"-{name}")
        has_list = event.name == "differences" or self.has_class("-wide")
        self.query_one("#differences" if has_list else "#confusion").focus()

    @on(Rows.Opened, "#differences")
    def _open_evidence(self, event: Rows.Opened) -> None:
        """Open the exemplar behind a disagreement: its reason, its evidence, its lines."""
        difference = self._difference_by_key.get(event.key)
        if difference is not None:
            exemplar = self._exemplars[difference.submission_id]
            judgements = self._runs[self._run_index][1].judged[exemplar.id]
            self.navigator.open_evidence(judged_by(self._pack, judgements, exemplar), difference.criterion_id)

    # Models' runs

    def action_round(self, judge: str) -> None:
        """Have a model judge all exemplars, once the user has accepted the price."""
        models = self.session.services.models or ModelOptions()
        why_not = model_unavailable_reason(models)
        if why_not:
            self.notify(clean_line(why_not), title=f"No {judge} judge", severity="warning", markup=False)
        elif not self._busy and self._exemplars:
            self._confirm_price(judge, models)

    @work(group="round", exit_on_error=False)
    async def _confirm_price(self, judge: str, models: ModelOptions) -> None:
        first = await estimate_cost(self._packs[1], self._submissions[0].submission, judge, models)
        text = f"{plural(len(self._exemplars), 'exemplar')}, each {first.price_words}. The round is kept."
        screen = ConfirmScreen(f"Ask {judge}?", text, "ask")

        def run_if_accepted(is_accepted: bool | None) -> None:
            if is_accepted:
                self._run_judge(judge, models)

        self.game.push_screen(screen, run_if_accepted)

    @work(exclusive=True, group="play", exit_on_error=False)
    async def _run_judge(self, judge: str, models: ModelOptions) -> None:
        def show_status(text: str) -> None:
            self._busy = text
            self._show_judge_names()

        try:
            ask = ask_through_engine(self.session.engine)
            run = await run_judge(parse_judge(judge), self._packs[1], self._submissions, models, ask, show_status)
            if not run.judged:
                reason = next(iter(run.failed.values()), "no comment")
                self.notify(clean_line(reason), title="No exemplar was judged", severity="warning", markup=False)
                return
            self._run_store.save(run)
        except (EvalForgeError, OSError) as error:
            self.notify(problem(error), title="The round failed", severity="error", markup=False)
            return
        finally:
            self._busy = ""
            self._show_judge_names()
        self._load_runs()
        self._run_index, self._other_index = len(self._forge_runs()), -1
        self._show_run()
