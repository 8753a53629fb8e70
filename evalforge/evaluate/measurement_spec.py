"""What a spec says of measuring: the command that prints the items, and the conditions its values must meet."""

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
    """How often the measurement is run, and what becomes of its values.

    Attributes:
        mode: ``stable`` runs it once; ``repeat`` runs it several times and aggregates each measured number.
        repeat_count: How often.
        aggregation: What is made of a number's values.
        noise_threshold: What a change of the primary figure must exceed besides ``minimum_improvement``.
    """

    mode: Literal["stable", "repeat"] = "stable"
    repeat_count: Annotated[int, Field(strict=True, ge=2, le=100)] = 5
    aggregation: Literal["median", "mean", "min", "max"] = "median"
    noise_threshold: Annotated[FiniteFloat, Field(ge=0)] | None = None


class Measurement(Open):
    """The command that prints what is to be judged, as JSON."""

    command: Text
    timeout_seconds: Annotated[FiniteFloat, Field(gt=0)] = 600
    working_directory: str = "."
    stability: Stability = Stability()
