"""The budget of a run: each call is reserved before it is made, and never above the cap."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from evalforge.llm.budget import Budget, Price, Usage, cost_of, max_cost_usd
from evalforge.llm.request import Request
from evalforge.llm.submission_rendering import CHARS_PER_TOKEN

_TYPICAL_OUTPUT_TOKENS_PER_ITEM = 60
BATCH_DISCOUNT = 0.5
"""The share of the price that a message batch costs."""


class CapReachedError(Exception):
    """The next call doesn't fit under the cap, and no running call can free any of its reservation."""

    def __init__(self, amount: float) -> None:
        super().__init__()
        self.amount_usd = amount


@dataclass
class RunBudget:
    """The budget of one run.

    Args:
        prices: Each model's price; None if unknown, and then nothing is limited.
        cap_usd: The most all runs of the spec may cost together; None for no limit.
    """

    prices: Mapping[str, Price | None]
    cap_usd: float | None
    spent_before_usd: float = 0.0
    discount: float = 1.0
    _budget: Budget = field(init=False)
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._budget = Budget(spent_usd=self.spent_before_usd)

    @property
    def spent_usd(self) -> float:
        """The amount spent so far, without reservations."""
        return self._budget.spent_usd

    def max_cost(self, request: Request) -> float:
        """The most a call can cost, in dollars; 0 without a known price."""
        price = self.prices[request.model]
        if price is None:
            return 0.0
        return max_cost_usd(request.max_input_tokens, request.max_tokens, price) * self.discount

    async def reserve(self, amount_usd: float) -> int:
        """Reserve an amount, waiting for running calls if it doesn't fit yet; returns the reservation's id.

        Raises:
            CapReachedError: The amount won't fit under the cap.
        """
        while (reservation_id := self.try_reserve(amount_usd)) is None:
            if not self._budget.reserved_usd:
                raise CapReachedError(amount_usd)
            self._settled.clear()
            await self._settled.wait()
        return reservation_id

    def try_reserve(self, amount_usd: float) -> int | None:
        """Reserve an amount; returns the id of the reservation, or None if it doesn't fit now."""
        return self._budget.reserve(amount_usd, float("inf") if self.cap_usd is None else self.cap_usd)

    def settle_reservation(self, reservation_id: int | None, usd: float) -> None:
        """Replace a reservation by the real cost; without a reservation (None), just add the cost."""
        if reservation_id is None:
            self._budget.spent_usd += usd
        else:
            self._budget.settle(reservation_id, usd)
        self._settled.set()

    def reply_cost(self, request: Request, reply: str, usage: Usage) -> float:
        """The cost of a reply, in dollars. If the server doesn't count tokens, they are estimated from lengths."""
        if usage.input + usage.cache_read + usage.cache_write == 0:
            usage = Usage(int(request.char_count / CHARS_PER_TOKEN), usage.output)
        if usage.output == 0:
            usage = Usage(usage.input, int(len(reply) / CHARS_PER_TOKEN), usage.cache_read, usage.cache_write)
        return self.discount * (cost_of(usage, self.prices[request.model]).usd or 0.0)

    def typical_cost(self, request: Request, item_count: int) -> float | None:
        """The usual cost of a call about this many items, in dollars; None if the price is unknown."""
        usage = Usage(int(request.char_count / CHARS_PER_TOKEN), _TYPICAL_OUTPUT_TOKENS_PER_ITEM * item_count)
        usd = cost_of(usage, self.prices[request.model]).usd
        return None if usd is None else usd * self.discount
