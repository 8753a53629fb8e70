"""The main element of the game: the boss's life, drained from its right end, criterion by criterion."""

import math
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from evalforge.app.ui.text.formatting import gap_to_pass
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import app_of, look
from evalforge.app.ui.widgets.hp_bar_cells import damage, edge, gap, life, notch
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import Piece, brief, fit, spread, strip
from evalforge.model.hp_chunks import Chunk, Part, cell_of, chunks, has_fallen, integrity
from evalforge.model.number_format import format_boss_hp, format_number, format_percent

_LEGIBLE, _AIRY = 5, 12
"""A name cut to fewer letters is useless; with more room, names are spaced further apart."""
_GAPS = (3, 2, 1)
"""The gap between two numbers in cells, from most to least room."""
_ROWS_OF_WORDS = 3
"""The rows of text: numbers and mark above the bar, names below it."""


class HpBar(PaintedWidget):
    """Numbers, the mark where the boss falls, the bar, and the names of the criteria that did damage.

    The bar starts full and drains from its right end. Each criterion's damage is one chunk: it flashes white, sinks,
    and settles as a bed of gold with its name below it. Past the mark the boss has fallen, and the
    rest of the bar is ash.
    """

    DEFAULT_CSS = """
    HpBar { height: 4; width: 1fr; }
    """

    struck: reactive[float] = reactive(0.0, repaint=False)
    """The displayed damage share, which moves towards the true one."""
    heat: reactive[float] = reactive(0.0, repaint=False)
    """How bright the newest damage glows, from 1 at the blow to 0."""
    chosen: reactive[str] = reactive("")
    """The criterion whose damage is highlighted."""
    hovered: reactive[str] = reactive("")
    """The criterion whose damage is under the mouse; it takes precedence over the chosen one."""

    class Chosen(Message):
        """Posted when a chunk of damage is clicked."""

        def __init__(self, criterion_id: str) -> None:
            super().__init__()
            self.criterion_id = criterion_id

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._parts: tuple[Part, ...] = ()
        self._scores: dict[str, float] = {}
        self._threshold = self._maximum = self._settled = 0.0
        self._accent = "#d9822b"
        self._note = ""

    def prepare(self, parts: Sequence[Part], threshold: float, maximum: float, accent: str) -> None:
        """Prepare a fight, with the boss unhurt."""
        self._parts, self._threshold, self._maximum = tuple(parts), threshold, maximum
        self._accent, self._scores, self._note = accent, {}, ""
        self._settle()

    def show(self, scores: Mapping[str, float]) -> None:
        """Show these scores at once, without animation; damage already on the bar keeps its place."""
        self._scores = {name: scores[name] for name in (*self._scores, *scores) if name in scores}
        self._settle()

    def strike(self, criterion_id: str, score: float) -> None:
        """Show one criterion's damage: the bar drains, the chunk glows and settles."""
        self._settle()
        self._scores[criterion_id] = score
        target = integrity(self._scores, self._maximum)
        if look(self).motion is motion.Motion.NONE or target <= self.struck:
            self._settle()
            return
        self.heat = 1.0
        self.animate("struck", target, duration=motion.SETTLE, easing="out_cubic", level="basic")
        cool, wait = motion.GHOST_FADE, motion.GHOST_DELAY
        self.animate("heat", 0.0, duration=cool, delay=wait, easing="in_cubic", level="basic")
        self.refresh()

    def surge(self) -> None:
        """Make all damage so far glow once more, because the boss falls."""
        if look(self).motion is motion.Motion.NONE:
            return
        self._settle()
        self._settled, self.heat = 0.0, 1.0
        self.animate("heat", 0.0, duration=motion.SETTLE + 0.3, easing="in_cubic", level="basic")

    def finish(self) -> None:
        """End all animation in its final state."""
        self._settle()

    def show_note(self, text: str) -> None:
        """Show a note instead of the distance to the win; without any level, instead of the damage too."""
        self._note = text
        self.refresh()

    def _settle(self) -> None:
        target = integrity(self._scores, self._maximum)
        for name, value in (("struck", target), ("heat", 0.0)):
            # A running animation would overwrite the value in its next frame.
            app_of(self).animator.force_stop_animation(self, name)
            setattr(self, name, value)
        self._settled = target
        self.refresh()

    def watch_struck(self) -> None:
        """Redraw the parts that drained, cooled or glow differently."""
        self.draw_again()

    watch_heat = watch_struck

    def on_click(self, event: events.Click) -> None:
        """Highlight the damage that was clicked."""
        owner = self._owner(event)
        if owner:
            self.post_message(self.Chosen(owner))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Name the criterion of the damage under the mouse."""
        self.hovered = self._owner(event)

    def on_leave(self) -> None:
        """Remove the highlight when the mouse has left."""
        self.hovered = ""

    def _owner(self, event: events.MouseEvent) -> str:
        share = (event.get_content_offset_capture(self).x + 0.5) / max(1, self.content_size.width)
        return next((chunk.part.id for chunk in self._chunks() if chunk.start <= share < chunk.end), "")

    def _chunks(self) -> tuple[Chunk, ...]:
        return chunks(self._parts, self._scores, self._maximum)

    @property
    def _fallen(self) -> bool:
        """Whether the displayed boss has fallen; none has while nothing is judged, whatever the mark."""
        return bool(self._scores) and has_fallen(self.struck * self._maximum, self._threshold)

    @property
    def _bar_height(self) -> int:
        return max(1, self.size.height - _ROWS_OF_WORDS)

    def line(self, y: int) -> Strip:
        """Draw one line of the bar."""
        width, height = self.size.width, self._bar_height
        if not self._maximum or width < 4 or y >= height + _ROWS_OF_WORDS:
            return Strip.blank(width, self.ground)
        if y == 0:
            return self._numbers(width)
        if y == 1:
            return self._mark(width)
        if y < 2 + height:
            return strip(self._bar(width, y - 2), width, self.ground)
        return self._names(width)

    def _mark_cell(self, width: int) -> int:
        return min(width - 1, max(0, cell_of(1 - self._threshold / self._maximum, width)))

    def _mark(self, width: int) -> Strip:
        """Draw the mark where the boss falls, labelled on the side with more room."""
        current_look, at = look(self), self._mark_cell(width)
        label = "fell here" if self._fallen else "falls here"
        style = current_look.palette.style("verdigris" if self._fallen else "ash", bold=self._fallen)
        if at + len(label) + 2 <= width:
            return strip([(" " * at, Style()), (f"{current_look.glyphs.above} {label}", style)], width, self.ground)
        label = label if at > len(label) else ""
        blank = " " * (at - len(label) - bool(label))
        return strip([(blank, Style()), (f"{label} " if label else "", style), (current_look.glyphs.above, style)],
                     width, self.ground)  # fmt: skip

    def _bar(self, width: int, row: int) -> list[Piece]:
        """Draw one line of the bar: life, its last cell, glowing damage, settled damage."""
        current_look, fallen = look(self), self._fallen
        end = self._life_width(width)
        # Ash isn't drawn in eighths of a cell: its texture fills whole cells.
        has_eighths = current_look.glyphs.block_face and not fallen
        whole, eighths = int(end), int((end - int(end)) * 8 + 0.5) if has_eighths else 0
        # The glow spans from the end of life to the previously settled damage.
        settled_from = max(whole, cell_of(1 - self._settled, width) if self.heat > 0 else whole)
        alive = life(current_look, self._accent, fallen=fallen)
        glowing = damage(current_look, self.heat, row=row, rows=self._bar_height)
        cells = [alive] * whole + [glowing] * (settled_from - whole)
        cells += [damage(current_look, 0.0, row=row, rows=self._bar_height)] * (width - settled_from)
        self._cut(cells, width)
        tick = self._mark_cell(width)
        if eighths and whole < width:
            cells[whole] = edge(current_look, alive, cells[whole], eighths) if eighths < 8 else alive
        if 0 < tick < whole:
            cells[tick] = notch(current_look, self._accent, fallen=fallen)
        return cells

    def _cut(self, cells: list[Piece], width: int) -> None:
        """Insert a gap before each criterion's damage, so that life and damage are distinct even without colour."""
        for chunk in self._chunks():
            at = cell_of(chunk.start, width)
            if int(self._life_width(width)) <= at < cell_of(chunk.end, width) - 1:
                cells[at] = gap(look(self))

    def _life_width(self, width: int) -> float:
        """The end of life, in cells: it comes to rest at a cell's edge, where gap and name are."""
        target = integrity(self._scores, self._maximum)
        if abs(self.struck - target) < 1e-9:
            return float(cell_of(1 - target, width))
        return (1 - self.struck) * width

    def _names(self, width: int) -> Strip:
        """Draw the names of the criteria below their damage; the highlighted one is bright."""
        current_look = look(self)
        line: list[Piece] = []
        at, tick = 0, self._mark_cell(width)
        chunk_cells = [(cell_of(chunk.start, width), cell_of(chunk.end, width), chunk.part) for chunk in self._chunks()]
        if not chunk_cells or tick < chunk_cells[-1][0]:
            line, at = [(" " * tick, Style()), (current_look.glyphs.below, current_look.palette.style("ash"))], tick + 1
        for start, end, part in reversed(chunk_cells):
            columns = end - start - 1
            name = brief(part.label.lower(), columns - (columns > _AIRY))
            if start < at or (columns < _LEGIBLE and name.endswith("…")):
                continue
            role = "ash" if part.id == (self.hovered or self.chosen) else "dim"
            line += [(" " * (start + 1 - at), Style()), (fit(name, columns), current_look.palette.style(role))]
            at = end
        return strip(line, width, self.ground)

    def _numbers(self, width: int) -> Strip:
        """Draw HP, damage and integrity, and at the right end what they mean."""
        palette = look(self).palette
        total = round(math.fsum(self._scores.values()), 9)
        share = self.struck
        if share < integrity(self._scores, self._maximum) - 1e-9:  # it counts up to the total
            total = math.floor(share * self._maximum + 1e-9)
        hp_role = "dim" if self._fallen else palette.accent(self._accent)
        numbers = [
            ("BOSS HP ", format_boss_hp(share), hp_role),
            ("DAMAGE ", f"{format_number(total)}/{format_number(self._maximum)}", "molten"),
            ("INTEGRITY ", format_percent(share), "molten"),
        ]
        if self._note and not self._scores:  # nothing was scored, which differs from a score of 0
            del numbers[1:]
        choices = (self._said(numbers[:count], space) for count in (3, 2) for space in _GAPS)
        left_pieces = next((pieces for pieces in choices if _width(pieces) <= width), self._said(numbers[:1], 0))
        free_columns = width - _width(left_pieces) - 2
        text = next((text for text in self._meanings(total, share) if 0 < cell_len(text) <= free_columns), "")
        return spread(left_pieces, [(text, palette.style("ash"))] if text else [], width, self.ground)

    def _said(self, numbers: Sequence[tuple[str, str, str]], space: int) -> list[Piece]:
        """Draw numbers with their names, separated by this much space."""
        palette = look(self).palette
        pieces: list[Piece] = []
        for name, number, role in numbers:
            pieces += [(" " * space if pieces else "", Style()), (name, palette.style("dim"))]
            pieces.append((number, palette.style(role, bold=True)))
        return pieces

    def _meanings(self, total: float, share: float) -> tuple[str, ...]:
        """Explain the numbers, or the highlighted damage, in decreasing length."""
        if self._note:
            return (self._note,)
        if pointed := self._pointed():
            return pointed
        if self._fallen and total < self._maximum:
            return (f"{format_boss_hp(share)} short of a flawless win", "down")
        if len(self._scores) == len(self._parts):
            return (gap_to_pass(total, self._threshold, self._maximum),)
        mark = format_number(self._threshold)
        return (f"falls at {mark} of {format_number(self._maximum)}", f"falls at {mark}")

    def _pointed(self) -> tuple[str, ...]:
        """Describe the highlighted damage; empty if none is highlighted."""
        part = next((part for part in self._parts if part.id == (self.hovered or self.chosen)), None)
        if part is None or part.id not in self._scores:
            return ()
        score = self._scores[part.id]
        points = f"{format_number(score)} of {format_number(part.max_score)}"
        kept_hp = f", the boss keeps {format_number(part.max_score - score)}" if score < part.max_score else ""
        return f"{part.label}: {points}{kept_hp}", f"{part.label}: {points}", f"this one: {points}"


def _width(pieces: Sequence[Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)
