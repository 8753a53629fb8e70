"""The cost of a judging."""

from evalforge.model.base import Frozen


class Cost(Frozen):
    """Tokens and their price.

    Attributes:
        usd: Dollars; None if the price is unknown.
        input_tokens: Tokens read without the server's cache, including those written into it.
        output_tokens: Tokens written by the model.
        cached_tokens: Tokens read from the server's cache, at a tenth of the price.
    """

    usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @property
    def price(self) -> str:
        """The price in words, for people."""
        return "price unknown" if self.usd is None else f"${self.usd:.4f}"

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            usd=None if self.usd is None or other.usd is None else self.usd + other.usd,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )
