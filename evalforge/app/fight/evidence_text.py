"""The texts of the evidence screen: the reason, the trials, the next level, the hints."""

from collections.abc import Collection, Iterator, Sequence

from textual.content import Content

from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import render_markup, spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.model.evidence import Finding, TrialResult, count_passed
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean, clean_line
from evalforge.reports.reason_lines import NAME_WIDTH, ReasonLine, reason_lines

_STEPS_SHOWN = 8
_TRIALS_SHOWN = 12
_STEP_NAMES = ("Nudge", "Pointer", "Worked pattern")


def reason_text(judgement: Judgement | None, glyphs: Glyphs, listed: Collection[Finding] = ()) -> Content:
    """Why this level was given, and caveats about the judgement itself; without examples that are ``listed`` beside."""
    if judgement is None:
        return styled(("This criterion was not judged.", "dim"))
    if reason := judgement.reason:
        titles, places = {finding.trial for finding in listed}, {finding.place for finding in listed if finding.path}
        examples = tuple(each for each in reason.examples if each.trial not in titles and each.place not in places)
        judgement = judgement.model_copy(update={"reason": reason.model_copy(update={"examples": examples})})
    notes = ((f"\n{clean(caveat)}", "steel") for caveat in judgement.caveats)
    return styled(*reason_runs(judgement, glyphs.failed)[:-1], *notes)


def reason_runs(judgement: Judgement, failed: str) -> list[Run]:
    """Return why a criterion has its level; as prose if a model judged.

    Args:
        judgement: The judgement.
        failed: The sign of a trial that failed.
    """
    if judgement.reason is None:
        return [*spans(clean(judgement.comment), "ash"), ("\n", "")]
    runs: list[Run] = []
    before = ""
    for line in reason_lines(judgement.reason):
        begins_example = line.role == "trial" or (line.role == "row" and before in ("cause", "remark"))
        if begins_example or (before in ("row", "trial", "more") and line.role in ("holds", "advice")):
            runs.append(("\n", ""))
        runs += [*_reason_line(line, failed), ("\n", "")]
        before = line.role
    return runs


def _reason_line(line: ReasonLine, failed: str) -> Iterator[Run]:
    match line.role:
        case "trial":
            yield f"{failed} ", "blood"
            yield clean_line(line.text), "ash"
        case "row":
            yield f"  {line.name:{NAME_WIDTH}}  ", "dim"
            differing = "bold blood" if line.name == "got" else "bold ash"
            for text, differs in line.runs:
                yield clean(text), differing if differs else "steel" if line.name == "ended at" else "ash"
        case "more":
            yield f"  {line.text}", "dim"
        case "holds":
            yield "Good: ", "bold verdigris"
            yield from spans(clean(line.text), "ash")
        case "advice":
            yield "Next: ", "bold ember"
            yield from spans(clean(line.text), "ash")
        case _:
            yield from spans(clean(line.text), "ash")


def needs(next_level: Level, judgement: Judgement | None) -> str:
    """What the next level needs, from the judgement; without its name, which is shown before it."""
    return (judgement.next_level if judgement else "").removeprefix(f"{next_level.label}: ") or next_level.description


def next_level_runs(criterion: Criterion, judgement: Judgement | None) -> list[Run]:
    """What the next level needs."""
    next_level = criterion.next_level(judgement.score if judgement else 0)
    if next_level is None:
        return [("Nothing above this level.\n", "verdigris")]
    head = f"The next level: {clean_line(next_level.label)} ({format_number(next_level.score)})\n"
    return [(head, "bold ember"), *spans(clean(needs(next_level, judgement)), "ash"), ("\n", "")]


def levels_text(criterion: Criterion, judgement: Judgement | None) -> Content:
    """What the next level needs, then all other levels."""
    score = judgement.score if judgement else 0
    next_level = criterion.next_level(score)
    parts: list[Run] = [*next_level_runs(criterion, judgement), ("\nThe other levels\n", "bold steel")]
    for level in reversed(criterion.levels):
        is_reached = level.score == score
        if level is not next_level:
            parts += [
                (f" {format_number(level.score):>3}  ", "bold molten" if is_reached else "dim"),
                (f"{clean_line(level.label)}  ", "bold ash" if is_reached else "dim"),
                (f"{clean_line(level.full_description, cap=2000)}\n", "ash" if is_reached else "dim"),
            ]
    return styled(*parts)


def trials_text(
    trials: Sequence[TrialResult], everything: Sequence[TrialResult], glyphs: Glyphs, listed: Collection[str] = ()
) -> Content:
    """Each trial: what was called, what it returned, why it failed; all of it in the trial's own words.

    The first one is the chosen one. Of trials ``listed`` beside only this one is shown, without its title.
    """
    if not trials:
        passed, total = count_passed(everything)
        return styled((f"No trial covers this criterion. ({passed} of {total} passed overall.)", "dim"))
    parts: list[Run] = []
    shown_trials = [trial for trial in trials if trial is trials[0] or trial.title not in listed]
    for trial in shown_trials[:_TRIALS_SHOWN]:
        parts += [] if trial.title in listed else [(f"{clean_line(trial.title or trial.id)}  ", "bold ash")]
        parts += _trial(trial, glyphs)
    if len(shown_trials) > _TRIALS_SHOWN:
        parts.append((f"and {len(shown_trials) - _TRIALS_SHOWN} more\n", "dim"))
    return styled(*parts)


def _trial(trial: TrialResult, glyphs: Glyphs) -> list[Run]:
    parts: list[Run] = [(f"{trial.outcome.value}\n", f"bold {glyphs.outcome(trial.outcome)[1]}")]
    if trial.message and not trial.passed:
        parts += [("  why        ", "dim"), (f"{clean_line(trial.message, cap=800)}\n", "ember")]
    if len(trial.steps) > _STEPS_SHOWN:
        parts.append((f"  {plural(len(trial.steps) - _STEPS_SHOWN, 'earlier step')}, then\n", "dim"))
    for step in trial.steps[-_STEPS_SHOWN:]:
        for number, line in enumerate(step.call.splitlines()):  # a claim's test has several
            parts += [("             " if number else "  called     ", "dim"), (f"{clean_line(line)}\n", "steel")]
        parts += [("  returned   ", "dim"), (f"{clean_line(step.result)}\n", "ash")]
    if trial.blamed_on:
        parts += [("  blamed on  ", "dim"), (f"{clean_line(trial.blame_words)}\n", "molten")]
    if trial.command:
        parts += [("  y", "bold ember"), (" copies a command that repeats this in your folder\n", "dim")]
    return [*parts, ("\n", "")]


def hint_text(hints: Sequence[str], shown_count: int, tries: int, needed: int) -> Content:
    """The steps that were shown, and how to get the next."""
    if not hints:
        return styled(("This boss has no hints for it.", "dim"))
    if tries < needed and not shown_count:
        tries_left = needed - tries
        return styled(
            ("Hints come after two attempts", "bold ash"),
            (f"; {plural(tries_left, 'attempt')} to go. What the next level needs is always shown.", "dim"),
        )
    parts: list[Content | Run] = []
    for index, hint in enumerate(hints[:shown_count]):
        parts += [(f"{_STEP_NAMES[min(index, 2)]}\n", "bold ember"), render_markup(hint), ("\n", "")]
    if shown_count < len(hints):
        name = _STEP_NAMES[min(shown_count, 2)].lower()
        parts += [("h", "bold ember"), (f" shows the {name}. {shown_count} of {len(hints)} used.", "dim")]
    else:
        parts.append((f"All {len(hints)} used; there are no more.", "dim"))
    return styled(*parts)
