"""The criteria of a fight, one under the other: level as pips and words, reason, evidence, change since last time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.formatting import level_role
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.theme.look import Look, look
from evalforge.app.ui.widgets.painting import Piece, brief, fit, strip, wrap
from evalforge.model.number_format import format_signed
from evalforge.model.text import clean_line

_WIDE = 100
_COMFORTABLE = 70
_REASON_MOST = 8


@dataclass(frozen=True)
class Card:
    """One criterion as the board shows it; ``score`` is None until it struck, and ``unjudged`` says what it is then."""

    id: str
    label: str
    max_score: float
    score: float | None = None
    unjudged: str = "waiting"
    level: str = ""
    comment: str = ""
    place: str = ""
    change: float | None = None
    striking: bool = False
    remark: str = ""


class CriterionBoard(ScrollView):
    """Rows of criteria; one line each where it is narrow, with reason and evidence where there is room."""

    DEFAULT_CSS = """
    CriterionBoard { height: 1fr; background: transparent; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Previous criterion", show=False, id="board.up"),
        Binding("down,j", "move(1)", "Next criterion", show=False, id="board.down"),
        Binding("enter", "open", "evidence", key_display="⏎", id="board.open"),
    ]
    cursor: reactive[int] = reactive(-1)

    class Pointed(Message):
        """The cursor stands on another criterion."""

        def __init__(self, criterion_id: str) -> None:
            super().__init__()
            self.criterion_id = criterion_id

    class Opened(Message):
        """A criterion was opened."""

        def __init__(self, criterion_id: str) -> None:
            super().__init__()
            self.criterion_id = criterion_id

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._cards: list[Card] = []
        self._lines: list[tuple[int, list[Piece]]] = []
        self._laid_out_for: Look | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """What is shown."""
        return tuple(self._cards)

    def set_cards(self, cards: Sequence[Card]) -> None:
        """Show these criteria."""
        self._cards = list(cards)
        self.cursor = -1
        self._lay_out()

    def change(self, criterion_id: str, **what: object) -> None:
        """Change what one card says."""
        self._cards = [replace(card, **what) if card.id == criterion_id else card for card in self._cards]  # type: ignore[arg-type]
        self._lay_out()

    def point(self, criterion_id: str) -> None:
        """Move the cursor to a criterion."""
        self.cursor = next((i for i, card in enumerate(self._cards) if card.id == criterion_id), -1)

    @property
    def _changed(self) -> bool:
        return any(card.change for card in self._cards)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a criterion that was judged has evidence."""
        return action != "open" or any(card.score is not None for card in self._cards)

    def needs(self, width: int) -> int:
        """How many lines it takes to say all there is to say, at a width."""
        if width < _WIDE or not self._cards:
            return len(self._cards)
        _, reasons = self._reasons(width)
        return sum(len(reason) + bool(card.place) + 1 for reason, card in zip(reasons, self._cards, strict=True)) - 1

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        if self._cards:
            self.cursor = min(max(self.cursor + step, 0), len(self._cards) - 1)

    def action_open(self) -> None:
        """Open the criterion under the cursor, or the first."""
        if self._cards:
            self.cursor = max(self.cursor, 0)
            self.post_message(self.Opened(self._cards[self.cursor].id))

    def watch_cursor(self, cursor: int) -> None:
        """Keep the cursor in sight and tell about it."""
        self._lay_out()
        if 0 <= cursor < len(self._cards):
            rows = [y for y, (index, _) in enumerate(self._lines) if index == cursor]
            if rows:
                self.scroll_to_region(Region(0, rows[0], self.size.width, len(rows)), animate=False, force=True)
            self.post_message(self.Pointed(self._cards[cursor].id))

    def on_click(self, event: events.Click) -> None:
        """Open what is clicked."""
        row = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if 0 <= row < len(self._lines) and self._lines[row][0] >= 0:
            self.cursor = self._lines[row][0]
            self.action_open()

    def on_resize(self) -> None:
        """Lay out anew."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """Draw anew in another theme; most that is told here is of focus and the like."""
        super().notify_style_update()
        if look(self) != self._laid_out_for:
            self._lay_out()

    def _lay_out(self) -> None:
        if not self.is_mounted or not self.size.width:
            return
        self._laid_out_for = look(self)
        self._lines = (self.size.width >= _WIDE and self._roomy()) or self._dense()
        self.virtual_size = Size(self.size.width, len(self._lines))
        self.refresh()

    def _dense(self) -> list[tuple[int, list[Piece]]]:
        """Every card on a line."""
        return [(index, self._head(index, card, self.size.width)) for index, card in enumerate(self._cards)]

    def _roomy(self) -> list[tuple[int, list[Piece]]]:
        """Every card with as much of its reason as lets all of them be seen at once; nothing if that is none."""
        room, reasons = self._reasons(self.size.width)
        places = sum(bool(card.place) for card in self._cards)
        for apart in (True, False):
            gaps = len(self._cards) - 1 if apart else 0
            for most in range(_REASON_MOST, 1 if apart else 0, -1):
                if sum(min(most, len(reason)) for reason in reasons) + places + gaps <= self.size.height:
                    return self._spaced(most, room, apart=apart)
        return []

    def _reasons(self, width: int) -> tuple[int, list[list[str]]]:
        """The room there is for reasons, and each of them in it."""
        room = max(20, width - sum(self._columns(width)) - 13)
        return room, [wrap(_reason(card), room, _REASON_MOST) if card.comment else [""] for card in self._cards]

    def _spaced(self, most: int, room: int, *, apart: bool) -> list[tuple[int, list[Piece]]]:
        lines: list[tuple[int, list[Piece]]] = []
        for index, card in enumerate(self._cards):
            lines += [(-1, [])] if index and apart else []
            lines += [(index, row) for row in self._wide(index, card, most, room)]
        return lines

    def _columns(self, width: int) -> tuple[int, int, int]:
        """How wide pips, labels and levels are: as wide as they need, up to what the width allows."""
        most_label, most_level = (30, 20) if width >= _WIDE else (18, 20) if width >= _COMFORTABLE else (14, 10)
        pip = max(len(self._pips(card)) for card in self._cards) + 2
        label = max(len(brief(clean_line(card.label), most_label)) for card in self._cards)
        level = min(most_level, max([11, *(len(card.level) for card in self._cards)]))
        return pip, label, level

    def _head(self, index: int, card: Card, width: int) -> list[Piece]:
        """Cursor, pips, label, level, change, and as much of the reason as fits."""
        palette, glyphs = look(self).palette, look(self).glyphs
        at_cursor = index == self.cursor
        pip, label, level = self._columns(width)
        role, words = self._state(card)
        ink = "ash" if card.score is not None or card.striking or at_cursor else "dim"
        pieces: list[Piece] = [
            (f"{glyphs.cursor if at_cursor or card.striking else ' '} ", palette.style("ember")),
            (fit(self._pips(card), pip), palette.style(role)),
            (fit(brief(clean_line(card.label), label), label) + "  ", palette.style(ink, bold=at_cursor)),
            (fit(words, level) + "  ", palette.style(role)),
        ]
        room = width - 2 - pip - label - level - 5 - (5 if self._changed else 0)
        pieces.append((fit(_reason(card), room), palette.style("dim")))
        if self._changed:
            change = format_signed(card.change) if card.change else ""
            up = (card.change or 0) > 0
            pieces.append((change.rjust(5), palette.style("verdigris" if up else "blood", bold=True)))
        return pieces

    def _wide(self, index: int, card: Card, most: int, room: int) -> list[list[Piece]]:
        """The head, then the rest of the reason, ``most`` lines in all, and the first evidence below it."""
        palette, glyphs = look(self).palette, look(self).glyphs
        indent = sum(self._columns(self.size.width)) + 6
        lines = wrap(_reason(card), room, most) if card.comment else [""]
        rows = [self._head(index, replace(card, comment=lines[0], remark=""), self.size.width)]
        rows += [[(" " * indent, Style()), (line, palette.style("dim"))] for line in lines[1:]]
        if card.place:
            place = fit(f"{glyphs.arrow} {clean_line(card.place)}", room)
            rows.append([(" " * indent, Style()), (place, palette.style("steel"))])
        return rows

    def _state(self, card: Card) -> tuple[str, str]:
        """The role a card is drawn in, and its level in words."""
        if card.striking and card.score is None:
            return "ember", f"striking {'.' * 3}"
        if card.score is None:
            return "faint", card.unjudged
        return level_role(card.score, card.max_score), clean_line(card.level) or f"{card.score:g}"

    def _pips(self, card: Card) -> str:
        glyphs = look(self).glyphs
        if card.striking and card.score is None:
            return glyphs.half_pip
        return glyphs.pips(card.score or 0, card.max_score)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = self.scroll_offset.y + y
        if not 0 <= index < len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        owner, pieces = self._lines[index]
        base = self.rich_style
        if owner == self.cursor and owner >= 0 and self.has_focus:
            base += look(self).palette.style("", on="raised")
        return strip(pieces, self.size.width, base)


@lru_cache(maxsize=64)
def _reason(card: Card) -> str:
    remark = f" ({card.remark})" if card.remark else ""
    return "".join(text for text, _ in spans(clean_line(card.comment, cap=1200), "")) + remark
