"""Screens that judge exemplars ahead of time in the background, like any fight; nothing is stored."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.message import Message
from textual.worker import Worker, WorkerState

from evalforge.app.screens.base import GameScreen
from evalforge.app.teaching.background_fight import BackgroundFight
from evalforge.app.teaching.lesson_plan import ShownSubmission
from evalforge.app.ui.text.paths import problem
from evalforge.model.errors import EvalForgeError
from evalforge.model.fight_record import record_fight

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack


class BackgroundJudgingScreen(GameScreen):
    """A screen that shows how other people's submissions are judged."""

    class Finished(Message):
        """Posted when a submission was judged, or could not be."""

        def __init__(self, fight: BackgroundFight) -> None:
            super().__init__()
            self.fight = fight

    def __init__(self) -> None:
        super().__init__()
        self._fights: dict[Path, BackgroundFight] = {}

    def fight_of(self, submission: ShownSubmission) -> BackgroundFight:
        """The fight of a submission, as far as known."""
        return self._fights.setdefault(submission.path, BackgroundFight(submission))

    def judge_in_background(
        self, pack: "BossPack", submissions: Sequence[ShownSubmission], judge: str = "forge"
    ) -> None:
        """Start judging these submissions, one after the other."""
        for submission in submissions:
            fight = self.fight_of(submission)
            fight.submission = self.session.services.collect_quietly(pack, submission.path)
        self._judge(pack, judge)

    @work(exclusive=True, group="fight", exit_on_error=False)
    async def _judge(self, pack: "BossPack", judge: str) -> None:
        """Judge everything that isn't judged yet."""
        options = replace(self.session.services.options(practice=True), judge=judge)
        forge = await self.session.engine()
        for fight in [fight for fight in self._fights.values() if not fight.is_over]:
            try:
                await record_fight(forge.fight(pack, fight.hand_in.path, options), record=fight.record)
            except EvalForgeError as error:
                fight.fail(problem(error))
            if fight.result is None and not fight.reason:
                fight.fail(fight.record.ungraded_reason or "The judging stopped unexpectedly.")
            self.post_message(self.Finished(fight))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Leave submissions unjudged after an error of ours, and say so; it must not end the lesson."""
        worker = cast("Worker[Any]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if event.state is not WorkerState.ERROR or worker.group != "fight" or worker.error is None:
            return
        event.prevent_default()
        reason = problem(worker.error)
        for fight in self._fights.values():
            if not fight.is_over:
                fight.fail(reason)
                self.post_message(self.Finished(fight))
