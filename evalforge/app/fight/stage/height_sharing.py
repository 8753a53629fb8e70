"""How the parts of a stage share its room, decided while it is laid out: what is decided later is seen to jump."""

from textual.geometry import Size
from textual.layout import ArrangeResult
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

from evalforge.app.fight.stage.criterion_board import CriterionBoard
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.side_panel import SidePanel
from evalforge.app.ui.widgets.sprite_view import SpriteView

_SCENE_LEAST = 6
_WORDS_LEAST = 70
"""Columns for the words beside a boss that is drawn twice as large."""


class HeightSharing(VerticalLayout):
    """From top to bottom, the scene as high as the rest of the stage can do without."""

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Share the height among the parts of the stage, then lay them out."""
        if children:
            _share(parent, size)
        return super().arrange(parent, children, size, greedy)


def _share(stage: Widget, size: Size) -> None:
    """The sprite gets what it needs, as far as every criterion still has a line; the words beside it, what is spare."""
    sprite, board = stage.query_one(SpriteView), stage.query_one(CriterionBoard)
    bar, scene = stage.query_one(HpBar).styles, stage.query_one("#scene").styles
    padding = scene.padding
    used_rows = int(bar.height.value if bar.height else 0) + bar.margin.height + scene.margin.height + padding.height
    room = size.height - used_rows
    doubled = sprite.doubled
    board_rows = board.needs(size.width - board.styles.margin.width) + 1
    has_room = size.width >= _WORDS_LEAST + doubled.width and room - board_rows >= doubled.height
    needs = doubled if has_room else sprite.needs
    sprite.styles.width = needs.width
    beside = stage.query_one(SidePanel).needs(size.width - scene.margin.width - padding.width - needs.width)
    # A line of air stays below the criteria.
    spared = min(beside, room - board_rows)
    scene.height = max(_SCENE_LEAST, min(needs.height, room - len(board.cards)), spared) + padding.height
