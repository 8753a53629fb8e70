"""What a fight before a model judge says beside its result, on standard error: price, progress, strikes, bill."""

from collections.abc import Sequence
from pathlib import Path

from evalforge.cli import output
from evalforge.collect import collect
from evalforge.fight import FightOptions
from evalforge.judges.choice import Estimate, estimate
from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.model.events import CriterionJudged, Event, Progress, Spent


async def tell_price(
    hand_ins: Sequence[tuple[BossPack, Path]], options: FightOptions, *, times: int = 1, ask: bool = True
) -> None:
    """Say what judging would cost, before it begins.

    Args:
        hand_ins: Bosses, and what is handed in to them.
        options: Who judges.
        times: How often each is judged.
        ask: Whether the server is asked to count each of them.

    Raises:
        SubmissionError: A directory can't be handed in.
        UsageError: No such judge can be had.
    """
    from evalforge.judges.choice import make_judge

    info = make_judge(options.judge, options.models).info
    if not info.model:
        raise UsageError(f"There is no model judge called {options.judge!r}.")
    each = [
        await estimate(pack, collect(directory, options.notes), info.name, options.models, ask=ask)
        for pack, directory in hand_ins
    ]
    found = sum(each * times, Estimate(0.0, 0.0, 0, counted=True))
    how = "counted by the server" if found.counted else "estimated"
    budget = f"; the budget is ${options.models.limit:.2f}" if found.low else ""
    output.note(f"{info.name} judge, {info.model}: {found.words} ({found.input_tokens:,} tokens, {how}){budget}")


def tell_bill(cost: Cost) -> None:
    """Say what it did cost."""
    cached = f", {cost.cached_tokens:,} from the server's cache" if cost.cached_tokens else ""
    output.note(f"spent: {cost.price} ({cost.input_tokens:,} tokens read{cached}, {cost.output_tokens:,} written)")


class ModelTeller:
    """Tells what only a model judge has to tell."""

    def __init__(self) -> None:
        self._cost = Cost()

    def took(self, event: Event) -> bool:
        """Whether an event was told here and is nothing for the report of the fight."""
        if isinstance(event, Progress):
            output.note(event.message)
        elif isinstance(event, Spent):
            self._cost = event.cost
        elif isinstance(event, CriterionJudged) and event.provisional:
            score = f"{event.judgement.score:g} of {event.max_score:g}"
            output.note(f"struck: {event.label}, {score} ({event.level_label}), before its quotes are verified")
        else:
            return False
        return True

    def bill(self) -> None:
        """Say what it did cost."""
        tell_bill(self._cost)
