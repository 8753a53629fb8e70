"""The criteria of a fight as a list: level as pips and text, reason, evidence, change since the last attempt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import reactive

from evalforge.app.ui.text.formatting import level_role
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import brief, fit, wrap
from evalforge.model.number_format import format_signed
from evalforge.model.text import clean_line

_WIDE = 100
_COMFORTABLE = 70
_REASON_MOST = 8
_CHANGE = 5
"""The width of the change since the last attempt, in cells."""


@dataclass(frozen=True)
class Card:
    """One criterion on the board. ``score`` is None until it is judged; ``unjudged`` is shown instead."""

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


class CriterionBoard(LineList):
    """Rows of criteria; one line each if space is short, with reason and evidence if there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Previous criterion", show=False, id="board.up"),
        Binding("down,j", "move(1)", "Next criterion", show=False, id="board.down"),
    ]
    ONE_CLICK = True
    cursor: reactive[int] = reactive(-1)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("evidence", id=id)
        self._cards: list[Card] = []
        self._lines: list[tuple[int, Line]] = []
        self.leads_on = False
        """Whether enter leads on to the next boss as long as no criterion is pointed at."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards on the board, one for each criterion."""
        return tuple(self._cards)

    def set_cards(self, cards: Sequence[Card]) -> None:
        """Show a card for each of these criteria."""
        self._cards, self.leads_on = list(cards), False
        self.renew(len(self._cards), -1)

    def change(self, criterion_id: str, **what: object) -> None:
        """Change the content of one card."""
        self._cards = [replace(card, **what) if card.id == criterion_id else card for card in self._cards]  # type: ignore[arg-type]
        self.arrange_lines()

    @property
    def _changed(self) -> bool:
        return any(card.change for card in self._cards)

    def key_of(self, index: int) -> str:
        """The id of a criterion."""
        return self._cards[index].id

    def can_open(self, index: int) -> bool:
        """Enable opening only once criteria were judged and have evidence."""
        return any(card.score is not None for card in self._cards)

    def binding_label(self, binding: Binding) -> str:
        """The label of a key: for enter, where it leads."""
        leads_on = binding.action == "open" and self.leads_on and self.cursor < 0
        return "next boss" if leads_on else super().binding_label(binding)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the page keys to the screen."""
        return action != "move_page" and super().check_action(action, parameters)

    def needs(self, width: int) -> int:
        """The number of lines that show everything, at a width."""
        if width < _WIDE or not self._cards:
            return len(self._cards)
        _, reasons = self._reasons(width)
        return sum(len(reason) + bool(card.place) + 1 for reason, card in zip(reasons, self._cards, strict=True)) - 1

    def action_open(self) -> None:
        """Open the criterion under the cursor, or the first that still holds points; or lead on to the next boss."""
        if self.cursor < 0 and self.leads_on:
            self.call_later(self.run_action, "screen.next_boss")
            return
        if self.cursor < 0:
            holding = (index for index, card in enumerate(self._cards) if (card.score or 0) < card.max_score)
            self.cursor = next(holding, 0)
        super().action_open()

    def watch_cursor(self) -> None:
        """Redraw the card under the cursor, which looks different."""
        self.arrange_lines()
        super().watch_cursor()

    def item_of_lines(self, width: int) -> Sequence[int]:
        """Show as much of every card as there is room for."""
        self._lines = (width >= _WIDE and self._roomy(width)) or self._dense(width)
        return [index for index, _ in self._lines]

    def line(self, y: int) -> Line:
        """Draw one line of a card."""
        return self._lines[y][1]

    def _dense(self, width: int) -> list[tuple[int, Line]]:
        """Draw every card on one line."""
        return [(index, self._head(index, card, width)) for index, card in enumerate(self._cards)]

    def _roomy(self, width: int) -> list[tuple[int, Line]]:
        """Draw every card with as much reason as still shows all cards; empty if there is no room for reasons."""
        reason_width, reasons = self._reasons(width)
        place_count = sum(bool(card.place) for card in self._cards)
        for spaced in (True, False):
            gaps = len(self._cards) - 1 if spaced else 0
            for most in range(_REASON_MOST, 1 if spaced else 0, -1):
                if sum(min(most, len(reason)) for reason in reasons) + place_count + gaps <= self.size.height:
                    return self._spaced(most, reason_width, spaced=spaced)
        return []

    def _reasons(self, width: int) -> tuple[int, list[list[str]]]:
        """The lines available for each reason, and the reasons wrapped."""
        reason_width = max(20, width - sum(self._columns(width)) - 13)
        return reason_width, [
            wrap(_reason(card), reason_width, _REASON_MOST) if card.comment else [""] for card in self._cards
        ]

    def _spaced(self, most: int, reason_width: int, *, spaced: bool) -> list[tuple[int, Line]]:
        lines: list[tuple[int, Line]] = []
        for index, card in enumerate(self._cards):
            lines += [(-1, ())] if index and spaced else []
            lines += [(index, row) for row in self._wide(index, card, most, reason_width)]
        return lines

    def _columns(self, width: int) -> tuple[int, int, int]:
        """The widths of pips, labels and levels: as wide as needed, within what the width allows."""
        most_label, most_level = (30, 20) if width >= _WIDE else (18, 20) if width >= _COMFORTABLE else (14, 10)
        pip = max(len(self._pips(card)) for card in self._cards) + 2
        label = max(len(brief(clean_line(card.label), most_label)) for card in self._cards)
        level = min(most_level, max([11, *(len(card.level) for card in self._cards)]))
        return pip, label, level

    def _head(self, index: int, card: Card, width: int) -> Line:
        """Draw cursor, pips, label, level, change, and as much of the reason as fits."""
        at_cursor, mark = index == self.cursor, look(self).glyphs.cursor
        pip, label, level = self._columns(width)
        role, state_text = self._state(card)
        ink = "ash" if card.score is not None or card.striking or at_cursor else "dim"
        comment_width = width - 2 - pip - label - level - 5 - (_CHANGE if self._changed else 0)
        change = format_signed(card.change) if card.change else ""
        return (
            (f"{mark if at_cursor or card.striking else ' '} ", "ember"),
            (fit(self._pips(card), pip), role),
            (fit(brief(clean_line(card.label), label), label) + "  ", f"bold {ink}" if at_cursor else ink),
            (fit(state_text, level) + "  ", role),
            (fit(_reason(card), comment_width), "dim"),
            (
                change.rjust(_CHANGE) if self._changed else "",
                f"bold {'verdigris' if (card.change or 0) > 0 else 'blood'}",
            ),
        )

    def _wide(self, index: int, card: Card, most: int, reason_width: int) -> list[Line]:
        """Draw the head, then the rest of the reason, ``most`` lines in all, and the first evidence below it."""
        width = self.line_width
        indent = (" " * (sum(self._columns(width)) + 6), "")
        lines = wrap(_reason(card), reason_width, most) if card.comment else [""]
        rows: list[Line] = [self._head(index, replace(card, comment=lines[0], remark=""), width)]
        rows += [(indent, (line, "dim")) for line in lines[1:]]
        if card.place:
            rows.append((indent, (fit(f"{look(self).glyphs.arrow} {clean_line(card.place)}", reason_width), "steel")))
        return rows

    def _state(self, card: Card) -> Run:
        """The level's name and the role a card is drawn in."""
        if card.striking and card.score is None:
            return "ember", "striking"
        if card.score is None:
            return "faint", card.unjudged
        return level_role(card.score, card.max_score), clean_line(card.level) or f"{card.score:g}"

    def _pips(self, card: Card) -> str:
        glyphs = look(self).glyphs
        if card.striking and card.score is None:
            return glyphs.half_pip
        return glyphs.pips(card.score or 0, card.max_score)


@lru_cache(maxsize=64)
def _reason(card: Card) -> str:
    remark = f" ({card.remark})" if card.remark else ""
    return "".join(text for text, _ in spans(clean_line(card.comment, cap=1200), "")) + remark
