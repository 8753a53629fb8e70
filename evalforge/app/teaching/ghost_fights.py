"""Ghosts side by side: a board with a bar for each, damaged criterion by criterion at the same step."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, level_role
from evalforge.app.ui.text.styled_text import Run, Runs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.bar_board import BarBoard, BarCell, BarGrid
from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code, wrap_runs
from evalforge.app.ui.widgets.painting import brief, fit
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.boss_view import BossView
    from evalforge.app.teaching.background_judging import BackgroundFight
    from evalforge.model.rubric import Criterion

_MIN_LANE = 34
_PIP_CELLS = 5
_TALL_BAR_FROM = 12
"""The height of a lane from which its bar has two lines."""


class GhostBoard(BarBoard):
    """A lane for each ghost: its name, its life or verdict, its bar, and the level of each revealed criterion."""

    def __init__(self, boss: "BossView", names: Sequence[str]) -> None:
        super().__init__(boss.accent, id="lanes")
        self.can_focus = False
        self._rubric, self._names = boss.rubric, tuple(names)
        self._fights: Mapping[str, BackgroundFight] = {}
        self._revealed = 0

    def show(self, fights: "Mapping[str, BackgroundFight]", revealed: int, *, strike: bool) -> None:
        """Show every ghost after this many criteria; ``strike`` lets the bars move to their new values."""
        self._fights, self._revealed = fights, revealed
        self.show_keys(self._names)
        for name in self._names:
            self.move_bar(name)
        if not strike:
            self.settle()

    def grid(self, width: int, height: int) -> BarGrid:
        """Put the lanes side by side if there is room, else below each other."""
        columns = max(1, self.count) if width >= _MIN_LANE * self.count else 1
        rows = -(-self.count // columns)
        lane_height = max(2, height // max(1, rows))
        return BarGrid(columns, width // columns, lane_height, rows, 2 if lane_height >= _TALL_BAR_FROM else 1)

    def cell(self, key: str) -> BarCell:
        """What is shown of a ghost now."""
        fight = self._fights[key]
        criteria = tuple(criterion.id for criterion in self._rubric.criteria[: self._revealed])
        total = sum(fight.scores(criteria).values())
        return BarCell(
            mark=(" ", "dim"),
            name=(key.upper(), "bold ash"),
            score=self._score(fight, total),
            life=HpScale.from_rubric(self._rubric).life(total),
            notes=lambda width, count: self._notes(fight, width, count),
        )

    def _score(self, fight: "BackgroundFight", total: float) -> Runs:
        """The life that is left, and at the end the verdict; once the boss is down, the points in place of its life."""
        scale, result = HpScale.from_rubric(self._rubric), fight.result
        life: Run = (f"HP {format_percent(scale.life(total))}", f"bold {self._accent}")
        if fight.reason:
            return (("not judged", "bold steel"),)
        if not fight.is_over:
            return (("the forge is at work", "dim"),) if self._revealed else (life,)
        if scale.has_fallen(total):
            life = (f"{format_number(total)} of {format_number(scale.maximum)}", "bold molten")
        if result is None or self._revealed < len(self._rubric.criteria):
            return (life,)
        return ((f"{VERDICT_WORDS[result.verdict]}  ", f"bold {VERDICT_ROLES[result.verdict]}"), life)

    def _notes(self, fight: "BackgroundFight", width: int, line_count: int) -> "Sequence[Runs]":
        """The level of each revealed criterion on two lines, in as many columns as are needed."""
        if fight.reason or not fight.is_over:
            return wrap_runs(mark_code(fight.reason, "dim"), width, line_count)
        rows = max(1, line_count // 2)
        column_width = width // -(-len(self._rubric.criteria) // rows)
        revealed = self._rubric.criteria[: self._revealed]
        levels = [self._level(c, fight, column_width, is_newest=c is revealed[-1]) for c in revealed]
        grid = [levels[row::rows] for row in range(min(rows, len(levels)))]
        return [sum((level[part] for level in row), ()) for row in grid for part in (0, 1)]

    def _level(
        self, criterion: "Criterion", fight: "BackgroundFight", width: int, *, is_newest: bool
    ) -> tuple[Runs, Runs]:
        glyphs, score = look(self).glyphs, fight.judgements[criterion.id].score
        role = level_role(score, criterion.max_score)
        pips = (fit(glyphs.pips(score, criterion.max_score), _PIP_CELLS), role)
        label = brief(clean_line(criterion.label), width - _PIP_CELLS - 1, glyphs.ellipsis)
        level = (clean_line(criterion.level_label(score)), role if is_newest else "dim")
        lines: tuple[Runs, Runs] = (
            (pips, (label, "bold ash" if is_newest else "dim")),
            ((" " * _PIP_CELLS, ""), level),
        )
        return fit_runs(lines[0], width, glyphs.ellipsis), fit_runs(lines[1], width, glyphs.ellipsis)


class GhostRow(Widget):
    """The boss once for each ghost, if there is room, and below it the ghosts' bars."""

    DEFAULT_CSS = """
    GhostRow { layout: vertical; height: 1fr; }
    GhostRow #portraits { height: 13; }
    GhostRow SpriteView { width: 1fr; height: 13; }
    """

    def __init__(self, boss: "BossView", names: Sequence[str], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._boss, self._names = boss, tuple(names)

    def compose(self) -> ComposeResult:
        """Compose the portraits and the board."""
        yield Horizontal(*(SpriteView() for _ in self._names), id="portraits")
        yield GhostBoard(self._boss, self._names)

    def on_mount(self) -> None:
        """Show unhurt bosses."""
        for portrait in self.query(SpriteView):
            portrait.show(self._boss.sprite, self._boss.pack, self._boss.accent)

    def show(self, fights: "Sequence[BackgroundFight]", revealed: int, *, strike: bool) -> None:
        """Show every ghost after this many criteria; ``strike`` animates the last one."""
        self.query_one(GhostBoard).show(dict(zip(self._names, fights, strict=True)), revealed, strike=strike)
        criteria = self._boss.rubric.criteria
        for portrait, fight in zip(self.query(SpriteView), fights, strict=True):
            last_scores = fight.scores(tuple(criterion.id for criterion in criteria[:revealed][-1:]))
            if strike and sum(last_scores.values()) > 0:
                portrait.hit("")
            if revealed == len(criteria) and fight.result is not None and fight.result.passed:
                portrait.fall(flawless=fight.result.verdict == "strong_pass")
            elif not strike or portrait.mood == "defeated":
                portrait.set_mood("idle")
