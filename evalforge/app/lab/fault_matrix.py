"""Which criteria are lowered by which faults: a picture of a boss's wrong programs as last measured."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painting import fit, wrap
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.calibration.impostor_matrix import ImpostorMatrix, WrongResult
from evalforge.calibration.impostor_runs import cached_matrix
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line
from evalforge.packs.locations import bosses_option
from evalforge.packs.pack import BossPack

_CELL_WIDTH, _LABEL_WIDTH, _COUNT_WIDTH = 5, 26, 8
"""The widths in columns of a cell, of an owner's name, and of the number of its faults."""


class FaultMatrixView(LineScroll):
    """A row for the faults of each criterion, a column for each criterion that they lower."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: list[Line] = []
        self._matrix: ImpostorMatrix | None = None
        self._labels: dict[str, str] = {}

    def show(self, matrix: ImpostorMatrix, labels: dict[str, str]) -> None:
        """Show a matrix.

        Args:
            matrix: The measured matrix.
            labels: Names of the criteria by id.
        """
        self._matrix, self._labels = matrix, labels
        self.arrange_lines()

    def notify_style_update(self) -> None:
        """Redraw the table in a new theme."""
        super().notify_style_update()
        self.arrange_lines()

    def lay_out(self, width: int) -> Size:
        """Lay the table out."""
        self._lines = list(self._table(self._matrix)) if self._matrix is not None else []
        return Size(max(width, self._width), len(self._lines))

    @property
    def _width(self) -> int:
        column_count = len(self._matrix.criteria) if self._matrix is not None else 0
        return _LABEL_WIDTH + _COUNT_WIDTH + _CELL_WIDTH * column_count

    def line(self, y: int) -> Line:
        """Draw one line of the table."""
        return self._lines[y]

    def _table(self, matrix: ImpostorMatrix) -> Iterable[Line]:
        columns = [(f"{number:^{_CELL_WIDTH - 1}} ", "dim") for number in range(1, len(matrix.criteria) + 1)]
        yield (
            (fit("owner of the fault", _LABEL_WIDTH), "faint"),
            (f"{'faults':>{_COUNT_WIDTH - 2}}  ", "faint"),
            *columns,
        )
        for number, owner in enumerate(matrix.criteria, start=1):
            owned_faults = [wrong for wrong in matrix.wrong if wrong.owner == owner]
            label = fit(f"{number} {clean_line(self._labels[owner])}", _LABEL_WIDTH)
            count: Run = (f"{len(owned_faults) or 'none':>{_COUNT_WIDTH - 2}}  ", "ash" if owned_faults else "blood")
            cells = [
                run for criterion in matrix.criteria for run in self._cell(owned_faults, criterion, owner == criterion)
            ]
            yield ((label, "dim"), count, *cells)

    def _cell(self, owned_faults: Sequence[WrongResult], criterion: str, is_own: bool) -> Sequence[Run]:
        """Draw how many of an owner's faults lower a criterion; on the diagonal all of them should."""
        glyphs, lowering_count = look(self).glyphs, sum(criterion in wrong.lost for wrong in owned_faults)
        if is_own:
            is_right = lowering_count == len(owned_faults)
            role = ("bold verdigris" if is_right else "bold ember") if owned_faults else "faint"
            text = lowering_count if owned_faults else glyphs.dot
            return ((f"{text:^{_CELL_WIDTH - 1}} ", role),)
        text = f"{glyphs.failed} {lowering_count}" if lowering_count else glyphs.dot
        return ((f"{text:^{_CELL_WIDTH - 1}} ", "bold blood" if lowering_count else "faint"),)


