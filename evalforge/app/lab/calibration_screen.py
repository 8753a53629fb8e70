"""How well a judge agrees with gold, or with another judge, as pictures; every disagreement can be opened."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from evalforge.app.judged_submission import judged_now
from evalforge.app.lab.calibration_rows import NOTHING, bars, difference_rows, key_of
from evalforge.app.lab.confusion_table import ConfusionView
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.interval_bars import IntervalBars
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.judges.availability import model_unavailable_reason
from evalforge.judges.base import Case
from evalforge.judges.forge import ForgeJudge
from evalforge.judges.registry import estimate_cost
from evalforge.lab.calibration_runs import (
    CalibrationRun,
    CalibrationRunStore,
    LevelDifference,
    differences_between,
    differences_from_gold,
    figures_of_all,
    figures_of_criterion,
    forge_run,
    rate_run,
    run_judge,
)
from evalforge.lab.judge_pair import parse_judge
from evalforge.lab.submissions import MeasuredSubmission
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import EvalForgeError
from evalforge.model.events import Event
from evalforge.model.text import clean_line
from evalforge.packs.pack import BossPack

TABS = ("confusion", "agreement", "differences")
GOLD = "gold"


class CalibrationScreen(TabScreen):
    """One judge compared with gold or another run, over the exemplars.

    Args:
        packs: The pack as it is saved, and as it is drafted.
        exhibits: Exemplars with gold.
        state: EvalForge's state folder, in which models' runs are stored.
    """

    CSS_PATH = "calibration_screen.tcss"
    NAME = "Calibration"
    HELP_TEXT = """
Readers gave the gold levels from the rubric's words alone. In each table, gold is in the rows and the judge in the
columns; the two disagree wherever a number is off the diagonal. The shaded part of a bar is its 95 % interval: where
the figure would fall 19 times out of 20 with other exemplars of the same kind.

