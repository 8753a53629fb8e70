"""The labels of criteria and levels at the time an attempt was judged: the rubric may have changed since."""

from typing import NamedTuple

from evalforge.model.attempt import Attempt
from evalforge.model.events import CriterionJudged


class CriterionLabels(NamedTuple):
    """The labels of one criterion and of its chosen level."""

    label: str
    level: str


def labels_by_criterion(attempt: Attempt) -> dict[str, CriterionLabels]:
    """Return an attempt's labels by criterion id; a criterion that no event names gets its id as label."""
    labels = (
        {criterion.id: CriterionLabels(criterion.id, "") for criterion in attempt.result.criteria}
        if attempt.result
        else {}
    )
    for event in attempt.events:
        if isinstance(event, CriterionJudged):
            labels[event.judgement.criterion_id] = CriterionLabels(event.label, event.level_label)
    return labels
