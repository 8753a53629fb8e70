"""The speaker's notes on each step of a stage, the small file that carries them, and the screen that follows it."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import ValidationError
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.teaching.lesson_plan import Lesson, ShownSubmission, Step, StepKind, letter
from evalforge.app.ui.text.formatting import VERDICT_WORDS, format_age
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.base import Frozen
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean, clean_line
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import bosses_option

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack


class TeachingState(Frozen):
    """One moment of a stage.

    Attributes:
        pid: The process of the stage, which deletes the file at its end.
        since: When the step was first shown.
        step: The index of the current step.
        step_count: How many steps the lesson has.
        notes: What the speaker reads at this step, as runs of (text, role); the audience never sees it.
    """

    boss_id: str
    pid: int
    since: datetime
    step: int
    step_count: int
    notes: tuple[tuple[str, str], ...]


def state_file(history: Path, boss_id: str) -> Path:
    """The file for the stage of a boss: next to the history, in EvalForge's state folder."""
    return history.with_name(f"stage-{boss_id}.json")


def now() -> datetime:
    """The current time, with its time zone."""
    return datetime.now(UTC)


def write_state(path: Path, state: TeachingState) -> bool:
    """Write a state atomically, readable only by its owner; returns whether that worked."""
    try:
        write_atomically(path, state.model_dump_json().encode())
    except OSError:
        return False
    return True


def read_state(path: Path) -> TeachingState | None:
    """Read the state from a file; None if there is none, or no usable one."""
    try:
        return TeachingState.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def clear_state(path: Path) -> None:
    """Delete our own state; that of another stage that has started since stays."""
    state = read_state(path)
    if state is not None and state.pid == os.getpid():
        with suppress(OSError):
            path.unlink(missing_ok=True)


Scores = Mapping[Path, Mapping[str, float]]
"""The judge's levels so far, by folder and criterion."""


def step_title(lesson: Lesson, step: Step) -> str:
    """A step in a few words, which name a submission only by its letter."""
    hand_in = f"submission {letter(step.hand_in)}" if step.hand_in >= 0 else ""
    label = lesson.rubric.criteria[step.criterion].label if step.criterion >= 0 else ""
    titles = {
        StepKind.MISSION: "the mission",
        StepKind.CONTRACT: "the contract",
        StepKind.CRITERION: f"the rubric: {label}",
        StepKind.HAND_IN: f"{hand_in}: its code",
        StepKind.GUESS: f"{hand_in}, the room guesses: {label}",
        StepKind.REVEAL: f"{hand_in}, revealed: {label}",
        StepKind.VERDICT: f"{hand_in}: the verdict",
        StepKind.GHOSTS: f"the ghosts: {label}" if label else "the ghosts, side by side",
    }
    return clean_line(titles[step.kind])


def speaker_notes(lesson: Lesson, step_index: int, scores: Scores, tally: Mapping[float, int]) -> list[Run]:
    """The notes for a step of a lesson.

    Args:
        lesson: The lesson.
        step_index: The index of the step.
        scores: The judge's levels.
        tally: The audience's guesses of this step's level.
    """
    step, is_last = lesson.steps[step_index], step_index + 1 == len(lesson.steps)
    next_title = "nothing: this is the end" if is_last else step_title(lesson, lesson.steps[step_index + 1])
    runs: list[Run] = [("On the stage  ", "dim"), (f"{step_title(lesson, step)}\n", "bold ash")]
    runs += [("Next          ", "dim"), (f"{next_title}\n", "ash")]
    match step.kind:
        case StepKind.MISSION:
            codex = lesson.pack.codex
            runs += [*_paragraphs("The story", codex.lore), *_paragraphs("How it punishes", codex.attacks)]
        case StepKind.CONTRACT:
            runs += _contract(lesson)
        case StepKind.CRITERION:
            runs += _advice(lesson, step)
        case StepKind.HAND_IN | StepKind.VERDICT:
            runs += _submission(lesson, step, scores)
        case StepKind.GUESS | StepKind.REVEAL:
            runs += [*_level_of_submission(lesson, step, scores, tally), *_advice(lesson, step)]
        case StepKind.GHOSTS:
            runs += _ghosts(lesson, step, scores)
    return runs


