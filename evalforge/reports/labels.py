"""What a stored fight called its criteria and levels, as it was told then."""

from typing import NamedTuple

from evalforge.model.attempt import Attempt
from evalforge.model.events import CriterionJudged


class Named(NamedTuple):
    """The words for one criterion: its label, and the label of the level that was chosen."""

    label: str
    level: str


def labels(attempt: Attempt) -> dict[str, Named]:
    """The words of an attempt, by criterion id; a criterion the events don't speak of goes by its id."""
    found = {one.id: Named(one.id, "") for one in attempt.result.criteria} if attempt.result else {}
    for event in attempt.events:
        if isinstance(event, CriterionJudged):
            found[event.judgement.criterion_id] = Named(event.label, event.level_label)
    return found
