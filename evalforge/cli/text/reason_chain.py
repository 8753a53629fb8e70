"""Why a criterion has its level, printed step by step: level, rule, fact, trial, call, line."""

from rich.console import Console

from evalforge.cli import output
from evalforge.cli.text.trial_list import outcome_mark
from evalforge.evidence.reason_chain import ConditionReason, CriterionReason, LevelReason, line_of_code
from evalforge.model.evidence import TrialResult
from evalforge.model.number_format import format_number
from evalforge.model.submission import Submission

_PLACES_SHOWN = 12


def print_reason(console: Console, reason: CriterionReason, submission: Submission) -> None:
    """Print the chain for people; failed trials with every call, and a command that repeats them."""
    score, most = format_number(reason.score), format_number(reason.max_score)
    output.print_line(console, (reason.label, "bold"), f"  {score} of {most}")
    output.print_line(console, reason.comment, indent="  ")
    if reason.bounded:
        output.print_line(console, (f"bounded: {reason.bounded}", "yellow"), indent="  ")
    for claim in reason.claims:
        if claim.is_confirmed:
            _print_trial(console, claim.as_trial, submission)
        else:
            text = f"Claimed, and proves nothing: {claim.claim.fault} {claim.message}"
            output.print_line(console, (text, "dim"), indent="    ")
    for level in reason.levels:
        _print_level(console, level, submission)


def _print_level(console: Console, level: LevelReason, submission: Submission) -> None:
    console.print()
    state = ("reached", "green") if level.reached else ("not reached", "red")
    output.print_line(console, (f"Level {format_number(level.score)}, {level.label}: ", "bold"), state)
    output.print_line(console, (level.description, "dim"), indent="  ")
    for condition in level.conditions:
        _print_condition(console, condition, submission)


def _print_condition(console: Console, condition: ConditionReason, submission: Submission) -> None:
    mark = ("✓ ", "green") if condition.holds else ("✗ ", "red")
    for number, fact in enumerate(condition.facts):
        value = "not measured" if fact.value is None else _value_words(fact.value)
        output.print_line(
            console,
            mark if number == 0 else "  or ",
            f"{fact.fact} {fact.check}",
            (f"  measured: {value}", "dim"),
            indent="  ",
        )
    failed = [trial for trial in condition.trials if not trial.passed]
    if condition.trials:
        passed = len(condition.trials) - len(failed)
        output.print_line(console, (f"{passed} of {len(condition.trials)} trials pass", "dim"), indent="    ")
    for trial in failed:
        _print_trial(console, trial, submission)
    for place in condition.places[:_PLACES_SHOWN]:
        text = f"{place.finding.place}: {place.finding.message}" if place.finding.place else place.finding.message
        output.print_line(console, text, indent="    ")
        if place.code:
            output.print_line(console, (place.code, "dim"), indent="      ")
    if len(condition.places) > _PLACES_SHOWN:
        output.print_line(console, f"and {len(condition.places) - _PLACES_SHOWN} more", indent="    ")


def _value_words(value: float | str | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _print_trial(console: Console, trial: TrialResult, submission: Submission) -> None:
    mark, style = outcome_mark(trial.outcome)
    output.print_line(console, (f"{mark} ", style), trial.title, (f"  {trial.outcome.value}", "dim"), indent="    ")
    for step in trial.steps:
        for number, line in enumerate(step.call.splitlines()):  # a claim's test has several
            output.print_line(console, ("           " if number else "called     ", "dim"), line, indent="      ")
        output.print_line(console, ("returned   ", "dim"), step.result, indent="      ")
    if trial.blamed_on:
        output.print_line(console, ("blamed on  ", "dim"), trial.blame_words, indent="      ")
    if trial.message:
        output.print_line(console, ("why        ", "dim"), trial.message, indent="      ")
    code = line_of_code(submission, trial.path, trial.line)
    if code:
        output.print_line(console, ("ended at   ", "dim"), f"{trial.path}:{trial.line}  {code}", indent="      ")
    if trial.command:
        output.print_line(console, ("to repeat it, in your folder:", "dim"), indent="      ")
        for line in trial.command.splitlines():
            console.print(line, markup=False, highlight=False, soft_wrap=True)