def _contract(lesson: Lesson) -> list[Run]:
    count, rubric = len(lesson.rubric.criteria), lesson.rubric
    threshold, highest = format_number(rubric.overall.pass_threshold), format_number(rubric.max_score)
    text = f"{count} criteria; pass at {threshold} of {highest}."
    return [
        *_heading("To say"),
        *_points(("The contract is complete: the trials test nothing else.", text)),
        *_paragraphs("How to beat it well", lesson.pack.codex.strategy),
    ]


def _submission(lesson: Lesson, step: Step, scores: Scores) -> list[Run]:
    submission = lesson.submissions[step.hand_in]
    runs = [*_heading(f"Submission {letter(step.hand_in)} is {clean_line(submission.name)}")]
    if submission.gold:
        verdict, maximum = VERDICT_WORDS[submission.gold.verdict], format_number(lesson.rubric.max_score)
        runs += [
            ("  gold  ", "dim"),
            (f"{verdict}, {format_number(submission.total)} of {maximum}\n", "bold molten"),
        ]
    for criterion in lesson.rubric.criteria:
        runs += _criterion_line(criterion, submission, scores)
    return runs


def _level_of_submission(lesson: Lesson, step: Step, scores: Scores, tally: Mapping[float, int]) -> list[Run]:
    submission, criterion = lesson.submissions[step.hand_in], lesson.rubric.criteria[step.criterion]
    judged_score = scores.get(submission.path, {}).get(criterion.id)
    runs = [*_heading(f"Submission {letter(step.hand_in)} is {clean_line(submission.name)}")]
    if submission.gold and criterion.id in submission.gold.levels:
        runs += _level("gold", criterion, submission.gold.levels[criterion.id])
        runs += _gold_reason(submission, criterion)
    runs += (
        _level("judge", criterion, judged_score) if judged_score is not None else [("  judge  still at work\n", "dim")]
    )
    guesses = ", ".join(f"{count} x level {format_number(score)}" for score, count in sorted(tally.items()))
    return [*runs, ("  room   ", "dim"), (f"{guesses or 'no guesses yet'}\n", "ash")]


def _ghosts(lesson: Lesson, step: Step, scores: Scores) -> list[Run]:
    runs: list[Run] = []
    criteria = lesson.rubric.criteria if step.criterion < 0 else (lesson.rubric.criteria[step.criterion],)
    for index, ghost in enumerate(lesson.ghosts):
        runs += _heading(f"{lesson.strength(index).capitalize()}: {clean_line(ghost.name)}")
        for criterion in criteria:
            runs += _criterion_line(criterion, ghost, scores)
            if step.criterion >= 0:
                runs += _gold_reason(ghost, criterion)
    return runs


# Parts


def _heading(text: str) -> list[Run]:
    return [(f"\n{text}\n", "bold ember")]


def _level(who: str, criterion: Criterion, score: float) -> list[Run]:
    label = criterion.level_label(score)
    return [(f"  {who:<6} ", "dim"), (f"{format_number(score)} ", "bold molten"), (f"{clean_line(label)}\n", "ash")]


def _criterion_line(criterion: Criterion, submission: ShownSubmission, scores: Scores) -> list[Run]:
    """One criterion of a submission: its gold level, and the judge's if that is another."""
    gold = submission.gold.levels.get(criterion.id) if submission.gold else None
    judged_score = scores.get(submission.path, {}).get(criterion.id)
    gold_text = format_number(gold) if gold is not None else "?"
    runs: list[Run] = [
        (f"  {gold_text:>3} ", "bold molten"),
        (f"of {format_number(criterion.max_score)}  ", "dim"),
        (f"{clean_line(criterion.label)}", "ash"),
    ]
    if judged_score is not None and judged_score != gold:
        runs.append((f"  the judge says {format_number(judged_score)}", "bold blood"))
    return [*runs, ("\n", "")]


def _gold_reason(submission: ShownSubmission, criterion: Criterion) -> list[Run]:
    reason = submission.gold.why.get(criterion.id, "") if submission.gold else ""
    return [("         ", ""), *spans(_one_line(reason), "ash"), ("\n", "")] if reason.strip() else []


