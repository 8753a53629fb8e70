"""How well a judge agrees with gold, or with another judge, as pictures; every disagreement can be opened."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget

from evalforge.app.lab.judging import ask_through_engine, judged_by
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.tabs import TabScreen, tab_keys
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.interval_bars import IntervalBar, IntervalBars
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painting import fit, wrap
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

# Which levels a judge and the readers gave: one table for each criterion, gold in rows, judged in columns.

_GAP = 4
_CELL_WIDTH, _MAX_CELL_WIDTH = 6, 12
"""The widths of a cell. They are even: one column stays uncoloured, so the rest has a middle for the digit."""
_LABEL_WIDTH, _MAX_LABEL_WIDTH = 14, 24
_LEAST_COLOUR, _MOST_COLOUR = 0.18, 0.75
"""The least and most colour in a cell's background."""


class ConfusionView(LineScroll):
    """Tables side by side as far as the width allows, then below each other."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._tables: list[tuple[CriterionFigures, tuple[str, ...]]] = []
        self._rows_name, self._columns_name = "gold", "judged"
        self._lines: list[Line] = []
        self._cell_width, self._label_width = _CELL_WIDTH, _LABEL_WIDTH

    def show(self, tables: Sequence[tuple[CriterionFigures, tuple[str, ...]]], rows: str, columns: str) -> None:
        """Show these tables, each with the labels of its levels.

        Args:
            tables: One table for each criterion.
            rows: The source of the levels in the rows.
            columns: The source of the levels in the columns.
        """
        self._tables, self._rows_name, self._columns_name = list(tables), rows, columns
        self.arrange_lines()

    def notify_style_update(self) -> None:
        """Redraw the tables in a new theme."""
        super().notify_style_update()
        self.arrange_lines()

    def lay_out(self, width: int) -> Size:
        """Lay the tables out in rows."""
        widest = max((_width(figures) for figures, _ in self._tables), default=1)
        tables_per_row = max(1, min(3, len(self._tables), (width + _GAP) // (widest + _GAP)))
        max_levels = max((len(labels) for _, labels in self._tables), default=1)
        table_width = (width + _GAP) // tables_per_row - _GAP
        self._cell_width = min(
            _MAX_CELL_WIDTH,
            max(_CELL_WIDTH, (table_width - _LABEL_WIDTH - max(0, table_width - widest) // 2) // max_levels // 2 * 2),
        )
        self._label_width = min(_MAX_LABEL_WIDTH, max(_LABEL_WIDTH, table_width - self._cell_width * max_levels))
        widest = self._label_width + self._cell_width * max_levels
        is_tall = self.size.height >= -(-len(self._tables) // tables_per_row) * (2 * max_levels + 3)
        self._lines = []
        for start in range(0, len(self._tables), tables_per_row):
            blocks = [
                self._table(figures, labels, min(widest, width), is_tall=is_tall)
                for figures, labels in self._tables[start : start + tables_per_row]
            ]
            for y in range(max(map(len, blocks))):
                parts = [block[y] if y < len(block) else ((" " * widest, ""),) for block in blocks]
                self._lines.append(tuple(run for part in parts for run in (*part, (" " * _GAP, ""))))
            self._lines.append(())
        return Size(width, len(self._lines))

    def line(self, y: int) -> Line:
        """Draw one line of the tables in a row."""
        return self._lines[y]

    def _table(self, figures: CriterionFigures, labels: tuple[str, ...], width: int, *, is_tall: bool) -> list[Line]:
        exact = sum(figures.confusion[i][i] for i in range(len(labels)))
        total = sum(map(sum, figures.confusion))
        share = f"{exact} of {total}" if total else "none"
        title = fit(clean_line(figures.label), width - len(share) - 1)
        scores = [format_number(score) for score in figures.levels]
        pad = (" " * max(0, width - self._label_width - self._cell_width * len(scores)), "")
        names = (fit(f"{self._rows_name} / {self._columns_name}", self._label_width), "faint")
        lines: list[Line] = [
            ((f"{title} ", "bold ash"), (share, "verdigris" if exact == total and total else "ember")),
            (names, *((self._centred(score), "dim") for score in scores), pad),
        ]
        for row_index, label in enumerate(labels):
            lines += self._row(figures, row_index, f"{scores[row_index]} {clean_line(label)}", pad, is_tall=is_tall)
        return lines

    def _row(self, figures: CriterionFigures, row_index: int, label: str, pad: Run, *, is_tall: bool) -> list[Line]:
        """Draw a row of cells; if there is room each has two lines, with its number in the first."""
        row = figures.confusion[row_index]
        names = [*wrap(label, self._label_width - 1, 2 if is_tall else 1), ""]
        first, second = ([(fit(line, self._label_width), "dim")] for line in names[:2])
        for column, count in enumerate(row):
            is_right = column == row_index
            if not count:
                first.append((self._centred(look(self).glyphs.dot), "verdigris" if is_right else "faint"))
                second.append((" " * self._cell_width, ""))
                continue
            role = self._cell_role(count / max(1, sum(row)), is_right=is_right)
            cell_text = str(count) if is_right else f"{look(self).glyphs.failed} {count}"
            first += [(cell_text.center(self._cell_width - 1), role), (" ", "")]
            second += [(" " * (self._cell_width - 1), role), (" ", "")]
        return [(*first, pad), (*second, pad)] if is_tall else [(*first, pad)]

    def _cell_role(self, share: float, *, is_right: bool) -> str:
        """The style of a cell with this share of its row."""
        palette, role = look(self).palette, "molten" if is_right else "blood"
        if palette.ansi:
            return f"bold {role}"
        ground = palette.mix("ground", role, _LEAST_COLOUR + (_MOST_COLOUR - _LEAST_COLOUR) * share)
        text_role = "ground" if is_right and 2 * share > 1 else "flash"
        return f"bold {text_role if palette.dark else 'ash'} on {ground}"

    def _centred(self, text: str) -> str:
        """Centre text on the coloured parts of the cells, which leave a gap at their right."""
        return text.center(self._cell_width - 1) + " "


def _width(figures: CriterionFigures) -> int:
    return _LABEL_WIDTH + _CELL_WIDTH * len(figures.levels)


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
