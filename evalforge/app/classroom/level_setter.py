"""Every criterion with the level it is at; the arrows choose another."""

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.model.number_format import format_number
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean_line

_LABEL_MOST = 34


class LevelSetter(Widget, can_focus=True):
    """A line for each criterion: up and down choose it, left and right its level. One change at a time is meant."""

    DEFAULT_CSS = """
    LevelSetter { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "criterion", key_display="↑↓", id="setter.up"),
        Binding("down,j", "move(1)", "next criterion", show=False, id="setter.down"),
        Binding("left,h", "shift(-1)", "level", key_display="←→", id="setter.less"),
        Binding("right,l", "shift(1)", "higher", show=False, id="setter.more"),
        Binding("enter", "take", "why", key_display="⏎", id="setter.take"),
    ]
    cursor: reactive[int] = reactive(0)

    class Taken(Message):
        """A level was chosen."""

    class Changed(Message):
        """Another criterion or level is chosen."""

    def __init__(
        self,
        rubric: BossRubric,
        judged: Mapping[str, float],
        counts: Mapping[str, float],
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(id=id)
        self._criteria = rubric.criteria
        self._judged, self._counts = dict(judged), dict(counts)
        self._score = self._counts.get(self._criteria[0].id, 0.0)

    @property
    def criterion_id(self) -> str:
        """The criterion under the cursor."""
        return self._criteria[self.cursor].id

    @property
    def score(self) -> float:
        """The level chosen for it."""
        return self._score

    @property
    def judged(self) -> float:
        """What the judge gave it."""
        return self._judged.get(self.criterion_id, 0.0)

    @property
    def changes(self) -> bool:
        """Whether the level is another one than counts now."""
        return self._score != self._counts.get(self.criterion_id)

    @property
    def description(self) -> str:
        """What the chosen level means."""
        level = next((one for one in self._criteria[self.cursor].levels if one.score == self._score), None)
        return clean_line(level.description, cap=600) if level else ""

    def action_move(self, step: int) -> None:
        """Another criterion."""
        self.cursor = (self.cursor + step) % len(self._criteria)

    def watch_cursor(self) -> None:
        """It begins at the level that counts."""
        self._score = self._counts.get(self.criterion_id, 0.0)
        self.post_message(self.Changed())

    def action_shift(self, step: int) -> None:
        """Another level."""
        scores = [level.score for level in self._criteria[self.cursor].levels]
        at = scores.index(self._score) if self._score in scores else 0
        self._score = scores[min(max(at + step, 0), len(scores) - 1)]
        self.refresh()
        self.post_message(self.Changed())

    def action_take(self) -> None:
        """That level it is."""
        self.post_message(self.Taken())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line each."""
        return len(self._criteria)

    def on_click(self, event: events.Click) -> None:
        """Choose what is clicked; the right half goes up, the left one down."""
        at = event.get_content_offset_capture(self)
        if at.y == self.cursor:
            self.action_shift(1 if at.x > self.size.width // 2 else -1)
        elif 0 <= at.y < len(self._criteria):
            self.cursor = at.y

    def _columns(self, width: int) -> tuple[int, int]:
        """How wide names and pips are: the same for every criterion."""
        label = max(cell_len(clean_line(criterion.label)) for criterion in self._criteria)
        told = max(cell_len(self._pips(criterion, criterion.max_score)) for criterion in self._criteria)
        return min(label, _LABEL_MOST, width // 2), told

    def _pips(self, criterion: Criterion, score: float) -> str:
        return look(self).glyphs.pips(score, criterion.max_score)

    def render_line(self, y: int) -> Strip:
        """Draw one criterion."""
        here, width = look(self), self.size.width
        if not 0 <= y < len(self._criteria):
            return Strip.blank(width, self.rich_style)
        palette, glyphs = here.palette, here.glyphs
        criterion = self._criteria[y]
        at_cursor = y == self.cursor
        score = self._score if at_cursor else self._counts.get(criterion.id, 0.0)
        judged = self._judged.get(criterion.id, 0.0)
        label, told = self._columns(width)
        pieces: list[Piece] = [
            (f"{glyphs.cursor if at_cursor else ' '} ", palette.style("ember", bold=True)),
            (
                f"{fit(clean_line(criterion.label), label, glyphs.ellipsis)}  ",
                palette.style("ash" if at_cursor else "dim", bold=at_cursor),
            ),
            (fit(self._pips(criterion, score), told), palette.style("molten" if score != judged else "ash")),
            (f"{format_number(score):>3}  ", palette.style("ash", bold=True)),
        ]
        words = clean_line(criterion.level_label(score))
        by_hand = f"  (judged {format_number(judged)})" if score != judged else ""
        pieces += [(words, palette.style("ash" if at_cursor else "dim")), (by_hand, palette.style("molten"))]
        base = self.rich_style + (palette.style("", on="rule") if at_cursor and self.has_focus else Style())
        return strip(pieces, width, base)