`j` chooses the judge, `o` what to compare it with: gold, or another judge. `r` runs claude on the exemplars,
`R` a panel. Their rounds are kept, so you can compare two rounds of one panel. Enter opens the code behind a
disagreement.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "turn_judge", "judge", id="calibration.judge", priority=True),
        Binding("o", "turn_against", "against", id="calibration.against"),
        Binding("r", "round('claude')", "ask claude", id="calibration.round"),
        Binding("R", "round('panel')", "ask a panel", show=False, id="calibration.panel"),
        *tab_keys("calibration", TABS),
        Binding("escape", "back", "back", id="calibration.back"),
    ]

    def __init__(self, packs: tuple[BossPack, BossPack], exhibits: Sequence[MeasuredSubmission], state: Path) -> None:
        super().__init__()
        self._packs, self._exhibits = packs, list(exhibits)
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
        self._show()
        self.call_after_refresh(self._show_tab, TabBar.TabOpened(TABS[0]))

    def _forge_runs(self) -> list[tuple[str, CalibrationRun]]:
        info = ForgeJudge().info
        saved, drafted = self._packs
        if saved.rubric_hash == drafted.rubric_hash:
            return [("forge", forge_run(saved, self._exhibits, info))]
        return [
            ("forge, as saved", forge_run(saved, self._exhibits, info)),
            ("forge, as drafted", forge_run(drafted, self._exhibits, info)),
        ]

    def _load_runs(self) -> None:
        hashes = {pack.rubric_hash for pack in self._packs}
        stored = [
            (one.name if one.rubric_hash in hashes else f"{one.name}, another rubric", one)
            for one in self._run_store.load_all()
        ]
        self._runs = [*self._forge_runs(), *stored]

    @property
    def _pack(self) -> BossPack:
        """The pack whose levels are shown: the draft, unless the run was judged by the saved pack."""
        judged_by = self._runs[self._run_index][1].rubric_hash
        return self._packs[0] if judged_by == self._packs[0].rubric_hash else self._packs[1]

    # Pictures

    @work(exclusive=True, group="figures", exit_on_error=False)
    async def _show(self) -> None:
        """Show everything about this judge; intervals take a moment, so they are drawn when ready."""
        self._show_who()
        run = self._runs[self._run_index][1]
        other_run = self._runs[self._other_index][1] if self._other_index >= 0 else None
        pack = self._pack
        self._show_differences(run, other_run)
        units = rate_run(pack, self._exhibits, run, other_run)
        tables = [
            await asyncio.to_thread(figures_of_criterion, pack, units, criterion.id)
            for criterion in pack.rubric.criteria
        ]
        labels = [tuple(level.label for level in criterion.levels) for criterion in pack.rubric.criteria]
        rows = "gold" if other_run is None else "other"
        self.query_one(ConfusionView).show(list(zip(tables, labels, strict=True)), rows, "judged")
        overall = await asyncio.to_thread(figures_of_all, units)
        self.query_one(IntervalBars).show(bars(overall, tables))

    def _show_who(self) -> None:
        about = self._packs[0].definition
        self.query_one("#heading", Heading).set_text(
            [("CALIBRATION  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")],
            [(self._busy or plural(len(self._exhibits), "exemplar"), "ember" if self._busy else "dim")],
        )
        other = GOLD if self._other_index < 0 else self._runs[self._other_index][0]
        self.query_one("#who", Heading).set_text(
            [(self._runs[self._run_index][0], "bold ash"), ("  against  ", "dim"), (other, "bold molten")]
        )

    def _show_differences(self, run: CalibrationRun, other_run: CalibrationRun | None) -> None:
        differences = (
            differences_from_gold(self._exhibits, run)
            if other_run is None
            else differences_between(self._exhibits, other_run, run)
        )
        self._difference_by_key = {key_of(difference): difference for difference in differences}
        other = GOLD if other_run is None else "the other"
        rows = difference_rows(self._pack, differences, run, other, self.game.look.glyphs)
        self.query_one("#differences", Rows).show(rows)
        of = sum(map(len, run.judged.values()))
        count: list[Run] = [("WHERE THEY DIFFER", "bold ember"), (f"  {len(differences)} of {of}", "dim")]
        self.query_one("#count", Heading).set_text(count)
        self.refresh_bindings()

    # Actions

    def action_turn_judge(self) -> None:
        """Show the next judge's run."""
        self._run_index = (self._run_index + 1) % len(self._runs)
        if self._other_index == self._run_index:
            self._other_index = -1
        self._show()

    def action_turn_against(self) -> None:
        """Compare with the next reference: gold, then every other run."""
        indices = [-1, *(at for at in range(len(self._runs)) if at != self._run_index)]
        self._other_index = indices[(indices.index(self._other_index) + 1) % len(indices)]
        self._show()

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
        listed = event.name == "differences" or self.has_class("-wide")
        self.query_one("#differences" if listed else "#confusion").focus()

    @on(Rows.Opened, "#differences")
    def _open(self, event: Rows.Opened) -> None:
        """Open the exemplar behind a disagreement: its reason, its evidence, its lines."""
        difference = self._difference_by_key.get(event.key)
        exhibit = next(
            (exhibit for exhibit in self._exhibits if difference and exhibit.id == difference.submission_id), None
        )
        if difference is None or exhibit is None or event.key == NOTHING:
            return
        judgements = self._runs[self._run_index][1].judged[exhibit.id]
        judged_submission = judged_now(self._pack, judgements, exhibit.evidence, exhibit.submission, exhibit.directory)
        self.navigator.open_evidence(judged_submission, difference.criterion_id)

    # Models' runs

    def action_round(self, judge: str) -> None:
        """Have a model judge all exemplars, once the user has accepted the price."""
        models = self.session.services.models or ModelOptions()
        why_not = model_unavailable_reason(models)
        if why_not:
            self.notify(clean_line(why_not), title=f"No {judge} judge", severity="warning", markup=False)
        elif not self._busy and self._exhibits:
            self._confirm_price(judge, models)

    @work(group="round", exit_on_error=False)
    async def _confirm_price(self, judge: str, models: ModelOptions) -> None:
        first = await estimate_cost(self._packs[1], self._exhibits[0].submission, judge, models)
        text = f"{plural(len(self._exhibits), 'exemplar')}, each {first.price_words}. The round is kept."
        screen = ConfirmScreen(f"Ask {judge}?", text, "ask")

        def agreed(yes: bool | None) -> None:
            if yes:
                self._run_judge(judge, models)

        self.game.push_screen(screen, agreed)

    @work(exclusive=True, group="play", exit_on_error=False)
    async def _run_judge(self, judge: str, models: ModelOptions) -> None:
        def show_status(text: str) -> None:
            self._busy = text
            self._show_who()

        try:
            run = await run_judge(
                parse_judge(judge), self._packs[1], self._exhibits, models, self._stream_answer, show_status
            )
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
            self._show_who()
        self._load_runs()
        self._run_index, self._other_index = len(self._forge_runs()), -1
        self._show()

    async def _stream_answer(self, name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
        fighter = await self.session.engine()
        async with aclosing(fighter.judge(name, models, case)) as events:
            async for event in events:
                yield event
