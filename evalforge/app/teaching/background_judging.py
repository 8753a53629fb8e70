"""Screens that judge submissions ahead of time in the background, like any fight; nothing is stored."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.message import Message
from textual.worker import Worker, WorkerState

from evalforge.app.screens.base import GameScreen
from evalforge.app.teaching.lesson_plan import ShownSubmission
from evalforge.app.ui.text.paths import problem
from evalforge.model.errors import EvalForgeError
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.model.result import BossEvalResult, Judgement
from evalforge.model.submission import Submission

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack


@dataclass
class BackgroundFight:
    """A submission shown to an audience, and what its fight has yielded so far.

    Attributes:
        hand_in: The submission that is judged.
        submission: Its files, as judged.
        record: The fight so far.
        reason: Why there is no verdict; empty as long as there may be one.
        end: Set once the fight is over.
    """

    hand_in: ShownSubmission
    submission: Submission = field(default_factory=lambda: Submission(files=()))
    record: FightRecord = field(default_factory=FightRecord)
    reason: str = ""
    end: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_over(self) -> bool:
        """Whether it was judged, or could not be."""
        return self.result is not None or bool(self.reason)

    @property
    def result(self) -> BossEvalResult | None:
        """Score and verdict; None unless it was judged."""
        return self.record.result

    @property
    def judgements(self) -> dict[str, Judgement]:
        """The judgements by criterion id; empty until all are final, because a judge may change its mind until then."""
        return {judgement.criterion_id: judgement for judgement in self.record.judgements}

    def fail(self, reason: str) -> None:
        """Record that there is no verdict, and why."""
        self.reason = reason or "It could not be judged."

    def scores(self, criteria: tuple[str, ...]) -> dict[str, float]:
        """The levels of these criteria, as far as they are known; none if there is no verdict."""
        judgements = {} if self.reason else self.judgements
        return {name: judgements[name].score for name in criteria if name in judgements}


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
            self._finish(fight)

    def _finish(self, fight: BackgroundFight) -> None:
        fight.end.set()
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
                self._finish(fight)
