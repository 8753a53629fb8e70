"""The stage of a fight: shows its events at a readable pace. Replays and live fights look the same."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.layout import ArrangeResult, Layout
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget

from evalforge.app.core.boss_view import BossView
from evalforge.app.fight.difference import Change, Cracks, Difference
from evalforge.app.fight.judgement_text import criterion_text
from evalforge.app.fight.stage.criterion_board import Card, CriterionBoard
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.impostor_scene import show_arrival, show_end, show_unmasking
from evalforge.app.fight.stage.pacing import Pacer
from evalforge.app.fight.stage.trial_log import TrialView
from evalforge.app.fight.stage.verdict_panel import VerdictPanel
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model import events as ev
from evalforge.model.attempt import AttemptState
from evalforge.model.evidence import Evidence
from evalforge.model.fight_record import FightRecord
from evalforge.model.hp import HpScale, Part
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.result import Verdict
from evalforge.model.voice import Moment, Voice

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import TrialResult
    from evalforge.model.result import BossEvalResult, Judgement

# The panel beside the boss: the trials as they come, the verdict, or a text to read.

_SCROLLED = {"log-view": "#log", "verdict": "#verdict-next", "story": "#story"}
"""Each view by its name, and the part of it that scrolls."""


class SidePanel(Vertical):
    """Shows one of three views at a time: ``log-view``, ``verdict`` or ``story``."""

    def compose(self) -> ComposeResult:
        """Compose the trials, the impostors and the verdict, only one of which is visible."""
        yield TrialView(id="log-view")
        yield VerdictPanel(id="verdict")
        yield Panel(id="story")

    @property
    def trials(self) -> TrialView:
        """The view of the trials."""
        return self.query_one(TrialView)

    @property
    def verdict(self) -> VerdictPanel:
        """The panel that says how the fight ended."""
        return self.query_one(VerdictPanel)

    @property
    def view(self) -> str:
        """The name of the visible view."""
        return next(name for name in _SCROLLED if self.query_one(f"#{name}").display)

    def show_view(self, view: str) -> None:
        """Show one view, and hide the others."""
        for name in _SCROLLED:
            self.query_one(f"#{name}").display = name == view

    def needs(self, width: int) -> int:
        """The lines the verdict needs. Trials and stories don't count, or everything below would keep moving."""
        return self.verdict.needs(width - self.styles.gutter.width)

    def read(self, content: Content) -> None:
        """Show a text supplied by the screen."""
        self.query_one("#story", Panel).set_text(content)
        self.show_view("story")

    def scroll_pages(self, pages: int) -> None:
        """Scroll the visible view."""
        scrolled = self.query_one(_SCROLLED[self.view])
        scrolled.scroll_relative(y=pages * max(1, scrolled.size.height - 1), animate=False)


# Distributes a stage's height among its parts during layout: a later decision would make them visibly jump.

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


_STOPPED = "stopped"
_FIRST_SHOWN_IN = 1.8
_SAME_SHOWN_IN = 0.5
"""All trials of a first attempt, and all that ended as before, are shown within this many seconds."""
_CHANGE_SECONDS, _CHANGE_FASTER = 0.6, 0.85
"""How long the first trial that changed is shown; each further one by this factor shorter."""
_NOTHING_SECONDS = 2.0
_NEARLY_DOWN = 2
"""Within this many points of the mark the boss is enraged."""