def _advice(lesson: Lesson, step: Step) -> list[Run]:
    """The signs of a criterion, and its nudge and pointer: good questions for an audience."""
    criterion = lesson.rubric.criteria[step.criterion]
    hints = lesson.pack.codex.hints.get(criterion.id, ())[:2]
    return [*_signals(criterion), *([*_heading("To ask the room"), *_points(hints)] if hints else [])]


def _signals(criterion: Criterion) -> list[Run]:
    parts: list[Run] = []
    for title, mark, role, signals in (
        ("Good signs", "+", "verdigris", criterion.signals.strong_positive),
        ("Warning signs", "-", "blood", criterion.signals.strong_negative),
    ):
        if signals:
            parts += _heading(title)
            parts += [p for s in signals for p in ((f"  {mark} ", role), *spans(clean_line(s), "ash"), ("\n", ""))]
    return parts


def _points(lines: Iterable[str]) -> list[Run]:
    return [p for line in lines for p in (("  · ", "dim"), *spans(_one_line(line), "ash"), ("\n", ""))]


def _paragraphs(title: str, text: str) -> list[Run]:
    blocks = [_one_line(block) for block in clean(text).split("\n\n") if block.strip() and not block.startswith("#")]
    return (
        [*_heading(title), *(p for block in blocks[:3] for p in (*spans(block, "ash"), ("\n", "")))] if blocks else []
    )


def _one_line(text: str) -> str:
    return clean_line(" ".join(text.split()), cap=900)


# The screen that follows the stage, which the audience doesn't see.

_READ_SECONDS = 0.4
"""Seconds between two reads of the file. It is polled rather than watched, because that works on every disk."""


class NotesScreen(GameScreen):
    """Shows the notes for the stage's current step."""

    CSS_PATH = "notes.tcss"
    NAME = "The speaker's notes"
    HELP_TEXT = """
What the stage shows now and next, the gold level and why, what the judge says, and questions for the room.
The notes follow the stage; nothing you do here changes it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "leave", id="notes.leave"),
    ]

    def __init__(self, pack: "BossPack") -> None:
        super().__init__()
        self._pack = pack
        self._state: TeachingState | None = None

    def body(self) -> Iterable[Widget]:
        """Compose the heading and the notes of the step."""
        about = self._pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}"), ("  speaker's notes", "dim")])
        yield Panel(id="text")

    def on_mount(self) -> None:
        """Start following the lesson's step."""
        self._show_waiting()
        self.query_one(Panel).focus()
        self.follow()
        self.set_interval(_READ_SECONDS, self.follow)

    def follow(self) -> None:
        """Read the stage's current step, and show its notes."""
        state = read_state(state_file(self.session.services.history, self._pack.boss_id))
        if state != self._state:
            previous, self._state = self._state, state
            if state is None:
                self._show_waiting()
            else:
                self._show_notes(state, is_same_step=previous is not None and previous.step == state.step)
        self._show_time()

    def _show_notes(self, state: TeachingState, *, is_same_step: bool) -> None:
        """Show the notes; within a step, a new guess or judgement doesn't scroll them."""
        panel = self.query_one(Panel)
        line = panel.scroll_y
        panel.set_text(styled(*state.notes))
        if is_same_step:
            panel.scroll_to(y=line, animate=False)

    def _show_time(self) -> None:
        """Show the step and how long it has been shown."""
        state = self._state
        if state is not None:
            step = f"step {state.step + 1} of {state.step_count}"
            self.query_one(Heading).set_text(right=[(step, "ash"), (f" · {format_age(state.since)}", "dim")])

    def _show_waiting(self) -> None:
        command = f"evalforge stage {clean_line(self._pack.boss_id)}{clean_line(bosses_option(self._pack.path))}"
        self.query_one(Heading).set_text(right=[("no stage", "dim")])
        self.query_one(Panel).set_text(
            styled(
                ("No stage is open for this boss on this machine.\n", "bold ash"),
                ("Open it in the terminal that the room sees:  ", "dim"),
                (command, "bold steel"),
                ("\nThe notes follow once it is open.", "dim"),
            )
        )

    def action_leave(self) -> None:
        """Exit, because this game was opened only for the notes."""
        self.game.exit()
