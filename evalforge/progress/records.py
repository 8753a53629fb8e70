"""The input of progress: judged attempts and hints read, as light as the store returns them."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

TRAINING = "training-dummy"
"""The boss made for a first fight; its README says how to beat it."""
PASSING_VERDICTS = ("pass", "strong_pass")
FLAWLESS_VERDICT = "strong_pass"


class AttemptSummary(NamedTuple):
    """A judged attempt, with only the values that rank and achievements need.

    Attributes:
        started_at_iso: ISO time in UTC.
        score: In points; ``max_score`` is the highest that was possible then.
        levels_json: ``[[criterion, score, highest], ...]``.
    """

    id: str
    boss_id: str
    boss_title: str
    number: int
    started_at_iso: str
    judge: str
    content_hash: str
    score: float
    max_score: float
    verdict: str
    levels_json: str

    @property
    def passed(self) -> bool:
        """Whether the attempt defeated the boss."""
        return self.verdict in PASSING_VERDICTS

    @property
    def flawless(self) -> bool:
        """Whether the attempt left nothing to improve."""
        return self.verdict == FLAWLESS_VERDICT

    @property
    def integrity(self) -> float:
        """The share of the maximum, 0..1."""
        return min(1.0, max(0.0, self.score / self.max_score)) if self.max_score else 0.0

    @property
    def started_at(self) -> datetime:
        """The time at which the attempt began."""
        return datetime.fromisoformat(self.started_at_iso)

    def check_values(self) -> None:
        """Check that the values computed on demand can be computed.

        Raises:
            ValueError: A stored value is malformed.
            TypeError: A stored value has the wrong type.
        """
        _ = self.started_at, self.integrity, self.levels

    @property
    def levels(self) -> Mapping[str, float]:
        """The score of each criterion."""
        return _levels(self.levels_json)


@lru_cache(maxsize=4_096)
def _levels(stored: str) -> Mapping[str, float]:
    """Parse stored levels; cached, because many attempts share few different scores."""
    return MappingProxyType({name: score for name, score, _ in json.loads(stored)})


class Hint(NamedTuple):
    """One hint that was read; ``step`` counts from 1, ``read_at`` is an ISO time in UTC."""

    boss_id: str
    criterion_id: str
    step: int
    read_at: str
