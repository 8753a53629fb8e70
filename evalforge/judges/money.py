"""What a call costs, and a purse that is never overdrawn: reserved before each call, settled after it."""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from evalforge.judges.options import ModelOptions
from evalforge.library.places import home
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError

_MILLION = 1_000_000
OUTPUT_TOKENS_EACH = 450
"""What a model typically writes about one criterion, thinking included."""
_OUTPUT_TOKENS_BESIDES = 500
_DATE = re.compile(r"-\d{8}$")  # of a snapshot of a model; all of them cost the same


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens.

    Attributes:
        input: For what is read.
        output: For what is written.
        cache_read: What reading from the server's cache costs, in shares of ``input``.
        cache_write: What writing into it costs, likewise.
        long_above: Tokens of prompt above which a call costs ``long_times`` as much.
        long_times: How many times as much.
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
    """The price of a model: from ``prices.toml`` in our home, else nothing on a local server, else from our table.

    None where it isn't known.

    Raises:
        UsageError: The player's price table can't be read.
    """
    own = _own_table(home() / "prices.toml")
    if model in own:
        return own[model]
    if options.is_local:
        return FREE
    table, _ = _shipped()
    return table.get(_DATE.sub("", model))


def prices_as_of() -> date:
    """The day our price table was written."""
    return _shipped()[1]


def cost_of(usage: Usage, price: Price | None) -> Cost:
    """What a call cost."""
    return Cost(
        usd=None if price is None else _dollars(usage, price),
        input_tokens=usage.input + usage.cache_write,
        output_tokens=usage.output,
        cached_tokens=usage.cache_read,
    )


def expected_output(criteria: int) -> int:
    """Tokens a judging of so many criteria usually takes to write."""
    return OUTPUT_TOKENS_EACH * criteria + _OUTPUT_TOKENS_BESIDES


def at_most(input_tokens: int, output_tokens: int, price: Price) -> float:
    """The most a call can cost, all of it written into the cache."""
    return _dollars(Usage(output=output_tokens, cache_write=input_tokens), price)


def _dollars(usage: Usage, price: Price) -> float:
    prompt = usage.input + usage.cache_read + usage.cache_write
    read = usage.input + usage.cache_read * price.cache_read + usage.cache_write * price.cache_write
    times = price.long_times if prompt > price.long_above else 1.0
    return times * (read * price.input + usage.output * price.output) / _MILLION


@dataclass
class Purse:
    """What a session may spend. What is reserved counts as spent until it is settled."""

    spent: float = 0.0
    reserved: float = 0.0
    _held: dict[int, float] = field(default_factory=dict[int, float])
    _next: int = 0

    def reserve(self, amount: float, limit: float) -> int | None:
        """Put an amount aside. Returns a ticket for ``settle``, or None if it would go beyond the limit."""
        if self.spent + self.reserved + amount > limit:
            return None
        self._next += 1
        self._held[self._next] = amount
        self.reserved += amount
        return self._next

    def settle(self, ticket: int, spent: float) -> None:
        """Give back what was put aside and take what was really spent. A ticket counts once."""
        amount = self._held.pop(ticket, None)
        if amount is not None:
            self.reserved = sum(self._held.values())
            self.spent += spent


@lru_cache(maxsize=1)
def _shipped() -> tuple[dict[str, Price], date]:
    data = tomllib.loads(files("evalforge.judges").joinpath("prices.toml").read_text("utf-8"))
    return _table(data), data["as_of"]


def _own_table(path: Path) -> dict[str, Price]:
    try:
        return _table(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} can't be used as a price table ({error}).",
            'Its form: [models] and below it "NAME" = { input = 1.0, output = 2.0 }',
        ) from None


def _table(data: Mapping[str, Any]) -> dict[str, Price]:
    shared = {name: float(data[name]) for name in ("cache_read", "cache_write") if name in data}
    models = cast("Mapping[str, Mapping[str, Any]]", data.get("models", {}))
    return {
        name: Price(**{**shared, **{key: float(value) for key, value in entry.items()}})
        for name, entry in models.items()
    }
