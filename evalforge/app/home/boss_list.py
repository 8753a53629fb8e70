"""Every boss on a line: tier, standing, and the life that the player left it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evalforge.app.ui.text.formatting import boss_state
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.hp_bar_cells import hp_runs
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_number, format_percent
from evalforge.packs.summary import TIERS, BossSummary

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress

STATE_ROLES = {
    "new": "steel",
    "wounded": "ember",
    "defeated": "verdigris",
    "flawless": "molten",
    "broken": "blood",
}
_HEAD, _STATE, _BAR = 9, 11, 12
"""The widths in cells of what precedes the name, of the state, and of the bar."""
_ROOM_FOR_BAR = 60


class BossList(LineList):
    """The roster as one widget."""

    LIT_ALWAYS = True

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._bosses: tuple[BossSummary, ...] = ()
        self._standings: Mapping[str, BossProgress] = {}

    def show(self, bosses: "Sequence[BossSummary]") -> None:
        """List these bosses; the cursor stays on its boss if possible."""
        selected_key, slugs = self.key, [boss.slug for boss in bosses]
        self._bosses = tuple(bosses)
        self.renew(len(slugs), slugs.index(selected_key) if selected_key in slugs else 0)

    def show_progress(self, standings: "Mapping[str, BossProgress]") -> None:
        """Show the player's standing with the bosses."""
        self._standings = standings
        self.refresh()
        self.post_message(self.Pointed(self, self.key))

    @property
    def selection(self) -> "BossSummary | None":
        """The boss under the cursor."""
        return self._bosses[self.cursor] if self.cursor < len(self._bosses) else None

    def key_of(self, index: int) -> str:
        """The slug of a boss."""
        return self._bosses[index].slug

    def progress_of(self, boss: "BossSummary") -> "BossProgress | None":
        """The player's record against a boss; None before the first fight, or before history was read."""
        return self._standings.get(boss.slug)

    def state(self, boss: "BossSummary") -> str:
        """Whether a boss is new, wounded, defeated, flawless or broken."""
        if boss.error:
            return "broken"
        progress = self.progress_of(boss)
        return boss_state(progress.attempt_count, progress.best_verdict, progress.best_total) if progress else "new"

    def line(self, y: int) -> Line:
        """Draw a boss's line."""
        boss, at_cursor, current_look = self._bosses[y], y == self.cursor, look(self)
        glyphs, state, progress = current_look.glyphs, self.state(boss), self.progress_of(boss)
        marks = {
            "new": glyphs.empty_pip, "wounded": glyphs.half_pip, "defeated": glyphs.pip, "flawless": glyphs.star,
            "broken": glyphs.failed,
        }  # fmt: skip
        status, life = "" if state == "new" else state, None
        if progress and boss.threshold is not None and state == "wounded":
            life = HpScale(boss.threshold, progress.max_total).life(progress.best_total)
            status = f"HP {format_percent(life)}"
        elif progress and state == "defeated":
            status = f"{format_number(progress.max_total - progress.best_total)} to gold"
        accent = current_look.palette.accent(boss.accent) if not boss.error else "dim"
        bar: Line = ()
        if self.line_width >= _ROOM_FOR_BAR:
            drawn = hp_runs(life, _BAR, current_look, accent if at_cursor else "steel") if life is not None else ()
            bar = (*drawn, ("  " if drawn else " " * (_BAR + 2), ""))
        name = self.line_width - _HEAD - _STATE - (_BAR + 2 if bar else 0)
        return (
            (f" {glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (f"{TIERS[boss.tier] if 0 < boss.tier < len(TIERS) else '':<4}", "dim"),
            (f"{marks[state]} ", STATE_ROLES[state]),
            (f"{fit(boss.title, name - 1)} ", f"bold {accent}" if at_cursor else "ash"),
            *bar,
            (fit(status, _STATE), STATE_ROLES[state]),
        )
