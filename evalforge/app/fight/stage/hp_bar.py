"""The main element of the game: the boss's life. Zero is the pass mark; what is won beyond it is gold below."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import app_of, look
from evalforge.app.ui.widgets.hp_bar_cells import BarMoment, bar_cells, gold_line
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import Piece, short_name, spread, strip
from evalforge.model.hp import Chunk, HpScale, Part, StrikeBook, life_cells
from evalforge.model.number_format import format_number, format_percent

_TALL = 6
"""With this many lines, notches have a line of their own and the bar has two."""
_GOLD_WIDTH = 24
_LABEL_GAP = 2
_WORD_GAP = 12
"""What separates a word in the number's place from those of a notch: "DOWN last time" would be read as a sentence."""


class _Label(NamedTuple):
    """A text above or below the bar, at the cell where it should begin."""

    column: int
    text: str
    role: str
    is_bold: bool = False
    mark: str = ""
    """What stays of it where there is no room for all."""


class HpBar(PaintedWidget):
    """The life left as one number, notches at earlier results, the bar, what struck, and the gold beyond the mark.

    The bar drains from its right end and leaves an empty track. Each criterion's points are one chunk with its name
    below; a blow leaves a ghost that fades from white, and life that comes back is blood at first.
    """

    DEFAULT_CSS = """
    HpBar { height: 4; width: 1fr; }
    """

    total: reactive[float] = reactive(0.0, repaint=False)
    """The displayed points, which move towards the true ones."""
    heat: reactive[float] = reactive(0.0, repaint=False)
    """How bright the newest change glows, from 1 at the blow to 0."""
    chosen: reactive[str] = reactive("")
    """The criterion whose points are highlighted."""
    hovered: reactive[str] = reactive("")
    """The criterion whose points are under the mouse; it takes precedence over the chosen one."""

    class Chosen(Message):
        """Posted when a chunk is clicked."""

        def __init__(self, criterion_id: str) -> None:
            super().__init__()
            self.criterion_id = criterion_id

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._parts: dict[str, Part] = {}
        self._scale = HpScale(0.0, 0.0)
        self._book = StrikeBook()
        self._struck_now: set[str] = set()
        self._healed: list[str] = []
        """The criteria that fell in this fight."""
        self._before = 0.0
        """The points before the newest change."""
        self._entered = 0.0
        """The points with which the boss entered."""
        self._cracks = 0.0
        self._notches: tuple[tuple[float, str], ...] = ()
        self._accent = "#d9822b"
        self._note = ""

    def prepare(self, parts: Sequence[Part], scale: HpScale, accent: str) -> None:
        """Prepare a fight, with the boss unhurt."""
        self._parts = {part.id: part for part in parts}
        self._scale, self._accent = scale, accent
        self._notches = ()
        self.chosen = ""
        self.show({})

    def show(self, scores: Mapping[str, float]) -> None:
        """Show these scores at once, as the boss enters with them."""
        self._book = StrikeBook()
        for criterion_id, score in scores.items():
            self._book.enter(criterion_id, score)
        self._entered = self._book.total
        self._struck_now = set()
        self._healed = []
        self._cracks, self._note = 0.0, ""
        self._settle()

    def show_notches(self, last: float | None, best: float | None, practice: float | None = None) -> None:
        """Mark the totals of the last attempt, of the best one and of practice; None marks nothing."""
        if best is not None and last is not None and best <= last:
            best = None
        totals = (last, "last time"), (best, "your best"), (practice, "sparring")
        self._notches = tuple((total, text) for total, text in totals if total is not None)
        self.refresh()

    def strike(self, criterion_id: str, score: float, *, at_once: bool = False) -> float:
        """Change one criterion's score: what it gained is struck off, what it lost heals.

        Returns:
            The change in points.
        """
        self._settle()
        change = self._book.enter(criterion_id, score)
        if change > 0:
            self._struck_now.add(criterion_id)
        elif change < 0:
            self._healed.append(criterion_id)
        if at_once or not change or look(self).motion is motion.Motion.NONE:
            self._settle()
            return change
        self.heat = 1.0
        self.animate("total", self._book.total, duration=motion.SETTLE, easing="out_cubic", level="basic")
        cool, wait = motion.GHOST_FADE, motion.GHOST_DELAY
        self.animate("heat", 0.0, duration=cool, delay=wait, easing="in_cubic", level="basic")
        self.refresh()
        return change

    def crack(self, points: float) -> None:
        """Let the end of the life crack by this many points: trials pass, but no level is earned yet."""
        self._cracks = points
        self.draw_again()

    def surge(self) -> None:
        """Let the empty track glow once more, because the boss falls."""
        if look(self).motion is motion.Motion.NONE:
            return
        self._settle()
        self._before, self.heat = 0.0, 1.0
        self.animate("heat", 0.0, duration=motion.SETTLE + 0.3, easing="in_cubic", level="basic")

    def finish(self) -> None:
        """End all animation in its final state."""
        self._settle()

    def show_note(self, text: str) -> None:
        """Show a note beside the number."""
        self._note = text
        self.refresh()

    @property
    def points(self) -> float:
        """All points on the bar, whatever is still moving."""
        return self._book.total

    def _settle(self) -> None:
        for name, value in (("total", self._book.total), ("heat", 0.0)):
            # A running animation would overwrite the value in its next frame.
            app_of(self).animator.force_stop_animation(self, name)
            setattr(self, name, value)
        self._before = self._book.total
        self.refresh()

    def watch_total(self) -> None:
        """Redraw the parts that drained, cooled or glow differently."""
        self.draw_again()

    watch_heat = watch_total

    def on_click(self, event: events.Click) -> None:
        """Highlight the chunk that was clicked."""
        owner = self._owner(event)
        if owner:
            self.post_message(self.Chosen(owner))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Name the criterion under the mouse."""
        self.hovered = self._owner(event)

    def on_leave(self) -> None:
        """Remove the highlight when the mouse has left."""
        self.hovered = ""

    def _owner(self, event: events.MouseEvent) -> str:
        column, width = event.get_content_offset_capture(self).x, self.content_size.width
        spans = ((self._span(chunk, width), chunk.criterion_id) for chunk in self._book.chunks())
        return next((owner for (start, end), owner in spans if start <= column < end), "")

    def line(self, y: int) -> Strip:
        """Draw one line of the bar."""
        width, height = self.size.width, self.size.height
        is_tall = height >= _TALL
        if not self._scale.maximum or width < 4:
            return Strip.blank(width, self.ground)
        if y == 0:
            return self._numbers(width, with_notches=not is_tall)
        if is_tall and y == 1:
            return self._labels(self._notch_labels(width), width)
        if y == height - 2:
            return self._labels(self._chunk_labels(width), width)
        if y == height - 1:
            return strip(self._gold(), width, self.ground)
        top = 2 if is_tall else 1
        return strip(self._bar(width, y - top, height - 2 - top), width, self.ground)

    # The bar

    def _life(self, total: float, width: int) -> int:
        return life_cells(self._scale.life(total), width)

    def _bar(self, width: int, row: int, rows: int) -> list[Piece]:
        """Draw one line of the bar."""
        life = self._scale.life(self.total)
        cracked = life - self._scale.life(self.total + self._cracks) if self._cracks > 0 else 0.0
        moment = BarMoment(life, self._scale.life(self._before), self.heat, cracked, self._scale.life(self._entered))
        return bar_cells(moment, width, look(self), self._accent, row, rows)

    def _span(self, chunk: Chunk, width: int) -> tuple[int, int]:
        """The cells of a chunk, of which those beyond the mark are on the gold line."""
        return self._life(chunk.end, width), self._life(chunk.start, width)

    # Words

    def _numbers(self, width: int, *, with_notches: bool) -> Strip:
        """Draw the life left as the one number, or that there is none; at the right what is pointed at."""
        palette = look(self).palette
        life_left = self._scale.life(self.total)
        word, role = f"HP {format_percent(life_left)}", palette.accent(self._accent)
        if self._scale.has_fallen(self.total):
            is_flawless = self.total >= self._scale.maximum - 1e-9
            word, role = ("FLAWLESS", "molten") if is_flawless else ("DOWN", "verdigris")
        number = (word, palette.style(role, bold=True))
        beside = self._note or self._pointed()
        if with_notches and not beside:
            labels = self._notch_labels(width)
            gap = _WORD_GAP if self._scale.has_fallen(self.total) else _LABEL_GAP
            is_left_free = all(label.column > len(word) + gap for label in labels)
            own = _Label(0 if is_left_free else width - len(word), word, role, is_bold=True)
            return self._labels([own, *labels], width)
        return spread([number], [(f"  {beside}", palette.style("ash"))] if beside else [], width, self.ground)

    def _pointed(self) -> str:
        """The points of the highlighted criterion; empty if none is highlighted."""
        part = self._parts.get(self.hovered or self.chosen)
        if part is None:
            return ""
        return f"{part.label}: {format_number(self._book.score(part.id))} of {format_number(part.max_score)}"

    def _notch_labels(self, width: int) -> list[_Label]:
        """The notches above the bar, each with what it marks on the side that has room."""
        glyphs = look(self).glyphs
        marks = {
            "last time": (glyphs.notch, "ash"), "your best": (glyphs.star, "molten"),
            "sparring": (glyphs.half_pip, "ember"),
        }  # fmt: skip
        labels: list[_Label] = []
        for total, text in reversed(self._notches):
            mark, role = marks[text]
            column = min(width - 1, self._life(total, width))
            if labels and labels[-1].column == column:
                labels[-1] = labels[-1]._replace(text=f"{labels[-1].text}, {text}")
            else:
                labels.append(_Label(column, f"{mark} {text}", role, mark=mark))
        is_cut = [label.column + cell_len(label.text) > width for label in labels]
        return [_right_aligned(label) if cut else label for label, cut in zip(labels, is_cut, strict=True)]

    def _chunk_labels(self, width: int) -> list[_Label]:
        """The names of the criteria that struck, below their chunks; what heals says so at its place."""
        glyphs = look(self).glyphs
        labels: list[_Label] = []
        spans = {chunk.criterion_id: self._span(chunk, width) for chunk in self._book.chunks()}
        for criterion_id, (start, end) in spans.items():
            # Only what this attempt struck: chunks of earlier ones were laid in another order then.
            is_lit = criterion_id in self._struck_now | {self.hovered, self.chosen}
            name = short_name(self._parts[criterion_id].label.lower())
            if end > start and name and is_lit:
                labels.append(_Label(start, name, "ash"))
        edge = self._life(self._book.total, width)
        # The boss heals only if it has more life than it entered with; else another criterion made up for this one.
        fate = "heals" if self._book.total < self._entered else "is lost"
        for criterion_id in self._healed:
            text = f"{glyphs.heals} {short_name(self._parts[criterion_id].label.lower())} {fate}"
            labels.append(_Label(max(0, edge - len(text) - 1), text, "blood", is_bold=True))
        return labels

    def _labels(self, labels: Sequence[_Label], width: int) -> Strip:
        """Draw labels on one line, whole or not at all: one that would overlap moves to the left if it can."""
        palette = look(self).palette
        placed: list[_Label] = []
        left_end = width + _LABEL_GAP
        for label in sorted(labels, reverse=True):
            column = min(label.column, left_end - _LABEL_GAP - cell_len(label.text))
            if column >= 0 and column + cell_len(label.text) > label.column - _LABEL_GAP:
                placed.append(label._replace(column=column))
                left_end = column
            elif label.mark and label.column < left_end:
                placed.append(label._replace(text=label.mark))
                left_end = label.column
        line: list[Piece] = []
        written = 0
        for label in reversed(placed):
            line.append((" " * (label.column - written), Style()))
            line.append((label.text, palette.style(label.role, bold=label.is_bold)))
            written = label.column + cell_len(label.text)
        return strip(line, width, self.ground)

    def _gold(self) -> list[Piece]:
        """Draw what is won beyond the mark: a dim line until the boss falls, then gold for every point."""
        points = self._scale.gold_points
        if not points:
            return []
        current_look = look(self)
        palette = current_look.palette
        has_fallen = self._scale.has_fallen(self.total)
        gold = self._scale.gold(self._book.total) if has_fallen else 0.0
        line = gold_line(gold / points, min(_GOLD_WIDTH, max(4, self.size.width // 3)), current_look)
        count = f" {format_number(gold)} of {format_number(points)}" if has_fallen else ""
        head = f"{current_look.glyphs.star} flawless "
        return [(head, palette.style("molten" if gold else "faint")), *line, (count, palette.style("dim"))]


def _right_aligned(label: _Label) -> _Label:
    """A notch at the end of its words, where there is no room for them to its right."""
    words = label.text.removeprefix(f"{label.mark} ")
    return label._replace(text=f"{words} {label.mark}", column=label.column - cell_len(words) - 1)
