"""What a fight and an old attempt have in common: a stage, criteria to walk through, evidence to open."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from evalforge.app.fight.stage.criterion_board import CriterionBoard
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.screens.base import GameScreen

if TYPE_CHECKING:
    from evalforge.app.judged_submission import JudgedSubmission


class StageScreen(GameScreen):
    """A screen around one stage."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "segment(-1)", "bar, to the left", show=False, id="stage.left"),
        Binding("right", "segment(1)", "bar, to the right", show=False, id="stage.right"),
        Binding("pageup", "scroll_side(-1)", "scroll the words", show=False, id="stage.page_up"),
        Binding("pagedown", "scroll_side(1)", "scroll the words", show=False, id="stage.page_down"),
    ]

    @property
    def stage(self) -> Stage:
        """The stage."""
        return self.query_one(Stage)

    @property
    def settled(self) -> bool:
        """Whether there is a judging to look into."""
        return False

    def judged(self) -> "JudgedSubmission | None":
        """All that is known of the judging on the stage."""
        return None

    def action_turn(self, side: str) -> None:
        """Show the verdict or the trials."""
        self.stage.bar.chosen = ""
        self.stage.side_panel.turn_to(side)
        self.refresh_bindings()

    def action_segment(self, step: int) -> None:
        """The next bite of the bar."""
        if self.settled:
            self.stage.board.action_move(step)

    def action_scroll_side(self, pages: int) -> None:
        """Scroll what stands beside the sprite."""
        self.stage.side_panel.scroll_pages(pages)

    @on(CriterionBoard.Opened, "#board")
    def _open_evidence(self, event: CriterionBoard.Opened) -> None:
        judged = self.judged() if self.settled else None
        if judged is not None and event.key in judged.judgements:
            self.navigator.open_evidence(judged, event.key)

    @on(HpBar.Chosen)
    def _choose(self, event: HpBar.Chosen) -> None:
        if self.settled:
            self.stage.board.point(event.criterion_id)

    @on(CriterionBoard.Pointed, "#board")
    def _follow(self, event: CriterionBoard.Pointed) -> None:
        if self.settled:
            self.stage.open_judgement(event.key)
            self.refresh_bindings()
