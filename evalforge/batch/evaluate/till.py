"""What a run may spend: put aside before each call, on record, and never beyond the cap."""

import asyncio
from dataclasses import dataclass, field

from evalforge.judges.money import Price, Purse, Usage, at_most, cost_of
from evalforge.judges.rendering import CHARACTERS_PER_TOKEN
from evalforge.judges.sdk import Request

BATCH_DISCOUNT = 0.5
"""Message batches cost half."""


class SpentError(Exception):
    """The next call doesn't fit under the cap, and none is under way that could leave something over."""

    def __init__(self, amount: float) -> None:
        super().__init__()
        self.amount = amount


@dataclass
class Till:
    """The money of one run.

    Args:
        price: What the model costs; None where nobody knows, and then nothing is kept.
        cap: What all runs of the spec may cost; None for no limit.
        spent: What they did cost before, calls whose end isn't known at their most.
        discount: What is paid of the price.
    """

    price: Price | None
    cap: float | None
    spent: float = 0.0
    discount: float = 1.0
    _purse: Purse = field(init=False)
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._purse = Purse(spent=self.spent)

    @property
    def total(self) -> float:
        """Everything spent so far, without what is only put aside."""
        return self._purse.spent

    def most(self, request: Request) -> float:
        """The most a call can cost."""
        if self.price is None:
            return 0.0
        return at_most(request.most_tokens, request.max_tokens, self.price) * self.discount

    async def reserve(self, amount: float) -> int:
        """Put an amount aside, waiting for calls under way if it doesn't fit yet.

        Raises:
            SpentError: It won't fit.
        """
        while (ticket := self.try_reserve(amount)) is None:
            if not self._purse.reserved:
                raise SpentError(amount)
            self._freed.clear()
            await self._freed.wait()
        return ticket

    def try_reserve(self, amount: float) -> int | None:
        """Put an amount aside; None if it doesn't fit now."""
        return self._purse.reserve(amount, float("inf") if self.cap is None else self.cap)

    def settle(self, ticket: int | None, usd: float) -> None:
        """Take what was really spent, and give the rest back; what there was no room to put aside for is spent too."""
        if ticket is None:
            self._purse.spent += usd
        else:
            self._purse.settle(ticket, usd)
        self._freed.set()

    def cost(self, request: Request, reply: str, usage: Usage) -> float:
        """What a reply cost. Where a server doesn't count, the lengths do."""
        if usage.input + usage.cache_read + usage.cache_write == 0:
            usage = Usage(int(request.characters / CHARACTERS_PER_TOKEN), usage.output)
        if usage.output == 0:
            usage = Usage(usage.input, int(len(reply) / CHARACTERS_PER_TOKEN), usage.cache_read, usage.cache_write)
        return self.discount * (cost_of(usage, self.price).usd or 0.0)

    def typical(self, request: Request, items: int) -> float | None:
        """What a call usually costs; None where the price isn't known."""
        usage = Usage(int(request.characters / CHARACTERS_PER_TOKEN), _TYPICAL_TOKENS_EACH * items)
        usd = cost_of(usage, self.price).usd
        return None if usd is None else usd * self.discount


_TYPICAL_TOKENS_EACH = 60
