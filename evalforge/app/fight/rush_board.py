"""Every boss of a rush on a line: its folder, its draining bar, and the outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual.geometry import Region, Size

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painting import fit, fit_tail
from evalforge.app.ui.widgets.small_hp_bar import hp_runs
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_TITLE, _SCORE, _STATUS = 24, 7, 16
_WIDE = 100


@dataclass(frozen=True)
class Round:
    """One boss of the rush. ``state`` is ``waiting``, ``fighting``, ``over`` or ``skipped``."""

    slug: str
    title: str
    accent: str
    folder: str
    maximum: float = 0
    state: str = "waiting"
    struck: float = 0
    outcome: str = ""
    verdict: str = ""
    trials: tuple[int, int] = (0, 0)


class RushBoard(LineScroll):
    """The rounds, one under the other."""

    DEFAULT_CSS = """
    RushBoard { width: 100%; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.rounds: list[Round] = []
        self._step = 1
        """Lines per round, as they were laid out."""

    def show(self, rounds: Sequence[Round]) -> None:
        """Show these rounds of the rush."""
        self.rounds = list(rounds)
        self.arrange_lines()

    def change(self, index: int, **what: object) -> None:
        """Change the content of one line, and scroll it into view."""
        self.rounds[index] = replace(self.rounds[index], **what)  # type: ignore[arg-type]
        self.scroll_to_region(Region(0, index * self._step, 1, self._step), animate=False, force=True)
        self.refresh()

    def lay_out(self, width: int) -> Size:
        """Lay out a line for each round, separated by blank lines if there is room."""
        self._step = 2 if len(self.rounds) * 2 <= self.size.height else 1
        return Size(width, len(self.rounds) * self._step)

    def line(self, y: int) -> Line:
        """Draw a round of the rush as one line."""
        index, part = divmod(y, self._step)
        return () if part else self._round(self.rounds[index], self.line_width)

    def _round(self, rush_round: Round, width: int) -> Line:
        current_look = look(self)
        glyphs = current_look.glyphs
        fighting, over, skipped = (rush_round.state == state for state in ("fighting", "over", "skipped"))
        marks = {"waiting": glyphs.empty_pip, "fighting": glyphs.half_pip, "skipped": glyphs.dot}
        passed = rush_round.verdict in ("pass", "strong_pass")
        mark = marks.get(
            rush_round.state, glyphs.passed if passed else glyphs.failed if rush_round.verdict else glyphs.dot
        )
        role = (
            "ember"
            if fighting
            else VERDICT_ROLES.get(rush_round.verdict, "dim")
            if over
            else "faint"
            if skipped
            else "dim"
        )
        accent = current_look.palette.accent(rush_round.accent) if fighting else "steel"
        ink = accent if fighting else "faint" if skipped else "ash"
        title = min(_TITLE, max(len(clean_line(rush_round.title)) for rush_round in self.rounds))
        # A round that is over without a verdict has no score, which differs from a score of 0.
        has_score = bool(rush_round.maximum) and (fighting or bool(rush_round.verdict))
        score = f"{format_number(rush_round.struck)}/{format_number(rush_round.maximum)}" if has_score else ""
        status = rush_round.outcome or VERDICT_WORDS.get(rush_round.verdict, "")
        if fighting and rush_round.trials[1]:
            status = f"{rush_round.trials[0]} of {rush_round.trials[1]} trials"
        bar_width = 36 if width >= _WIDE else 16
        share = min(1.0, max(0.0, rush_round.struck / rush_round.maximum)) if rush_round.maximum else 0.0
        bar = hp_runs(share, bar_width, current_look, accent, fallen=passed)
        if skipped:
            bar = ((" " * bar_width, ""),)
        line: Line = (
            (f" {glyphs.cursor if fighting else ' '} ", "bold ember"),
            (f"{mark} ", role),
            (fit(clean_line(rush_round.title), title) + "  ", ink),
            *bar,
            (f"{score:>{_SCORE}}  ", "bold ash" if over else "ash"),
            (fit(status, _STATUS) + " ", role),
        )
        width_left = width - sum(cell_len(text) for text, _ in line) - 1
        return (*line, (fit_tail(clean_line(rush_round.folder), width_left, glyphs.ellipsis), "faint"))
