"""What the evidence screen tells in words: the reason, the trials, the next level, the hints."""

from collections.abc import Sequence

from textual.content import Content

from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import Part, render_markup
from evalforge.model.evidence import TrialResult, count_passed
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean, clean_line

_STEPS_SHOWN = 8
_TRIALS_SHOWN = 12
_STEP_NAMES = ("Nudge", "Pointer", "Worked pattern")


def reason_text(judgement: Judgement | None) -> Content:
    """Why this level, and what must be known about the judgement itself."""
    if judgement is None:
        return Content.assemble(("This criterion was not judged.", "$dim"))
    notes = ((f"\n{note}", "$steel") for note in reliability_notes(judgement))
    return Content.assemble((clean(judgement.comment), "$ash"), *notes)


def reliability_notes(judgement: Judgement) -> list[str]:
    """What must be known about a judgement itself: what capped it, and who was in doubt."""
    notes = [f"Bounded by behaviour: {clean(judgement.bounded)}"] if judgement.bounded else []
    if judgement.ambiguous:
        votes = ", ".join(format_number(vote) for vote in judgement.votes)
        notes.append(f"The votes disagreed ({votes})." if votes else "The votes disagreed.")
    return [*notes, "The judge was not sure."] if judgement.uncertain else notes


def needs(above: Level, judgement: Judgement | None) -> str:
    """What the level above asks for, in the judgement's words; without its name, which is said before."""
    return (judgement.next_level if judgement else "").removeprefix(f"{above.label}: ") or above.description


def next_level_text(criterion: Criterion, judgement: Judgement | None, *, whole: bool = False) -> Content:
    """What the next level needs; ``whole`` adds every level of the criterion."""
    score = judgement.score if judgement else 0
    above = criterion.next_level(score)
    if above is None:
        parts: list[Part] = [("Nothing above this level.\n", "$verdigris")]
    else:
        needed = needs(above, judgement)
        head = f"The next level: {clean_line(above.label)} ({format_number(above.score)})\n"
        # Where every level is told, what one needs in no other words is told there.
        words = "" if whole and needed == above.description else f"{clean(needed)}\n"
        parts = [(head, "bold $ember"), (words, "$ash")]
    if whole:
        parts.append(("\nAll levels\n", "bold $steel"))
        for level in reversed(criterion.levels):
            here = level.score == score
            parts += [
                (f" {format_number(level.score):>3}  ", "bold $molten" if here else "$dim"),
                (f"{clean_line(level.label)}  ", "bold $ash" if here else "$dim"),
                (f"{clean_line(level.description, cap=2000)}\n", "$ash" if here else "$dim"),
            ]
    return Content.assemble(*parts)


def trials_text(trials: Sequence[TrialResult], everything: Sequence[TrialResult]) -> Content:
    """Each trial: what was called, what came back, what it means; all of it in the trial's own words."""
    if not trials:
        passed, total = count_passed(everything)
        return Content.assemble((f"No trial speaks here. {passed} of {total} passed.", "$dim"))
    parts: list[Part] = []
    for trial in trials[:_TRIALS_SHOWN]:
        parts += _trial(trial)
    if len(trials) > _TRIALS_SHOWN:
        parts.append((f"and {len(trials) - _TRIALS_SHOWN} more\n", "$dim"))
    return Content.assemble(*parts)


def _trial(trial: TrialResult) -> list[Part]:
    parts: list[Part] = [
        (f"{clean_line(trial.title or trial.id)}", "bold $ash"),
        (f"  {trial.outcome.value}\n", "bold $verdigris" if trial.passed else "bold $blood"),
    ]
    for step in trial.steps[:_STEPS_SHOWN]:
        parts += [
            ("  called     ", "$dim"), (f"{clean_line(step.call)}\n", "$steel"),
            ("  came back  ", "$dim"), (f"{clean_line(step.result)}\n", "$ash"),
        ]  # fmt: skip
    if len(trial.steps) > _STEPS_SHOWN:
        parts.append((f"  and {plural(len(trial.steps) - _STEPS_SHOWN, 'more step', 'more steps')}\n", "$dim"))
    if trial.message and not trial.passed:
        parts += [("  means      ", "$dim"), (f"{clean_line(trial.message, cap=800)}\n", "$ember")]
    if trial.command:
        parts += [("  c", "bold $ember"), (" copies a command that does the same in your folder\n", "$dim")]
    return [*parts, ("\n", "")]


def hint_text(hints: Sequence[str], taken: int, tries: int, needed: int) -> Content:
    """The steps that were taken, and how to take the next."""
    if not hints:
        return Content.assemble(("This boss has no hints for it.", "$dim"))
    if tries < needed and not taken:
        left = needed - tries
        return Content.assemble(
            ("Hints come after two tries", "bold $ash"),
            (f"; {plural(left, 'try', 'tries')} to go. What the next level needs is no secret.", "$dim"),
        )
    parts: list[Content | Part] = []
    for index, hint in enumerate(hints[:taken]):
        parts += [(f"{_STEP_NAMES[min(index, 2)]}\n", "bold $ember"), render_markup(hint), ("\n", "")]
    if taken < len(hints):
        name = _STEP_NAMES[min(taken, 2)].lower()
        parts += [("h", "bold $ember"), (f" shows the {name}. {taken} of {len(hints)} taken.", "$dim")]
    else:
        parts.append((f"All {len(hints)} taken; that is all there is.", "$dim"))
    return Content.assemble(*parts)
