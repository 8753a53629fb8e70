"""The hero of the game: integrity struck from the left, the boss's HP to its right, the pass line between."""

import math
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from evalforge.app.ui.text.formatting import gap
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import app_of, look
from evalforge.app.ui.widgets.hp_bar_cells import beside, boss_cell, struck_cells
from evalforge.app.ui.widgets.hp_bar_layout import Part, Segment, SegmentKind, cell_of, integrity, segments
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import Piece, brief, fit, spread, strip
from evalforge.model.number_format import format_boss_hp, format_number, format_percent

_LEGIBLE, _AIRY = 5, 12
"""A name cut to less says nothing; one with more room stands further from the next."""
_HP = ("    BOSS HP ", "  BOSS HP ", "  HP ")
"""What stands before the boss's part, by how much room there is."""


class HpBar(PaintedWidget):
    """One bar on four lines: the pass line's label, the bar, whose bite is whose, and all of it in words."""

    DEFAULT_CSS = """
    HpBar { height: 4; width: 1fr; }
    """

    struck: reactive[float] = reactive(0.0, repaint=False)
    """The share struck as it is drawn; runs to the true one."""
    ghost: reactive[float] = reactive(0.0, repaint=False)
    """Up to where the metal has cooled; what lies between it and ``struck`` still glows."""
    heat: reactive[float] = reactive(0.0, repaint=False)
    """How bright the glow is, 1 at the blow to 0."""
    chosen: reactive[str] = reactive("")
    """The criterion whose stretch is pointed out."""
    hovered: reactive[str] = reactive("")
    """The criterion whose stretch is under the mouse; it stands before the chosen one."""

    class Chosen(Message):
        """A stretch was clicked."""

        def __init__(self, criterion_id: str) -> None:
            super().__init__()
            self.criterion_id = criterion_id

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._parts: tuple[Part, ...] = ()
        self._scores: dict[str, float] = {}
        self._threshold = self._maximum = 0.0
        self._accent = "#d9822b"
        self._note = ""
        self._bar: tuple[object, Strip] | None = None

    def prepare(self, parts: Sequence[Part], threshold: float, maximum: float, accent: str) -> None:
        """Set up a fight: whole boss, nothing struck."""
        self._parts, self._threshold, self._maximum = tuple(parts), threshold, maximum
        self._accent, self._scores, self._note = accent, {}, ""
        self._settle()

    def show(self, scores: Mapping[str, float]) -> None:
        """Show these scores at once, without motion."""
        self._scores = dict(scores)
        self._settle()

    def strike(self, criterion_id: str, score: float) -> None:
        """Take one bite: the bar runs to its new end, glowing, and cools."""
        self._scores[criterion_id] = score
        target = integrity(self._scores, self._maximum)
        if look(self).motion is motion.Motion.NONE or target <= self.struck:
            self._settle()
            return
        self.heat = 1.0
        self.animate("struck", target, duration=motion.SETTLE, easing="out_cubic", level="basic")
        cool, wait = motion.GHOST_FADE, motion.GHOST_DELAY
        self.animate("ghost", target, duration=cool, delay=wait, easing="in_out_cubic", level="basic")
        self.animate("heat", 0.0, duration=cool, delay=wait, easing="in_cubic", level="basic")
        self.refresh()

    def surge(self) -> None:
        """The pass line is crossed: everything struck so far glows once more."""
        if look(self).motion is motion.Motion.NONE:
            return
        target = integrity(self._scores, self._maximum)
        self._settle()
        self.ghost, self.heat = 0.0, 1.0
        self.animate("ghost", target, duration=motion.SETTLE + 0.3, easing="in_out_cubic", level="basic")
        self.animate("heat", 0.0, duration=motion.SETTLE + 0.3, easing="in_cubic", level="basic")

    def finish(self) -> None:
        """End all motion: show where everything lies."""
        self._settle()

    def note(self, words: str) -> None:
        """Say something in place of the distance to the pass line."""
        self._note = words
        self.refresh()

    def _settle(self) -> None:
        target = integrity(self._scores, self._maximum)
        for name, value in (("struck", target), ("ghost", target), ("heat", 0.0)):
            # A running animation would overwrite the value on its next frame.
            app_of(self).animator.force_stop_animation(self, name)
            setattr(self, name, value)
        self.refresh()

    def watch_struck(self) -> None:
        """Draw what moved, cooled or glows otherwise."""
        self.draw_again()

    watch_ghost = watch_heat = watch_struck

    def on_click(self, event: events.Click) -> None:
        """Tell whose stretch was clicked."""
        owner = self._owner(event)
        if owner:
            self.post_message(self.Chosen(owner))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Name the criterion of the stretch under the mouse."""
        self.hovered = self._owner(event)

    def on_leave(self) -> None:
        """The mouse is gone."""
        self.hovered = ""

    def _owner(self, event: events.MouseEvent) -> str:
        share = (event.get_content_offset_capture(self).x + 0.5) / max(1, self.content_size.width)
        return next((s.part.id for s in self._stretches() if s.start <= share < s.end), "")

    def _stretches(self) -> tuple[Segment, ...]:
        return segments(self._parts, self._scores, self._maximum)

    def line(self, y: int) -> Strip:
        """Draw one line."""
        width = self.size.width
        if not self._maximum or width < 4:
            return Strip.blank(width, self.ground)
        rows = ("pass", "bar", "bar", "names", "words") if self.size.height > 4 else ("pass", "bar", "names", "words")
        draw = {"pass": self._pass_line, "bar": self._bar_line, "names": self._names, "words": self._words}
        return draw[rows[y]](width) if y < len(rows) else Strip.blank(width, self.ground)

    def _threshold_cell(self, width: int) -> int:
        return min(width - 1, cell_of(self._threshold / self._maximum, width))

    def _pass_line(self, width: int) -> Strip:
        here = look(self)
        at = self._threshold_cell(width)
        label = f"pass at {format_number(self._threshold)} "
        reached = self.struck * self._maximum >= self._threshold - 1e-6
        style = here.palette.style("verdigris" if reached else "ash", bold=reached)
        if at >= len(label):
            pieces: list[Piece] = [
                (" " * (at - len(label)), Style()),
                (label, style),
                (here.glyphs.above, style),
            ]
        else:
            pieces = [(" " * at, Style()), (here.glyphs.above, style), (f" {label}", style)]
        return strip(pieces, width, self.ground)

    def _bar_line(self, width: int) -> Strip:
        """The bar; where it is two lines high they are the same."""
        state = (width, self.struck, self.ghost, self.heat, dict(self._scores), self._parts, self._accent, look(self))
        if self._bar is None or self._bar[0] != state:
            self._bar = state, strip(self._bar_cells(width), width, self.ground)
        return self._bar[1]

    def _bar_cells(self, width: int) -> list[Piece]:
        here = look(self)
        kept = [(s.start, s.end) for s in self._stretches() if s.kind is SegmentKind.KEPT]
        spans = [range(cell_of(start, width), cell_of(end, width)) for start, end in kept]
        thin, dense = boss_cell(here, self._accent, kept=True), boss_cell(here, self._accent, kept=False)
        # What a running blow has not reached yet still looks like the boss.
        cells = [thin if any(x in span for span in spans) else dense for x in range(width)]
        edge = self._edge(width)
        whole, part = int(edge), int((edge - int(edge)) * 8 + 0.5)
        struck = struck_cells(here, min(width, whole + 1), width, self.struck, self.ghost, self.heat)
        cells[:whole] = struck[:whole]
        if part and whole < width:
            glyph = here.glyphs.eighths[part] if part < 8 else here.glyphs.full
            cells[whole] = (glyph, Style(color=struck[whole][1].color, bgcolor=beside(here, cells[whole])))
        self._hairlines(cells, width)
        return cells

    def _edge(self, width: int) -> float:
        """Where the struck metal ends, in cells: it comes to rest on a cell's edge, where hairline and name are."""
        target = integrity(self._scores, self._maximum)
        return self.struck * (cell_of(target, width) / target if target else width)

    def _hairlines(self, cells: list[Piece], width: int) -> None:
        """A thin cut at the start of every stretch, and one at the pass line while it lies ahead."""
        here = look(self)
        thin = here.glyphs.eighths[1] if here.glyphs.block_face else here.glyphs.hairline
        edge = round(self._edge(width))
        tick = self._threshold_cell(width)
        cuts = {cell_of(stretch.start, width): "ground" for stretch in self._stretches()}
        cuts.pop(edge, None)
        if edge <= tick:
            cuts[tick] = "ash"
        for x, role in cuts.items():
            if 0 < x < width:
                cells[x] = (thin, Style(color=here.palette.style(role).color, bgcolor=beside(here, cells[x])))

    def _names(self, width: int) -> Strip:
        """Whose stretch is whose, below it; the criterion pointed out stands bright."""
        here = look(self)
        line: list[Piece] = []
        at = 0
        for stretch in self._stretches():
            start, end = cell_of(stretch.start, width), cell_of(stretch.end, width)
            room = end - start - 1
            name = brief(stretch.part.label.lower(), room - (room > _AIRY))
            if start < at or (room < _LEGIBLE and name.endswith("…")):
                continue
            taken = stretch.kind is SegmentKind.EARNED
            role = "ash" if stretch.part.id == (self.hovered or self.chosen) else "dim" if taken else "faint"
            line += [
                (" " * (start - at), Style()),
                (fit(name, room), here.palette.style(role)),
            ]
            at = start + room
        tick = self._threshold_cell(width)
        if tick >= at or not line:
            line += [(" " * (tick - at), Style()), (here.glyphs.below, here.palette.style("ash"))]
        return strip(line, width, self.ground)

    def _words(self, width: int) -> Strip:
        here = look(self)
        palette = here.palette
        total = round(math.fsum(self._scores.values()), 9)
        share = integrity(self._scores, self._maximum)
        hp_words = format_boss_hp(share)
        done = len(self._scores) == len(self._parts)
        end = self._note or self._pointed() or (gap(total, self._threshold, self._maximum) if done else "")
        struck = f"{format_number(total)}/{format_number(self._maximum)} {here.glyphs.dot} {format_percent(share)}"
        spare = width - cell_len(f"INTEGRITY {struck}{hp_words}")
        left: list[Piece] = [
            ("INTEGRITY ", palette.style("dim")),
            (struck, palette.style("molten", bold=True)),
            (next((words for words in _HP if cell_len(words) <= spare), _HP[-1]), palette.style("dim")),
            (hp_words, palette.style(palette.accent(self._accent), bold=True)),
        ]
        room = width - sum(cell_len(text) for text, _ in left) - 2
        right = [(end, palette.style("ash"))] if 0 < cell_len(end) <= room else []
        return spread(left, right, width, self.ground)

    def _pointed(self) -> str:
        """The stretch that is pointed out, in words."""
        part = next((part for part in self._parts if part.id == (self.hovered or self.chosen)), None)
        if part is None or part.id not in self._scores:
            return ""
        score = self._scores[part.id]
        kept = f", the boss keeps {format_number(part.max_score - score)}" if score < part.max_score else ""
        return f"{part.label}: {format_number(score)} of {format_number(part.max_score)}{kept}"
