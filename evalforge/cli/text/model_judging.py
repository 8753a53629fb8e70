"""A model judge's output on standard error besides the result: estimated price, progress, scores, actual cost."""

from collections.abc import Sequence
from pathlib import Path

from evalforge.cli import output
from evalforge.fight import FightOptions
from evalforge.judges.registry import CostEstimate, estimate_cost
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.model.events import CriterionJudged, Event, Progress, Spent
from evalforge.packs.pack import BossPack
from evalforge.submissions.boss_submission import collect_for


async def print_price(
    submissions: Sequence[tuple[BossPack, Path]], options: FightOptions, *, times: int = 1, ask: bool = True
) -> None:
    """Print the price of a judging before it begins.

    Args:
        submissions: Bosses, and the directories to judge.
        options: The judge and its models.
        times: How often each is judged.
        ask: Whether the server is asked to count the tokens of each prompt.

    Raises:
        SubmissionError: A directory can't be collected.
        UsageError: There is no such judge, or it is unavailable.
    """
    from evalforge.judges.registry import make_judge

    info = make_judge(options.judge, options.models).info
    if not info.model:
        raise UsageError(f"There is no model judge called {options.judge!r}.")
    estimates = [
        await estimate_cost(
            pack,
            collect_for(pack, directory, options.notes),
            info.name,
            options.models,
            count_on_server=ask,
        )
        for pack, directory in submissions
    ]
    estimate = sum(estimates * times, CostEstimate(0.0, 0.0, 0, is_counted=True))
    how = "counted by the server" if estimate.is_counted else "estimated"
    reserve = f"; {estimate.reserve_words}" if estimate.reserve_words else ""
    budget = f"{reserve}; the budget is ${options.models.budget_usd:.2f}" if estimate.low_usd else ""
    output.print_note(
        f"{info.name} judge, {info.model}: {estimate.price_words} ({estimate.input_tokens:,} tokens, {how}){budget}"
    )


def print_cost(cost: Cost) -> None:
    """Print the actual cost of a judging."""
    cached = f", {cost.cached_tokens:,} from the server's cache" if cost.cached_tokens else ""
    output.print_note(
        f"spent: {cost.price} ({cost.input_tokens:,} tokens read{cached}, {cost.output_tokens:,} written)"
    )


class ModelProgressPrinter:
    """Prints the events that only a model judge sends."""

    def __init__(self) -> None:
        self._cost = Cost()

    def print_event(self, event: Event) -> bool:
        """Print an event of a model judge; returns False if it belongs in the report of the fight."""
        if isinstance(event, Progress):
            output.print_note(event.message)
        elif isinstance(event, Spent):
            self._cost = event.cost
        elif isinstance(event, CriterionJudged) and event.provisional:
            score = f"{event.judgement.score:g} of {event.max_score:g}"
            output.print_note(f"struck: {event.label}, {score} ({event.level_label}), before its quotes are verified")
        else:
            return False
        return True

    def print_total_cost(self) -> None:
        """Print the total cost of all judgings."""
        print_cost(self._cost)
