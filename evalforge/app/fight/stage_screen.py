"""The common base of a fight and an old attempt: a stage, criteria to go through, evidence to open."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from evalforge.app.fight.stage.criterion_board import CriterionBoard
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.screens.base import GameScreen

if TYPE_CHECKING:
    from evalforge.app.core.judged_submission import JudgedSubmission


_VIEWS = ("verdict", "log-view")
"""The views beside the boss: the verdict, and the trials."""


class StageScreen(GameScreen):
    """A screen around one stage."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn_view(-1)", "tab", show=False, id="stage.left"),
        Binding("right", "turn_view(1)", "next tab", show=False, id="stage.right"),
        Binding("pageup", "scroll_side(-1)", "scroll the text", show=False, id="stage.page_up"),
        Binding("pagedown", "scroll_side(1)", "scroll the text", show=False, id="stage.page_down"),
    ]

    @property
    def stage(self) -> Stage:
        """The stage that the fight is shown on."""
        return self.query_one(Stage)

    @property
    def is_settled(self) -> bool:
        """Whether there is a judging to inspect."""
        return False

    def judged_submission(self) -> "JudgedSubmission | None":
        """Everything known about the judging on the stage."""
        return None

    def action_turn(self, view: str) -> None:
        """Show the verdict or the trials."""
        self.stage.bar.chosen = ""
        self.stage.side_panel.show_view(view)
        self.refresh_bindings()

    def action_turn_view(self, step: int) -> None:
        """Show the next view beside the boss, if there is a judging to inspect."""
        view = self.stage.side_panel.view
        if self.is_settled:
            index = _VIEWS.index(view) if view in _VIEWS else 0
            self.action_turn(_VIEWS[(index + step) % len(_VIEWS)])

    def action_scroll_side(self, pages: int) -> None:
        """Scroll the view beside the boss."""
        self.stage.side_panel.scroll_pages(pages)

    @on(CriterionBoard.Opened, "#board")
    def _open_evidence(self, event: CriterionBoard.Opened) -> None:
        judged_submission = self.judged_submission() if self.is_settled else None
        if judged_submission is not None and event.key in judged_submission.judgements:
            self.navigator.open_evidence(judged_submission, event.key)

    @on(HpBar.Chosen)
    def _choose(self, event: HpBar.Chosen) -> None:
        if self.is_settled:
            self.stage.board.point(event.criterion_id)

    @on(CriterionBoard.Pointed, "#board")
    def _follow(self, event: CriterionBoard.Pointed) -> None:
        if self.is_settled:
            self.stage.open_judgement(event.key)
            self.refresh_bindings()
