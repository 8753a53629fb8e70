"""Whether the last attempt's advice was followed, as lines of text."""

from collections.abc import Sequence

from rich.console import Console

from evalforge.cli import output
from evalforge.model.followed_advice import AdviceState, FollowedAdvice

_MARKS = {
    AdviceState.DONE: ("✓", "green"),
    AdviceState.NOT_ENOUGH: ("±", "yellow"),
    AdviceState.BEGUN: ("±", "yellow"),
    AdviceState.NOT_DONE: ("✗", "red"),
}


def print_followed_advice(out: Console, advice: Sequence[FollowedAdvice]) -> None:
    """Print whether each improvement of the last attempt was made; nothing if there is none."""
    if advice:
        out.print()
        output.print_line(out, ("The last advice", "bold"))
    for improvement in advice:
        mark, style = _MARKS[improvement.state]
        output.print_line(out, (f"{mark} ", style), improvement.outcome, indent="  ")
        output.print_line(out, (improvement.words, "dim"), indent="    ")


def print_advice_line(out: Console, advice: FollowedAdvice) -> None:
    """Print one improvement of the last attempt and whether it was followed."""
    mark, style = _MARKS[advice.state]
    output.print_line(out, (f"{mark} ", style), f"{advice.words.rstrip('.')}: {advice.outcome}", indent="  ")
