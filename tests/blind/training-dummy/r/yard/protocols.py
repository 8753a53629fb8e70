"""Interfaces between the layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from .domain import Blow


class Renderer(Protocol):
    """Puts a blow into words."""

    def render(self, blow: Blow) -> str:
        """The line for a blow."""
        ...


class Sink(Protocol):
    """Takes lines to wherever they are wanted."""

    def write_all(self, lines: Iterable[str]) -> None:
        """Write all lines, in order."""
        ...
