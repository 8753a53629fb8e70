"""Every criterion with its level; the arrow keys choose another level."""

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.model.number_format import format_number
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line

_MAX_LABEL_CELLS = 34
_SCORE_CELLS = 6
"""A score and the space around it; half a level takes three cells."""


class LevelSetter(LineList):
    """A line for each criterion: up and down select it, left and right its level. Only one can be changed at a time.

    Args:
        rubric: The rubric with the criteria and levels.
        judged_scores: The judge's scores, by criterion.
        current_scores: The current scores, by criterion. Both omit criteria in which a cluster's submissions differ.
        id: The widget's id.
    """

    DEFAULT_CSS = """
    LevelSetter { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "criterion", key_display="↑↓", id="setter.up"),
        Binding("down,j", "move(1)", "next criterion", show=False, id="setter.down"),
        Binding("left,h", "shift(-1)", "level", key_display="←→", id="setter.less"),
        Binding("right,l", "shift(1)", "higher", show=False, id="setter.more"),
        Binding("space", "shift_half", "half a level", key_display="space", id="setter.half"),
    ]
    RAISED_ROLE = "rule"

    def __init__(
        self,
        rubric: BossRubric,
        judged_scores: Mapping[str, float],
        current_scores: Mapping[str, float],
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__("why", id=id)
        self._criteria = rubric.criteria
        self._judged_scores, self._current_scores = judged_scores, current_scores
        self._score = self._current_scores.get(self._criteria[0].id)
        self.renew(len(self._criteria))

    def key_of(self, index: int) -> str:
        """The id of a criterion."""
        return self._criteria[index].id

    @property
    def score(self) -> float | None:
        """The chosen score; None if submissions differ and none was chosen yet."""
        return self._score

    @property
    def judged_score(self) -> float | None:
        """The judge's score; None if submissions differ."""
        return self._judged_scores.get(self.key)

    @property
    def is_changed(self) -> bool:
        """Whether the chosen level differs from the current one."""
        return self._score is not None and self._score != self._current_scores.get(self.key)

    @property
    def description(self) -> str:
        """The description of the chosen level."""
        criterion = self._criteria[self.cursor]
        levels = (*criterion.levels, *criterion.halfway_levels)
        level = next((level for level in levels if level.score == self._score), None)
        return clean_line(level.full_description, cap=600) if level else ""

    def action_move(self, step: int) -> None:
        """Select another criterion; after the last comes the first."""
        if abs(step) == 1:
            self.cursor = (self.cursor + step) % self.count
        else:
            super().action_move(step)

    def watch_cursor(self) -> None:
        """Start at the level that counts."""
        self._score = self._current_scores.get(self.key)
        super().watch_cursor()

    def action_shift(self, step: int) -> None:
        """Choose a higher or lower level for the criterion under the cursor."""
        scores = [level.score for level in self._criteria[self.cursor].levels]
        if self._score is None:
            self._choose_level(scores[0])
        elif step > 0:
            self._choose_level(next((score for score in scores if score > self._score), scores[-1]))
        else:
            self._choose_level(next((score for score in reversed(scores) if score < self._score), scores[0]))

    def action_shift_half(self) -> None:
        """Choose the level halfway to the next one, or at the highest level halfway down; a second time, leave it."""
        halves = [level.score for level in self._criteria[self.cursor].halfway_levels]
        if self._score is None or not halves:
            return
        if self._score in halves:
            self.action_shift(-1)
        else:
            self._choose_level(next((half for half in halves if half > self._score), halves[-1]))

    def _choose_level(self, score: float) -> None:
        self._score = score
        self.refresh()
        self.announce()

    def on_click(self, event: events.Click) -> None:
        """Select the clicked criterion; in the selected one, the right half raises the level, the left lowers it."""
        at = event.get_content_offset_capture(self)
        if at.y == self.cursor:
            event.prevent_default()
            self.action_shift(1 if at.x > self.size.width // 2 else -1)

    def _columns(self, width: int) -> tuple[int, int]:
        """The widths of names and pips: the same for every criterion."""
        label = max(cell_len(clean_line(criterion.label)) for criterion in self._criteria)
        glyphs = look(self).glyphs
        pips = max(cell_len(glyphs.pips(criterion.max_score, criterion.max_score)) for criterion in self._criteria)
        return min(label, _MAX_LABEL_CELLS, width // 2), pips

    def line(self, y: int) -> Line:
        """Draw a criterion, its level as pips and text, and the judge's level if it differs."""
        glyphs, criterion, at_cursor = look(self).glyphs, self._criteria[y], y == self.cursor
        score = self._score if at_cursor else self._current_scores.get(criterion.id)
        judged_score = self._judged_scores.get(criterion.id)
        label, pips = self._columns(self.line_width)
        head: Line = (
            (f"{glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (f"{fit(clean_line(criterion.label), label, glyphs.ellipsis)}  ", "bold ash" if at_cursor else "dim"),
        )
        if score is None:
            return (*head, (" " * (pips + _SCORE_CELLS), ""), ("levels differ", "ash" if at_cursor else "dim"))
        is_set_by_hand = judged_score is not None and score != judged_score
        judged_text = f"  (judged {format_number(judged_score or 0)})" if is_set_by_hand else ""
        level_label = clean_line(criterion.level_label(score))
        free_width = self.line_width - (2 + label + 2 + pips + _SCORE_CELLS) - cell_len(judged_text)
        label_width = max(1, min(cell_len(level_label), free_width))
        return (
            *head,
            (fit(glyphs.pips(score, criterion.max_score), pips), "molten" if is_set_by_hand else "ash"),
            (f" {format_number(score):>3}  ", "bold ash"),
            (fit(level_label, label_width, glyphs.ellipsis), "ash" if at_cursor else "dim"),
            (judged_text, "molten"),
        )
