"""Distributes a stage's height among its parts during layout: a later decision would make them visibly jump."""

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
"""Columns for the text next to a boss that is drawn at double size."""


class HeightSharing(VerticalLayout):
    """Stacks the parts; the scene gets the height that the rest of the stage doesn't need."""

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Share the height among the parts of the stage, then lay them out."""
        if children:
            _share(parent, size)
        return super().arrange(parent, children, size, greedy)


def _share(stage: Widget, size: Size) -> None:
    """Give the sprite what it needs while every criterion keeps a line; the panel beside it gets spare lines."""
    sprite, board = stage.query_one(SpriteView), stage.query_one(CriterionBoard)
    bar, scene = stage.query_one(HpBar).styles, stage.query_one("#scene").styles
    padding = scene.padding
    used_rows = int(bar.height.value if bar.height else 0) + bar.margin.height + scene.margin.height + padding.height
    free_rows = size.height - used_rows
    doubled = sprite.doubled
    board_rows = board.needs(size.width - board.styles.margin.width) + 1
    has_room = size.width >= _WORDS_LEAST + doubled.width and free_rows - board_rows >= doubled.height
    needs = doubled if has_room else sprite.needs
    sprite.styles.width = needs.width
    beside = stage.query_one(SidePanel).needs(size.width - scene.margin.width - padding.width - needs.width)
    # A blank line stays below the criteria.
    spare_rows = min(beside, free_rows - board_rows)
    scene.height = max(_SCENE_LEAST, min(needs.height, free_rows - len(board.cards)), spare_rows) + padding.height
