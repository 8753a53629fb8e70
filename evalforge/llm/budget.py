"""What a call costs, and a budget that is never overdrawn: the most a call can cost is reserved before it.

Prices are dollars per million tokens, from ``prices.toml`` next to this file, which also says when a model is switched
off; the player's own price table in ``EVALFORGE_HOME`` takes precedence. A server on this machine or network is free.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from evalforge.llm.model_options import ModelOptions
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.packs.locations import state_folder

_MILLION = 1_000_000
OUTPUT_TOKENS_PER_CRITERION = 450
"""Tokens a model typically writes about one criterion, thinking included."""
_OUTPUT_TOKENS_PER_REPLY = 500
_SNAPSHOT_DATE = re.compile(r"-\d{8}$")  # as in claude-opus-4-20250514; all snapshots of a model cost the same


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens.

    Attributes:
        cache_read: Price of reading from the server's cache, as a share of ``input``.
        cache_write: Price of writing into that cache, as a share of ``input``.
        long_above: Number of prompt tokens above which the whole call costs ``long_times`` as much.
        long_times: Factor for such a long prompt.
    """

    input: float
    output: float
    cache_read: float = 0.1
    cache_write: float = 1.25
    long_above: float = math.inf
    long_times: float = 1.0


FREE = Price(0.0, 0.0)


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, as the server counted them."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


def price_of(model: str, options: ModelOptions) -> Price | None:
    """The price of a model: from the player's table, else free on a local server, else from ours; None if unknown.

    Raises:
        UsageError: The player's price table can't be read.
    """
    user_prices = _user_prices(state_folder() / "prices.toml")
    if model in user_prices:
        return user_prices[model]
    if options.is_local:
        return FREE
    return _parse_prices(_shipped_table()).get(_SNAPSHOT_DATE.sub("", model))


def price_table_date() -> date:
    """The day our own price table was last brought up to date."""
    return _shipped_table()["as_of"]


def retirement_notes(models: Iterable[str], today: date | None = None) -> tuple[str, ...]:
    """Return a sentence for each model that was or will be switched off on a known day."""
    days: Mapping[str, date] = _shipped_table()["retirements"]
    dated = ((model, days.get(_SNAPSHOT_DATE.sub("", model))) for model in models)
    today = today or datetime.now(UTC).date()
    return tuple(
        f"{model} {'was switched off' if day < today else 'will be switched off'} on {day:%B} {day.day}, {day.year}: "
        "choose a newer model with --model."
        for model, day in dated
        if day
    )


def cost_of(usage: Usage, price: Price | None) -> Cost:
    """Return the tokens and dollars of one call; the dollars are None if the price is."""
    return Cost(
        usd=None if price is None else _cost_usd(usage, price),
        input_tokens=usage.input + usage.cache_write,
        output_tokens=usage.output,
        cached_tokens=usage.cache_read,
    )


def expected_output_tokens(criterion_count: int) -> int:
    """Return the number of tokens a judge usually writes about this many criteria."""
    return OUTPUT_TOKENS_PER_CRITERION * criterion_count + _OUTPUT_TOKENS_PER_REPLY


def max_cost_usd(input_tokens: int, output_tokens: int, price: Price) -> float:
    """Return the most a call can cost, in dollars: as if all of its input were written to the cache."""
    return _cost_usd(Usage(output=output_tokens, cache_write=input_tokens), price)


def _cost_usd(usage: Usage, price: Price) -> float:
    prompt_tokens = usage.input + usage.cache_read + usage.cache_write
    weighted_input = usage.input + usage.cache_read * price.cache_read + usage.cache_write * price.cache_write
    factor = price.long_times if prompt_tokens > price.long_above else 1.0
    return factor * (weighted_input * price.input + usage.output * price.output) / _MILLION


@dataclass
class Budget:
    """What a session has spent, in dollars. What is reserved counts as spent until it is settled."""

    spent_usd: float = 0.0
    reserved_usd: float = 0.0
    _reservations: dict[int, float] = field(default_factory=dict[int, float])
    _last_reservation_id: int = 0

    def reserve(self, amount_usd: float, limit_usd: float) -> int | None:
        """Reserve an amount before a call; returns an id for ``settle``, or None if it would go beyond the limit."""
        if self.spent_usd + self.reserved_usd + amount_usd > limit_usd:
            return None
        self._last_reservation_id += 1
        self._reservations[self._last_reservation_id] = amount_usd
        self.reserved_usd += amount_usd
        return self._last_reservation_id

    def settle(self, reservation_id: int, spent_usd: float) -> None:
        """Replace a reservation by the real cost. Only the first call for a reservation counts."""
        reserved_usd = self._reservations.pop(reservation_id, None)
        if reserved_usd is not None:
            self.reserved_usd = sum(self._reservations.values())
            self.spent_usd += spent_usd


@lru_cache(maxsize=1)
def _shipped_table() -> Mapping[str, Any]:
    return tomllib.loads(files("evalforge.llm").joinpath("prices.toml").read_text("utf-8"))


def _user_prices(path: Path) -> dict[str, Price]:
    try:
        return _parse_prices(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} can't be used as a price table ({error}).",
            'Its form: [models] and below it "NAME" = { input = 1.0, output = 2.0 }',
        ) from None


def _parse_prices(data: Mapping[str, Any]) -> dict[str, Price]:
    shared = {name: float(data[name]) for name in ("cache_read", "cache_write") if name in data}
    models = cast("Mapping[str, Mapping[str, Any]]", data.get("models", {}))
    return {
        name: Price(**{**shared, **{key: float(value) for key, value in entry.items()}})
        for name, entry in models.items()
    }
