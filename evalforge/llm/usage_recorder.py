"""Records what one judging spends: the most a call can cost is reserved before it, its real cost charged after it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from evalforge.llm.budget import Budget, Price, Usage, cost_of, max_cost_usd, price_of
from evalforge.llm.failure import FORGE_ADVICE, CallFailedError, CallFailure
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.request import Request
from evalforge.model.cost import Cost


@dataclass
class UsageRecorder:
    """Adds up the calls of one judging, and charges each to the session's budget.

    Args:
        on_cost: Called with the judging's cost so far whenever it changes.
    """

    options: ModelOptions
    budget: Budget
    on_cost: Callable[[Cost], None]
    _settled_cost: Cost = field(default_factory=Cost)
    _reported_cost: Cost = field(default_factory=Cost)
    _open_calls: dict[int, tuple[Price | None, Cost]] = field(default_factory=dict[int, tuple[Price | None, Cost]])

    def reserve_call(self, request: Request) -> int:
        """Reserve the most a call can cost; returns the reservation's id.

        Raises:
            CallFailedError: The call doesn't fit the budget, or the model's price isn't known.
        """
        price = price_of(request.model, self.options)
        if price is None:
            raise CallFailedError(_unknown_price(request.model))
        amount_usd = max_cost_usd(request.max_input_tokens, request.max_tokens, price)
        limit_usd = self.options.budget_usd
        reservation_id = self.budget.reserve(amount_usd, limit_usd)
        if reservation_id is None:
            raise CallFailedError(_budget_reached(self.budget.spent_usd, amount_usd, limit_usd))
        self._open_calls[reservation_id] = (price, Cost())
        return reservation_id

    def record_usage(self, reservation_id: int, usage: Usage) -> None:
        """Record the tokens that a running call has used so far."""
        price, _ = self._open_calls[reservation_id]
        self._open_calls[reservation_id] = (price, cost_of(usage, price))
        self._report_cost()

    def settle_call(self, reservation_id: int, usage: Usage) -> None:
        """Charge a finished call, however it ended, for the tokens it used."""
        price, _ = self._open_calls.pop(reservation_id)
        cost = cost_of(usage, price)
        self._settled_cost += cost
        self.budget.settle(reservation_id, cost.usd or 0.0)
        self._report_cost()

    def _report_cost(self) -> None:
        cost = self.total_cost
        if cost != self._reported_cost:
            self._reported_cost = cost
            self.on_cost(cost)

    @property
    def total_cost(self) -> Cost:
        """The cost of all calls so far, including running ones."""
        return sum((cost for _, cost in self._open_calls.values()), self._settled_cost)


def _unknown_price(model: str) -> CallFailure:
    return CallFailure(
        f"The price of {model} is not known, so the budget can't be kept.",
        f"Put its price into prices.toml in EVALFORGE_HOME, or name another --model. {FORGE_ADVICE}",
    )


def _budget_reached(spent_usd: float, amount_usd: float, limit_usd: float) -> CallFailure:
    call = f"may cost ${amount_usd:.2f}"
    if amount_usd > limit_usd:
        reason = f"The next call {call}, more than the ${limit_usd:.2f} budget."
    else:
        reason = f"The budget is reached: ${spent_usd:.2f} of ${limit_usd:.2f} are spent, and the next call {call}."
    return CallFailure(reason, f"Allow more with --budget, or choose a cheaper --model. {FORGE_ADVICE}")