class Stage(Widget):
    """Sprite and panel above, the bar between, the criteria below, arranged to fit any screen size.

    It plays what changed since an earlier attempt, if it is given one, else all of a fight.
    """

    SCOPED_CSS = False  # the breakpoints are classes of the screen
    DEFAULT_CSS = """
    Stage { height: 1fr; }
    Stage #scene { padding: 0 1; }
    Stage #sprite { height: 100%; max-width: 38; }
    Stage #side { width: 1fr; padding: 0 0 0 2; }
    Stage HpBar { margin: 0 1; }
    Stage CriterionBoard { width: 100%; }
    .-tall Stage #scene { margin: 1 0; padding: 0 2; }
    .-tall Stage HpBar { height: 6; margin: 0 2 1 2; }
    .-tall Stage CriterionBoard { margin: 0 1 1 1; }
    .-short Stage Banner { height: 1; }
    Stage #verdict-voice { display: none; }
    .-tall Stage #verdict-voice { display: block; }
    .-wide Stage #sprite { max-width: 100%; }
    .-wide Stage #side { padding: 0 0 0 4; }
    .-vast Stage #scene { padding: 0 6; }
    /* No room for the boss: words and bar matter more. */
    .-narrow Stage #sprite { display: none; }
    .-narrow Stage #side { padding: 0; }
    """

    def __init__(self, boss: BossView, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._layout = HeightSharing()
        self.boss = boss
        self._scale = HpScale.from_rubric(boss.rubric)
        self._judgements: dict[str, Judgement] = {}
        self._record = FightRecord()
        self.difference = Difference(boss.rubric)
        """What this attempt changes against the one before."""
        self._best_total: float | None = None
        self._cracks = Cracks({}, {})
        self.pacer = Pacer()
        self.is_sparring = False
        """Whether this is practice: a ghost moves along the bar, and the boss keeps the life it has."""
        self.called: str | None = None
        """The criterion that the player expects to rise; empty for none, None if nothing was called."""
        self.voice: Voice | None = None
        """The boss's voice, which comments on the end; None if it says nothing."""

    def compose(self) -> ComposeResult:
        """Compose the scene, the HP bar and the board of criteria."""
        with Horizontal(id="scene"):
            yield SpriteView(id="sprite")
            yield SidePanel(id="side")
        yield HpBar(id="bar")
        yield CriterionBoard(id="board")

    def on_mount(self) -> None:
        """Start with an unhurt boss."""
        self.pacer = Pacer(look(self).motion)
        self.reset()

    @property
    def layout(self) -> Layout:
        """Stack the parts and share the height among them."""
        return self._layout

    @property
    def board(self) -> CriterionBoard:
        """The board of criteria."""
        return self.query_one(CriterionBoard)

    @property
    def bar(self) -> HpBar:
        """The HP bar of the boss."""
        return self.query_one(HpBar)

    @property
    def sprite(self) -> SpriteView:
        """The picture of the boss."""
        return self.query_one(SpriteView)

    @property
    def side_panel(self) -> SidePanel:
        """The panel beside the boss."""
        return self.query_one(SidePanel)

    @property
    def trials(self) -> TrialView:
        """The view of the trials."""
        return self.side_panel.trials

    def reset(
        self,
        before: "BossEvalResult | None" = None,
        evidence: Evidence | None = None,
        best_total: float | None = None,
    ) -> None:
        """Prepare everything for a fight: the boss enters as an earlier attempt left it.

        Args:
            before: The result of that attempt, of which only the difference is played; None plays all.
            evidence: What was measured then.
            best_total: The score of the player's best attempt.
        """
        boss, rubric = self.boss, self.boss.rubric
        self.pacer.rewind()
        self._judgements, self._record = {}, FightRecord()
        self.difference, self._best_total = Difference(rubric, before, evidence), best_total
        self._cracks = Cracks(boss.groups, {c.id: c.max_score for c in rubric.criteria})
        self.is_sparring = False
        self.called = None
        self.sprite.show(boss.sprite, boss.pack, boss.accent)
        self.bar.prepare([Part(c.id, c.label, c.max_score) for c in rubric.criteria], self._scale, boss.accent)
        self._enter()
        self._reset_cards("waiting")
        self.trials.clear()
        self.side_panel.verdict.clear()
        self.side_panel.show_view("log-view")

    def _enter(self) -> None:
        """Show the boss as the attempt before left it."""
        total = self.difference.total
        self.bar.show(self.difference.scores)
        self.bar.show_notches(total, self._best_total)
        if total is not None and self._scale.has_fallen(total):
            self.sprite.fall(flawless=total >= self._scale.maximum, at_once=True)
        else:
            self.sprite.set_mood("idle")

    def stop(self) -> None:
        """Show that the fight was stopped: the boss is as before and nothing is judged; the finished trials stay."""
        self._leave_unjudged(_STOPPED, "not judged")
        self.side_panel.show_view("log-view")
        self.trials.close("Stopped. Nothing was scored.")

    def _leave_unjudged(self, note: str, unjudged: str) -> None:
        """Show the bar as before and criteria without scores, and why."""
        self._judgements = {}
        self._enter()
        self.bar.show_note(note)
        self._reset_cards(unjudged)

    def _reset_cards(self, unjudged: str) -> None:
        """Show the criteria without a level, with a text in its place."""
        self.board.set_cards([Card(c.id, c.label, c.max_score, unjudged=unjudged) for c in self.boss.rubric.criteria])

    async def present(self, event: ev.Event) -> None:
        """Show one event, for an appropriate time."""
        if self._record.impostors and not isinstance(event, ev.ImpostorMet | ev.FactMeasured):
            # Everything about the tests is known by now.
            changed = self.difference.count_impostors(self._record.impostors)
            await show_unmasking(self.trials, self.evidence, self.pacer, changed)
        self._record.add(event)
        match event:
            case ev.Collected():
                self.trials.collected(event)
            case ev.Progress():
                self.trials.show_message(event.message)
            case ev.TrialsPlanned():
                self.trials.plan(event.groups)
                self._cracks.plan(event.groups)
            case ev.TrialFinished():
                await self._trial(event.trial)
            case ev.FactMeasured():
                await show_arrival(self.trials.impostors, self._record.impostors, self.pacer)
            case ev.CriterionJudged():
                await self._strike(event)
            case ev.Judged():
                await self._show_judged(event)
            case ev.Ungraded():
                self._ungraded(event.reason, event.advice)
            case _:
                return

    async def _trial(self, trial: "TrialResult") -> None:
        """Show a trial: in passing if it ended as before, longer with its own sentence if it changed."""
        change = self.difference.add_trial(trial)
        self.trials.add_trial(trial, change)
        self._cracks.add_trial(trial, change)
        if not self.is_sparring:
            self.bar.crack(self._cracks.points)
        if change in (Change.NEWLY_PASSES, Change.NEWLY_FAILS):
            counts = self.difference.counts
            changed_before = counts[Change.NEWLY_PASSES] + counts[Change.NEWLY_FAILS] - 1
            await self.pacer.pause(_CHANGE_SECONDS * _CHANGE_FASTER**changed_before)
        else:
            shown_in = _SAME_SHOWN_IN if change is Change.SAME else _FIRST_SHOWN_IN
            await self.pacer.pause(min(motion.TRIAL_STEP, shown_in / max(1, self.trials.total)))

    async def _strike(self, event: ev.CriterionJudged) -> None:
        judgement = event.judgement
        criterion_id = judgement.criterion_id
        if event.provisional:
            self.board.change(criterion_id, striking=True, comment=judgement.headline)
            return
        if not self._judgements and (words := self.difference.trial_words):
            self.trials.show_message(words)
        is_first = criterion_id not in self._judgements
        self._judgements[criterion_id] = judgement
        change = self.difference.level_change(criterion_id, judgement.score)
        if is_first and change != 0 and not self.pacer.skipping:
            self.board.change(criterion_id, striking=True)
            is_last = len(self._judgements) == len(self.board.cards)
            await self.pacer.pause(motion.LAST_BEAT if is_last else motion.ANTICIPATION * 3)
        place = next((finding.place for finding in judgement.findings if finding.place), "")
        is_called = criterion_id == self.called and (change or 0) > 0
        remark = "you called it: a critical hit" if is_called else "votes disagreed" if judgement.ambiguous else ""
        self.board.change(
            criterion_id, score=judgement.score, level=event.level_label, comment=judgement.headline,
            place=place, striking=False, change=change, remark=remark,
        )  # fmt: skip
        self._cracks.close(criterion_id)
        if not self.is_sparring:
            self.bar.crack(self._cracks.points)
            await self._animate_strike(criterion_id, judgement.score, is_critical=is_called)

    async def _animate_strike(self, criterion_id: str, score: float, *, is_critical: bool) -> None:
        """Animate what a level changed: a blow, or life that comes back; what stayed settles at once."""
        before = self.bar.points
        change = self.bar.strike(criterion_id, score, at_once=self.pacer.skipping)
        if self.pacer.skipping or not change:
            return
        total = self.bar.points
        life_lost = self._scale.life(before) - self._scale.life(total)
        if change > 0:
            gold = f"+{format_number(round(self._scale.gold(total) - self._scale.gold(before), 9))} gold"
            self.sprite.hit(f"-{format_percent(life_lost)}" if life_lost > 0 else gold, is_critical=is_critical)
        else:
            label = self.boss.rubric.criterion(criterion_id).label
            self.trials.show_message(f"{look(self).glyphs.heals} It heals: {label}", "blood")
        await self.pacer.pause(motion.SETTLE)
        was_down, is_down = self._scale.has_fallen(before), self._scale.has_fallen(total)
        if is_down and not was_down:
            self.trials.show_message(f"{look(self).glyphs.diamond} The boss falls.", "verdigris")
            self.bar.surge()
            await self.pacer.pause(motion.SETTLE)
        elif was_down and not is_down:
            self.trials.show_message("It gets up again.", "blood")
            self.sprite.set_mood("enraged")
        elif not is_down and total + _NEARLY_DOWN >= self._scale.threshold:
            self.sprite.set_mood("enraged")
        await self.pacer.pause(motion.SILENCE)

    async def _show_judged(self, event: ev.Judged) -> None:
        self._judgements = {j.criterion_id: j for j in event.judgements}
        if self.difference.is_nothing({c.id: c.score for c in event.result.criteria}) and not self.is_sparring:
            line = self.voice.pick_line(Moment.NOTHING_CHANGED) if self.voice else "Nothing changed."
            self.trials.show_message(line, "ash")
            await self.pacer.pause(_NOTHING_SECONDS)
        await self.pacer.pause(motion.SILENCE)
        self._show_end(event.result)

    def _show_end(self, result: "BossEvalResult", *, in_full: bool = False) -> None:
        """Show the verdict and everything that follows from it."""
        if self.is_sparring:
            self.bar.show_notches(self.difference.total, self._best_total, result.score_total)
            if result.passed and self.sprite.mood != "defeated":
                self.sprite.kneel()
        else:
            for scored in result.criteria:
                self.bar.strike(scored.id, scored.score, at_once=True)
            self.bar.crack(0)
            if result.passed:
                self.sprite.fall(flawless=result.verdict == Verdict.STRONG_PASS)
            elif self.sprite.mood == "defeated":
                self.sprite.set_mood("idle")
        self._settle_cards(result)
        self.trials.fill_log(self.evidence.trials)
        self.side_panel.verdict.show_result(
            result, self.difference, self._record.advice, self.boss.rubric,
            is_calibrated=self._record.calibrated, is_sparring=self.is_sparring, in_full=in_full,
        )  # fmt: skip
        self._speak(result)
        self.side_panel.show_view("verdict")

    def _speak(self, result: "BossEvalResult | None") -> None:
        if self.voice is not None:
            self.side_panel.verdict.show_comment(self.voice.comment_on(result, self.evidence))

    def _settle_cards(self, result: "BossEvalResult") -> None:
        """Show the board's final state, whatever was shown before."""
        for scored in result.criteria:
            judgement = self._judgements.get(scored.id)
            level = self.boss.rubric.criterion(scored.id).level(scored.score).label
            place = next((f.place for f in judgement.findings if f.place), "") if judgement else ""
            comment = judgement.headline if judgement and judgement.comment == scored.comment else scored.comment
            change = self.difference.level_change(scored.id, scored.score)
            self.board.change(
                scored.id, score=scored.score, level=level, comment=comment, striking=False, place=place, change=change,
            )  # fmt: skip

    def _ungraded(self, reason: str, advice: str) -> None:
        self._leave_unjudged("ungraded", "ungraded")
        self.side_panel.verdict.ungraded(reason, advice)
        self._speak(None)
        self.side_panel.show_view("verdict")

    def refuse(self, reason: str, advice: str) -> None:
        """Show that there was nothing to judge: the boss is as before, and the player is not to blame."""
        self._leave_unjudged("nothing to judge", "not judged")
        self.side_panel.verdict.refused(reason, advice)
        self.side_panel.show_view("verdict")

    def settle(self, attempt: "Attempt", before: "Attempt | None") -> None:
        """Show the end of an attempt at once."""
        evidence = attempt.evidence
        self.reset(before.result if before else None, before.evidence if before else None)
        self._record = FightRecord(trials=[*evidence.trials], impostors=[*evidence.impostors], facts=[*evidence.facts])
        self._record.advice = attempt.advice_followed.advice if attempt.advice_followed else ()
        for trial in evidence.trials:
            self.trials.add_trial(trial, Change.UNKNOWN)
        show_end(self.trials, evidence)
        if attempt.result is None:
            self._settle_unscored(attempt)
            return
        self._judgements = {judgement.criterion_id: judgement for judgement in attempt.judgements}
        self._show_end(attempt.result, in_full=True)

    def _settle_unscored(self, attempt: "Attempt") -> None:
        if attempt.state is AttemptState.UNGRADED:
            self._ungraded(attempt.ungraded_reason, "")
            return
        self._leave_unjudged("not scored yet" if attempt.state is AttemptState.RUNNING else _STOPPED, "not judged")
        self.side_panel.verdict.unfinished(attempt.state)
        self.side_panel.show_view("verdict")

    def open_judgement(self, criterion_id: str) -> None:
        """Show a criterion in full beside the sprite."""
        judgement = self._judgements.get(criterion_id)
        if judgement is not None:
            self.bar.chosen = criterion_id
            criterion, glyphs = self.boss.rubric.criterion(criterion_id), look(self).glyphs
            self.side_panel.read(criterion_text(criterion, judgement, self.evidence, glyphs))

    @property
    def evidence(self) -> Evidence:
        """Trials, impostors and facts so far."""
        return self._record.evidence
