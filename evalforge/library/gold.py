"""Gold: the levels that careful readers give an exemplar, from the rubric's words alone."""

from pathlib import Path

from pydantic import Field

from evalforge.library.document import read_document
from evalforge.model.base import Frozen
from evalforge.model.numbers import Score
from evalforge.model.result import Verdict

GOLD_FILE = "gold.yaml"


class Gold(Frozen):
    """What ``gold.yaml`` holds.

    Attributes:
        levels: The settled level of each criterion.
        verdict: What they add up to.
        why: One sentence for each criterion.
        readings: The levels each reader gave, before they spoke; empty if that was not kept.
        settled: How it was settled, for each criterion on which the readers differed.
    """

    levels: dict[str, Score]
    verdict: Verdict
    why: dict[str, str] = Field(default_factory=dict)
    readings: tuple[dict[str, Score], ...] = ()
    settled: dict[str, str] = Field(default_factory=dict)


def read_gold(exemplar: Path) -> Gold:
    """Read the gold of one exemplar.

    Raises:
        PackError: There is none, or it can't be used; names file, line and reason.
    """
    return read_document(exemplar / GOLD_FILE).parse(Gold)
