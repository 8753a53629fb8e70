"""What a fight before a model judge says beside its result, on standard error: price, progress, strikes, bill."""

from pathlib import Path

from evalforge.cli import output
from evalforge.collect import collect
from evalforge.fight import FightOptions
from evalforge.judges.choice import estimate
from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.model.events import CriterionJudged, Event, Progress, Spent


class ModelTeller:
    """Tells what only a model judge has to tell."""

    def __init__(self) -> None:
        self._cost = Cost()

    async def price(self, pack: BossPack, directory: Path, options: FightOptions) -> None:
        """Say what the fight would cost, before it begins.

        Raises:
            SubmissionError: The directory can't be handed in.
            UsageError: No such judge can be had.
        """
        from evalforge.judges.choice import make_judge

        info = make_judge(options.judge, options.models).info
        if not info.model:
            raise UsageError(f"There is no model judge called {options.judge!r}.")
        found = await estimate(pack, collect(directory, options.notes), info.name, options.models, ask=True)
        how = "counted by the server" if found.counted else "estimated"
        budget = f"; the budget is ${options.models.limit:.2f}" if found.low else ""
        output.note(f"{info.name} judge, {info.model}: {found.words} ({found.input_tokens:,} tokens, {how}){budget}")

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
        cost = self._cost
        cached = f", {cost.cached_tokens:,} from the server's cache" if cost.cached_tokens else ""
        output.note(f"spent: {cost.price} ({cost.input_tokens:,} tokens read{cached}, {cost.output_tokens:,} written)")