class FaultMatrixScreen(GameScreen):
    """The effect of each fault of a boss, by the rules of a draft.

    Args:
        pack: The boss as drafted.
        state: EvalForge's state folder, with the measured evidence.
    """

    CSS_PATH = "fault_matrix.tcss"
    NAME = "What each fault costs"
    HELP_TEXT = """
Each row holds the faults that belong to one criterion; each column is a criterion that loses points by them. A fault
should lower its own criterion and no other, so all numbers should be on the diagonal.

`evalforge calibrate BOSS --faults` runs the boss's wrong programs. The results are kept until the programs or the
trials change; this table judges them by your draft.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="faults.back"),
        Binding("f1", "help", "help", id="faults.help"),
    ]

    def __init__(self, pack: BossPack, state: Path) -> None:
        super().__init__()
        self._pack, self._state = pack, state

    def body(self) -> Iterable[Widget]:
        """Compose heading, picture, and the faults that cost twice or nothing."""
        yield Heading(id="heading")
        yield Prose(id="sums")
        with Horizontal(id="page"):
            yield FaultMatrixView(id="matrix")
            with Vertical(id="right"):
                yield Heading(id="count")
                yield Rows(id="faults")

    def on_mount(self) -> None:
        """Read the measured evidence."""
        about = self._pack.definition
        title: list[Run] = [("WHAT EACH FAULT COSTS  ", "bold ember"), (about.title, f"bold {about.metadata.accent}")]
        self.query_one("#heading", Heading).set_text(title, [])
        self.query_one("#sums", Prose).set_text(styled(("Reading ...", "dim")))
        self._read_matrix()

    @work(exclusive=True, group="faults", exit_on_error=False)
    async def _read_matrix(self) -> None:
        try:
            matrix = await asyncio.to_thread(cached_matrix, self._pack, self._state)
        except (EvalForgeError, OSError) as error:
            self.query_one("#sums", Prose).set_text(styled((clean_line(str(error)), "blood")))
            return
        if matrix is None:
            command = f"evalforge calibrate {self._pack.boss_id} --faults{bosses_option(self._pack.path)}"
            advice: list[Run] = [
                ("These programs and trials are not measured yet. ", "ash"),
                (command, "bold molten"),
                (" measures them; it takes some minutes. Then come back.", "ash"),
            ]
            self.query_one("#sums", Prose).set_text(styled(*advice))
            return
        self._show_matrix(matrix)

    def _show_matrix(self, matrix: ImpostorMatrix) -> None:
        labels = {criterion.id: criterion.label for criterion in self._pack.rubric.criteria}
        charged_count, spill_count = (
            sum(wrong.is_charged for wrong in matrix.wrong),
            sum(bool(wrong.spill) for wrong in matrix.wrong),
        )
        lower_another = f"{spill_count} {'lowers' if spill_count == 1 else 'lower'} another."
        sums = f"{charged_count} of {plural(len(matrix.wrong), 'fault')} lower their own criterion; {lower_another}"
        self.query_one("#sums", Prose).set_text(styled((sums, "ash")))
        self.query_one(FaultMatrixView).show(matrix, labels)
        wrongs = [wrong for wrong in matrix.wrong if wrong.spill or not wrong.is_charged]
        self.query_one("#count", Heading).set_text(
            [("NOT CHARGED EXACTLY ONCE", "bold ember"), (f"  {len(wrongs)}", "dim")]
        )
        rows = [_row(wrong, labels, self.game.look.glyphs) for wrong in wrongs]
        self.query_one("#faults", Rows).show(rows or [_calm_row(self.game.look.glyphs)])


def _calm_row(glyphs: Glyphs) -> Row:
    calm: Line = ((f"{glyphs.passed} ", "verdigris"), ("Every fault is charged once.", "ash"))
    return Row("", lambda _width: [calm], is_static=True)


def _row(wrong: WrongResult, labels: dict[str, str], glyphs: Glyphs) -> Row:
    """Draw a fault that spills or costs nothing."""

    def build(width: int) -> list[Line]:
        owner = clean_line(labels[wrong.owner])
        costs = [f"{owner} stays at {format_number(wrong.given)}"] if not wrong.is_charged else []
        costs += [f"{clean_line(labels[name])} falls to {format_number(level)}" for name, level in wrong.spill.items()]
        lines = [line for cost in costs for line in wrap(cost, max(10, width - 2), 2)]
        title: Line = ((clean_line(wrong.id), "bold ash"), (f"  {glyphs.dot} {owner}", "dim"))
        return [title, *((("  ", ""), (line, "ember")) for line in lines)]

    return Row(wrong.id, build, shut=True)
