"""What the speaker reads while the audience sees the stage: the gold level, what to say, what comes next."""

from collections.abc import Iterable

from evalforge.app.teaching.lesson_plan import Lesson, letter
from evalforge.app.teaching.lesson_steps import Step, StepKind
from evalforge.app.teaching.teaching_state import TeachingState
from evalforge.app.ui.text.formatting import VERDICT_WORDS
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean, clean_line


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


def speaker_notes(lesson: Lesson, state: TeachingState) -> list[Run]:
    """The notes for a stage's current step."""
    at = min(max(state.step, 0), len(lesson.steps) - 1)
    step = lesson.steps[at]
    following = step_title(lesson, lesson.steps[at + 1]) if at + 1 < len(lesson.steps) else "nothing: this is the end"
    parts: list[Run] = [("On the stage  ", "dim"), (f"{step_title(lesson, step)}\n", "bold ash")]
    parts += [("Next          ", "dim"), (f"{following}\n", "ash")]
    note_writers = {
        StepKind.MISSION: _of_mission,
        StepKind.CONTRACT: _of_contract,
        StepKind.CRITERION: _of_criterion,
        StepKind.HAND_IN: _of_hand_in,
        StepKind.GUESS: _of_level,
        StepKind.REVEAL: _of_level,
        StepKind.VERDICT: _of_hand_in,
        StepKind.GHOSTS: _of_ghosts,
    }
    return [*parts, *note_writers[step.kind](lesson, state, step)]


def _of_mission(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    del state, step
    codex = lesson.pack.codex
    return [*_paragraphs("The story", codex.lore), *_paragraphs("How it punishes", codex.attacks)]


def _of_contract(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    del state, step
    count, rubric = len(lesson.rubric.criteria), lesson.rubric
    threshold, highest = format_number(rubric.overall.pass_threshold), format_number(rubric.max_score)
    text = f"{count} criteria; pass at {threshold} of {highest}."
    return [
        *_heading("To say"),
        *_points(("The contract is complete: the trials test nothing else.", text)),
        *_paragraphs("How to beat it well", lesson.pack.codex.strategy),
    ]


def _of_criterion(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    del state
    criterion = lesson.rubric.criteria[step.criterion]
    return [*_signals(criterion), *_hints(lesson, criterion)]


def _of_hand_in(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    submission = lesson.submissions[step.hand_in]
    scores = state.judged.get(str(submission.path), {})
    gold = submission.gold.levels if submission.gold else {}
    parts = [*_heading(f"Submission {letter(step.hand_in)} is {clean_line(submission.name)}")]
    if submission.gold:
        verdict, maximum = VERDICT_WORDS[submission.gold.verdict], format_number(lesson.rubric.max_score)
        parts += [
            ("  gold  ", "dim"),
            (f"{verdict}, {format_number(submission.total)} of {maximum}\n", "bold molten"),
        ]
    for criterion in lesson.rubric.criteria:
        parts += _line(criterion, gold.get(criterion.id), scores.get(criterion.id))
    return parts


def _of_level(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    submission, criterion = lesson.submissions[step.hand_in], lesson.rubric.criteria[step.criterion]
    judged_score = state.judged.get(str(submission.path), {}).get(criterion.id)
    parts = [*_heading(f"Submission {letter(step.hand_in)} is {clean_line(submission.name)}")]
    if submission.gold and criterion.id in submission.gold.levels:
        parts += _level("gold", criterion, submission.gold.levels[criterion.id])
        parts += _wrapped(submission.gold.why.get(criterion.id, ""))
    parts += (
        _level("judge", criterion, judged_score) if judged_score is not None else [("  judge  still at work\n", "dim")]
    )
    guesses = ", ".join(f"{count} x level {format_number(score)}" for score, count in state.tally)
    parts += [("  room   ", "dim"), (f"{guesses or 'no guesses yet'}\n", "ash")]
    return [*parts, *_signals(criterion), *_hints(lesson, criterion)]


def _of_ghosts(lesson: Lesson, state: TeachingState, step: Step) -> list[Run]:
    parts: list[Run] = []
    criteria = lesson.rubric.criteria if step.criterion < 0 else (lesson.rubric.criteria[step.criterion],)
    for index, ghost in enumerate(lesson.ghosts):
        scores = state.judged.get(str(ghost.path), {})
        parts += _heading(f"{lesson.strength(index).capitalize()}: {clean_line(ghost.name)}")
        for criterion in criteria:
            parts += _line(
                criterion, ghost.gold.levels.get(criterion.id) if ghost.gold else None, scores.get(criterion.id)
            )
            if ghost.gold and step.criterion >= 0:
                parts += _wrapped(ghost.gold.why.get(criterion.id, ""))
    return parts


# Parts


def _heading(text: str) -> list[Run]:
    return [(f"\n{text}\n", "bold ember")]


def _level(who: str, criterion: Criterion, score: float) -> list[Run]:
    label = criterion.level_label(score)
    return [(f"  {who:<6} ", "dim"), (f"{format_number(score)} ", "bold molten"), (f"{clean_line(label)}\n", "ash")]


def _line(criterion: Criterion, gold: float | None, judged_score: float | None) -> list[Run]:
    """One criterion of a submission: gold and the judge's level, marked if they differ."""
    gold_words = format_number(gold) if gold is not None else "?"
    parts: list[Run] = [
        (f"  {gold_words:>3} ", "bold molten"),
        (f"of {format_number(criterion.max_score)}  ", "dim"),
        (f"{clean_line(criterion.label)}", "ash"),
    ]
    if judged_score is not None and judged_score != gold:
        parts.append((f"  the judge says {format_number(judged_score)}", "bold blood"))
    return [*parts, ("\n", "")]


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


def _hints(lesson: Lesson, criterion: Criterion) -> list[Run]:
    """The nudge and the pointer: good questions for an audience."""
    hints = lesson.pack.codex.hints.get(criterion.id, ())[:2]
    return [*_heading("To ask the room"), *_points(hints)] if hints else []


def _points(lines: Iterable[str]) -> list[Run]:
    return [p for line in lines for p in (("  · ", "dim"), *spans(_run_in(line), "ash"), ("\n", ""))]


def _wrapped(text: str) -> list[Run]:
    return [("         ", ""), *spans(_run_in(text), "ash"), ("\n", "")] if text.strip() else []


def _paragraphs(title: str, text: str) -> list[Run]:
    blocks = [_run_in(block) for block in clean(text).split("\n\n") if block.strip() and not block.startswith("#")]
    return (
        [*_heading(title), *(p for block in blocks[:3] for p in (*spans(block, "ash"), ("\n", "")))] if blocks else []
    )


def _run_in(text: str) -> str:
    return clean_line(" ".join(text.split()), cap=900)
