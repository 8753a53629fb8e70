"""Words for blows."""

from __future__ import annotations

from dataclasses import dataclass

from .domain import Blow


@dataclass(frozen=True, slots=True)
class ThwackRenderer:
    """The words of the contract."""

    verb: str = "lands"

    def render(self, blow: Blow) -> str:
        """The line for a blow."""
        return f"Thwack! {blow.striker} {self.verb} blow {blow.number}."
