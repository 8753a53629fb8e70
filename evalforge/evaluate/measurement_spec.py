"""The measuring part of a spec: the command that prints the items, and the conditions for its values."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from evalforge.model.base import Open
from evalforge.model.level_rules import Check

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class Gate(Open):
    """A condition a measured value must meet before any judge is asked."""

    name: Text
    check: Check
    description: str = ""


class Stability(Open):
    """How often the measurement is run, and how its values are combined.

    Attributes:
        mode: ``stable`` runs it once; ``repeat`` runs it several times and aggregates each measured number.
        repeat_count: How often it is run.
        aggregation: How a number's values are combined.
        noise_threshold: A change of the primary figure must exceed this as well as ``minimum_improvement``.
    """

    mode: Literal["stable", "repeat"] = "stable"
    repeat_count: Annotated[int, Field(strict=True, ge=2, le=100)] = 5
    aggregation: Literal["median", "mean", "min", "max"] = "median"
    noise_threshold: Annotated[FiniteFloat, Field(ge=0)] | None = None


class Measurement(Open):
    """The command that prints the items to judge, as JSON."""

    command: Text
    timeout_seconds: Annotated[FiniteFloat, Field(gt=0)] = 600
    working_directory: str = "."
    stability: Stability = Stability()
