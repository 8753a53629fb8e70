"""The labels of criteria and levels as they were when an attempt was judged: a rubric may have changed since."""

from typing import NamedTuple

from evalforge.model.attempt import Attempt
from evalforge.model.events import CriterionJudged


class CriterionLabels(NamedTuple):
    """The label of one criterion, and that of the level that was chosen."""

    label: str
    level: str


def labels_by_criterion(attempt: Attempt) -> dict[str, CriterionLabels]:
    """An attempt's labels, by criterion id; a criterion that no event names goes by its id."""
    labels = (
        {criterion.id: CriterionLabels(criterion.id, "") for criterion in attempt.result.criteria}
        if attempt.result
        else {}
    )
    for event in attempt.events:
        if isinstance(event, CriterionJudged):
            labels[event.judgement.criterion_id] = CriterionLabels(event.label, event.level_label)
    return labels
