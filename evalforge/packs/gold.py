"""Gold: the levels that careful readers give an exemplar, using only the words of the rubric."""

from pathlib import Path

from pydantic import Field

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.model.result import Verdict
from evalforge.packs.document import read_document

GOLD_FILE = "gold.yaml"


class Gold(Frozen):
    """The content of an exemplar's ``gold.yaml``.

    Attributes:
        levels: The agreed level of each criterion.
        verdict: The verdict of these levels.
        why: One sentence on the reason for each level.
        readings: The levels that each reader gave independently; empty if they weren't recorded.
        settled: How a disagreement was resolved, by criterion.
        also: Other levels of a criterion that are just as defensible.
        causes: Where a criterion's points were lost, as ``file:line`` and the kind of fault.
        fixes: What to change to gain them.
        kinds: The kind of that fault, as word beginnings; a comment on it must use one of them.
        cheat: How this exemplar tries to get more than it deserves; empty for an honest one.
    """

    levels: dict[str, Score]
    verdict: Verdict
    why: dict[str, str] = Field(default_factory=dict)
    readings: tuple[dict[str, Score], ...] = ()
    settled: dict[str, str] = Field(default_factory=dict)
    also: dict[str, tuple[Score, ...]] = Field(default_factory=dict)
    causes: dict[str, str] = Field(default_factory=dict)
    fixes: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    cheat: str = ""


def read_gold(exemplar: Path) -> Gold:
    """Read the gold of one exemplar.

    Raises:
        PackError: It is missing or invalid; names file, line and reason.
    """
    return read_document(exemplar / GOLD_FILE).parse(Gold)
