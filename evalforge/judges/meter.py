"""What a judging spends: reserved from the purse before each call, settled after it, told as it changes."""

from collections.abc import Callable
from dataclasses import dataclass, field

from evalforge.judges.failure import CallFailedError, Failure
from evalforge.judges.money import Price, Purse, Usage, at_most, cost_of, price_of
from evalforge.judges.options import ModelOptions
from evalforge.judges.sdk import Request
from evalforge.model.cost import Cost


@dataclass
class Meter:
    """Counts the calls of one judging.

    Args:
        options: Whose budget holds, and where the server is.
        purse: What the session has spent.
        tell: Hears the sum so far.
    """

    options: ModelOptions
    purse: Purse
    tell: Callable[[Cost], None]
    _done: Cost = field(default_factory=Cost)
    _told: Cost = field(default_factory=Cost)
    _open: dict[int, tuple[Price | None, Cost]] = field(default_factory=dict[int, tuple[Price | None, Cost]])

    def begin(self, request: Request) -> int:
        """Reserve the most a call can cost.

        Raises:
            CallFailedError: The budget doesn't hold that much, or has to be kept and the price isn't known.
        """
        price = price_of(request.model, self.options)
        if price is None and self.options.budget is not None:
            raise CallFailedError(
                Failure(
                    f"The price of {request.model} is not known, so a budget can't be kept.",
                    "Put its price into prices.toml in EVALFORGE_HOME, or leave the budget out.",
                )
            )
        amount = at_most(request.most_tokens, request.max_tokens, price) if price else 0.0
        limit = self.options.limit
        ticket = self.purse.reserve(amount, limit)
        if ticket is None:
            raise CallFailedError(
                Failure(
                    f"The budget is reached: ${self.purse.spent:.2f} of ${limit:.2f} are spent, and the next call may "
                    f"cost ${amount:.2f}.",
                    "Allow more with --budget, choose a cheaper --model, or --judge forge. Your attempt is kept.",
                )
            )
        self._open[ticket] = (price, Cost())
        return ticket

    def count(self, ticket: int, usage: Usage) -> None:
        """A call has used this much so far."""
        price, _ = self._open[ticket]
        self._open[ticket] = (price, cost_of(usage, price))
        self._say()

    def end(self, ticket: int, usage: Usage) -> None:
        """A call is over, however it went."""
        price, _ = self._open.pop(ticket)
        cost = cost_of(usage, price)
        self._done += cost
        self.purse.settle(ticket, cost.usd or 0.0)
        self._say()

    def _say(self) -> None:
        total = self.total
        if total != self._told:
            self._told = total
            self.tell(total)

    @property
    def total(self) -> Cost:
        """What the judging cost so far."""
        return sum((cost for _, cost in self._open.values()), self._done)
