"""Every boss on a line: tier, how it stands, how much of it is struck."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.formatting import TIERS, standing
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.model.number_format import format_number

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress
    from evalforge.packs.summary import BossSummary

STATE_ROLES = {
    "new": "steel",
    "wounded": "ember",
    "defeated": "verdigris",
    "flawless": "molten",
    "broken": "blood",
}
_BAR = 12
_ROOM_FOR_BAR = 60


class BossList(ScrollView):
    """The roster as one widget; lines are made as they are seen."""

    DEFAULT_CSS = """
    BossList { height: 1fr; background: transparent; scrollbar-size: 1 1; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False, id="list.up"),
        Binding("down,j", "move(1)", "down", show=False, id="list.down"),
        Binding("home,g", "move(-9999)", "first", show=False, id="list.first"),
        Binding("end,G", "move(9999)", "last", show=False, id="list.last"),
    ]
    cursor: reactive[int] = reactive(0)

    class Pointed(Message):
        """The cursor moved to another boss, or what is known of it changed."""

    class Opened(Message):
        """The boss under the cursor was clicked twice."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._bosses: tuple[BossSummary, ...] = ()
        self._standings: Mapping[str, BossProgress] = {}

    def show(self, bosses: "Sequence[BossSummary]") -> None:
        """List these bosses; the cursor stays on its boss where it can."""
        chosen = self.selection
        self._bosses = tuple(bosses)
        slugs = [boss.slug for boss in bosses]
        self.cursor = slugs.index(chosen.slug) if chosen and chosen.slug in slugs else 0
        self._lay_out()
        self.post_message(self.Pointed())

    def show_progress(self, standings: "Mapping[str, BossProgress]") -> None:
        """How the player stands with them."""
        self._standings = standings
        self.refresh()
        self.post_message(self.Pointed())

    def point(self, slug: str) -> None:
        """Move the cursor to a boss."""
        self.cursor = next((i for i, boss in enumerate(self._bosses) if boss.slug == slug), self.cursor)

    @property
    def selection(self) -> "BossSummary | None":
        """The boss under the cursor."""
        return self._bosses[self.cursor] if 0 <= self.cursor < len(self._bosses) else None

    def standing(self, boss: "BossSummary") -> "BossProgress | None":
        """What is known of a boss's fights; None before the first, or before history was read."""
        return self._standings.get(boss.slug)

    def state(self, boss: "BossSummary") -> str:
        """How a boss stands."""
        if boss.error:
            return "broken"
        known = self.standing(boss)
        return standing(known.attempt_count, known.best_verdict, known.best_total) if known else "new"

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        if self._bosses:
            self.cursor = min(max(self.cursor + step, 0), len(self._bosses) - 1)

    def watch_cursor(self) -> None:
        """Keep the cursor in sight and tell about it."""
        self.refresh()
        if self.is_mounted:
            top = self.cursor * self._step
            self.scroll_to_region(Region(0, top, self._width, self._step), animate=False, force=True)
            self.post_message(self.Pointed())

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked; open it on the second click."""
        row = (event.get_content_offset_capture(self).y + self.scroll_offset.y) // self._step
        if 0 <= row < len(self._bosses):
            again = row == self.cursor
            self.cursor = row
            if again:
                self.post_message(self.Opened())

    def on_resize(self) -> None:
        """Lay out anew."""
        self._lay_out()

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    @property
    def _step(self) -> int:
        """Lines for each boss: three where all of them have room for that."""
        return 3 if self.size.height >= 3 * len(self._bosses) and self._width >= 40 else 1

    def _lay_out(self) -> None:
        self.virtual_size = Size(self._width, len(self._bosses) * self._step)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index, part = divmod(self.scroll_offset.y + y, self._step)
        if not 0 <= index < len(self._bosses):
            return Strip.blank(self._width, self.rich_style)
        boss = self._bosses[index]
        base = self.rich_style
        if index == self.cursor and part < 2:
            base += look(self).palette.style("", on="raised")
        pieces = self._title(boss, at_cursor=index == self.cursor) if part == 0 else []
        if part == 1:
            words = boss.error.replace("\n", " ") if boss.error else boss.short_description
            pieces = [(" " * 9, Style()), (fit(words, self._width - 10), look(self).palette.style("dim"))]
        return strip(pieces, self._width, base)

    def _title(self, boss: "BossSummary", *, at_cursor: bool) -> list[Piece]:
        here = look(self)
        palette, glyphs = here.palette, here.glyphs
        state = self.state(boss)
        marks = {
            "new": glyphs.empty_pip, "wounded": glyphs.half_pip, "defeated": glyphs.pip, "flawless": glyphs.star,
            "broken": glyphs.failed,
        }  # fmt: skip
        known = self._standings.get(boss.slug)
        words = state
        if known and state in ("wounded", "defeated"):
            words = f"{state} {format_number(known.best_total)}/{format_number(known.max_total)}"
        bar_room = self._width >= _ROOM_FOR_BAR
        name = self._width - 9 - 14 - (_BAR + 2 if bar_room else 0)
        accent = palette.accent(boss.accent) if not boss.error else palette.dim
        role = palette.color(STATE_ROLES[state])
        pieces: list[Piece] = [
            (f" {glyphs.cursor if at_cursor else ' '} ", palette.style("ember", bold=True)),
            (f"{TIERS[boss.tier] if 0 < boss.tier < len(TIERS) else '':<4}", palette.style("dim")),
            (f"{marks[state]} ", palette.style(role)),
            (f"{fit(boss.title, name - 1)} ", palette.style(accent if at_cursor else "ash", bold=at_cursor)),
        ]
        if bar_room:
            share = known.best_integrity if known else 0.0
            struck = round(share * _BAR)
            pieces += [
                (glyphs.bar * struck, palette.style("molten")),
                (glyphs.bar_rest * (_BAR - struck), palette.style("faint")),
                ("  ", Style()),
            ]
        return [*pieces, (fit(words, 14), palette.style(role))]
