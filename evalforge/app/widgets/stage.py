"""The stage of a fight: shows its events at a pace that can be felt. Replays and live fights look the same here."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from evalforge.app import motion
from evalforge.app.bar import Part
from evalforge.app.beats import Beats
from evalforge.app.foe import Foe
from evalforge.app.look import look
from evalforge.app.telling import criterion_story
from evalforge.app.widgets.criterion_board import Card, CriterionBoard
from evalforge.app.widgets.hp_bar import HpBar
from evalforge.app.widgets.panel import Panel
from evalforge.app.widgets.sprite import SpriteView
from evalforge.app.widgets.trial_log import TrialLog, TrialMarks
from evalforge.app.widgets.verdict_panel import VerdictPanel
from evalforge.app.words import percent, plural, size
from evalforge.model import events as ev
from evalforge.model.result import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import Evidence, TrialResult
    from evalforge.model.result import BossEvalResult, Judgement

_TRIALS_SHOWN_IN = 1.8
"""All trials of a fight are told within this many seconds, however many there are."""


class Stage(Widget):
    """Sprite and panel above, the bar between, the criteria below."""

    DEFAULT_CSS = """
    Stage { layout: vertical; height: 1fr; }
    Stage #scene { height: 13; padding: 0 1; }
    Stage #side { width: 1fr; padding: 0 0 0 2; }
    Stage #log-view { height: 1fr; }
    Stage HpBar { margin: 0 1; }
    Stage CriterionBoard { margin: 0 0 0 0; }
    """

    def __init__(self, foe: Foe, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.foe = foe
        self._threshold = foe.rubric.overall.pass_threshold
        self._judgements: dict[str, Judgement] = {}
        self._trials: list[TrialResult] = []
        self.beats = Beats()

    def compose(self) -> ComposeResult:
        """Lay the stage out."""
        with Horizontal(id="scene"):
            yield SpriteView(id="sprite")
            with Vertical(id="side"):
                with Vertical(id="log-view"):
                    yield TrialLog(id="log")
                    yield TrialMarks(id="marks")
                yield VerdictPanel(id="verdict")
                yield Panel(id="story")
        yield HpBar(id="bar")
        yield CriterionBoard(id="board")

    def on_mount(self) -> None:
        """Begin with a whole boss."""
        self.beats = Beats(look(self).motion)
        self.reset()

    @property
    def board(self) -> CriterionBoard:
        """The criteria."""
        return self.query_one(CriterionBoard)

    @property
    def bar(self) -> HpBar:
        """The bar."""
        return self.query_one(HpBar)

    @property
    def sprite(self) -> SpriteView:
        """The boss."""
        return self.query_one(SpriteView)

    @property
    def labels(self) -> dict[str, str]:
        """The label of each criterion, by id."""
        return {criterion.id: criterion.label for criterion in self.foe.rubric.criteria}

    def reset(self) -> None:
        """Set everything up for a fight."""
        foe, rubric = self.foe, self.foe.rubric
        self.beats.rewind()
        self._judgements, self._trials = {}, []
        self.sprite.show(foe.sprite, foe.pack, foe.accent)
        parts = [Part(c.id, c.label, c.max_score) for c in rubric.criteria]
        self.bar.prepare(parts, rubric.overall.pass_threshold, rubric.max_score, foe.accent)
        self.board.deal([Card(c.id, c.label, c.max_score) for c in rubric.criteria])
        self.query_one(TrialLog).clear()
        self.query_one(TrialMarks).plan({})
        self.turn_to("log-view")

    def turn_to(self, name: str) -> None:
        """Show one side of the panel: ``log-view``, ``verdict`` or ``story``."""
        for side in ("log-view", "verdict", "story"):
            self.query_one(f"#{side}").display = side == name

    @property
    def side(self) -> str:
        """Which side of the panel is shown."""
        sides = ("verdict", "story", "log-view")
        return next(side for side in sides if self.query_one(f"#{side}").display)

    async def present(self, event: ev.Event) -> None:
        """Show one event, taking the time it deserves."""
        match event:
            case ev.Collected():
                self._collected(event)
            case ev.Progress():
                self.query_one(TrialLog).say(event.message)
            case ev.TrialsPlanned():
                self.query_one(TrialMarks).plan(event.groups)
            case ev.TrialFinished():
                await self._trial(event.trial)
            case ev.CriterionJudged():
                await self._strike(event)
            case ev.Judged():
                await self._judged(event)
            case ev.Ungraded():
                self._ungraded(event.reason, event.advice)
            case _:
                pass

    def _collected(self, event: ev.Collected) -> None:
        left = f", {plural(len(event.left_out), 'path')} left out" if event.left_out else ""
        self.query_one(TrialLog).say(f"{plural(len(event.files), 'file')}, {size(event.total_bytes)}{left}")

    async def _trial(self, trial: "TrialResult") -> None:
        self._trials.append(trial)
        marks = self.query_one(TrialMarks)
        marks.take(trial.group, passed=trial.passed)
        message = trial.message or ("" if trial.passed else trial.outcome.value)
        self.query_one(TrialLog).trial(trial.title, trial.group, passed=trial.passed, message=message)
        await self.beats.pause(min(motion.TRIAL_STEP, _TRIALS_SHOWN_IN / max(1, marks.count[1])))

    async def _strike(self, event: ev.CriterionJudged) -> None:
        judgement = event.judgement
        criterion_id = judgement.criterion_id
        if event.provisional:
            self.board.change(criterion_id, striking=True, comment=judgement.comment)
            return
        first = criterion_id not in self._judgements
        before = sum(j.score for j in self._judgements.values())
        self._judgements[criterion_id] = judgement
        if not self.beats.skipping and first:
            self.board.change(criterion_id, striking=True)
            last = len(self._judgements) == len(self.board.cards)
            await self.beats.pause(motion.LAST_BEAT if last else motion.ANTICIPATION * 3)
        place = next((finding.place for finding in judgement.findings if finding.place), "")
        self.board.change(
            criterion_id, score=judgement.score, level=event.level_label, comment=judgement.comment,
            place=place, striking=False, remark="votes disagreed" if judgement.ambiguous else "",
        )  # fmt: skip
        await self._blow(criterion_id, before, judgement.score)

    async def _blow(self, criterion_id: str, before: float, score: float) -> None:
        """The bite itself: quick where it is skipped, with weight where it is watched."""
        total, maximum = before + score, self.foe.rubric.max_score
        if self.beats.skipping:
            self.bar.show({key: j.score for key, j in self._judgements.items()})
            return
        self.bar.strike(criterion_id, score)
        if score > 0:
            self.sprite.hit(f"-{percent(score / maximum)}")
        else:
            self.query_one(TrialLog).say("No bite: the boss holds this one.")
        await self.beats.pause(motion.SETTLE)
        if before < self._threshold <= total:
            self.query_one(TrialLog).say(f"{look(self).glyphs.diamond} The pass line is crossed.", "verdigris")
            self.bar.surge()
            await self.beats.pause(motion.SETTLE)
        elif total < self._threshold <= total + 2:
            self.sprite.set_mood("enraged")
        await self.beats.pause(motion.SILENCE)

    async def _judged(self, event: ev.Judged) -> None:
        self._judgements = {j.criterion_id: j for j in event.judgements}
        scores = {c.id: c.score for c in event.result.criteria}
        if not self.beats.skipping:
            await self.beats.pause(motion.SILENCE)
        self.bar.show(scores)
        self._settle_cards(event.result)
        if event.result.passed:
            self.sprite.fall(flawless=event.result.verdict == Verdict.STRONG_PASS)
        self.query_one(VerdictPanel).tell(event.result, self._threshold)
        self.turn_to("verdict")

    def _settle_cards(self, result: "BossEvalResult") -> None:
        """The board as it stands in the end, whatever was shown on the way."""
        for scored in result.criteria:
            judgement = self._judgements.get(scored.id)
            level = self.foe.rubric.criterion(scored.id).level(scored.score).label
            places = [f.place for f in judgement.findings if f.place] if judgement else []
            self.board.change(
                scored.id, score=scored.score, level=level, comment=scored.comment, striking=False,
                place=places[0] if places else "",
            )  # fmt: skip

    def compare(self, result: "BossEvalResult", earlier: "BossEvalResult | None") -> None:
        """Say what changed since the last try."""
        if earlier:
            scores = {c.id: c.score for c in earlier.criteria}
            for scored in result.criteria:
                if scored.id in scores:
                    self.board.change(scored.id, change=scored.score - scores[scored.id])
        self.query_one(VerdictPanel).compare(result, earlier, self.labels)

    def earned(self, words: "Sequence[str]") -> None:
        """Say what this fight brought beyond its points."""
        self.query_one(VerdictPanel).earned(words)

    def _ungraded(self, reason: str, advice: str) -> None:
        self.bar.show({})
        self.bar.note("ungraded: no score, no HP change")
        self.board.deal([Card(c.id, c.label, c.max_score) for c in self.foe.rubric.criteria])
        self.query_one(VerdictPanel).ungraded(reason, advice)
        self.turn_to("verdict")

    def settle(self, attempt: "Attempt", before: "Attempt | None") -> None:
        """Show how an attempt ended, at once."""
        self._trials = list(attempt.evidence.trials)
        log, marks = self.query_one(TrialLog), self.query_one(TrialMarks)
        groups = [trial.group for trial in self._trials]
        marks.plan({group: groups.count(group) for group in dict.fromkeys(groups)})
        for trial in self._trials:
            marks.take(trial.group, passed=trial.passed)
            log.trial(trial.title, trial.group, passed=trial.passed, message=trial.message)
        if attempt.result is None:
            self._ungraded(attempt.ungraded_reason or f"This fight was {attempt.state.value}.", "")
            return
        self._judgements = {judgement.criterion_id: judgement for judgement in attempt.judgements}
        self.bar.show({c.id: c.score for c in attempt.result.criteria})
        self._settle_cards(attempt.result)
        if attempt.result.passed:
            self.sprite.fall(flawless=attempt.result.verdict == Verdict.STRONG_PASS)
        self.query_one(VerdictPanel).tell(attempt.result, self._threshold)
        self.turn_to("verdict")
        self.compare(attempt.result, before.result if before else None)

    def scroll_side(self, pages: int) -> None:
        """Scroll what stands beside the sprite."""
        where = {"verdict": "#verdict-next", "story": "#story", "log-view": "#log"}[self.side]
        side = self.query_one(where)
        side.scroll_relative(y=pages * max(1, side.size.height - 1), animate=False)

    def read(self, content: Content) -> None:
        """Show a text of the screen's own beside the sprite."""
        self.query_one("#story", Panel).say(content)
        self.turn_to("story")

    def open_story(self, criterion_id: str) -> None:
        """Show a criterion in full beside the sprite."""
        judgement = self._judgements.get(criterion_id)
        if judgement is None:
            return
        self.bar.chosen = criterion_id
        story = criterion_story(self.foe.rubric.criterion(criterion_id), judgement, self.evidence)
        self.query_one("#story", Panel).say(story)
        self.turn_to("story")

    @property
    def evidence(self) -> "Evidence":
        """The trials seen so far."""
        from evalforge.model.evidence import Evidence

        return Evidence(trials=tuple(self._trials))
