"""Clusters and singletons as items for a judge of items: is each cluster one thing, does each singleton stand alone?"""

import json
from collections.abc import Iterator
from typing import Any

from evalforge.batch.classroom.clusters import Cluster
from evalforge.batch.classroom.report import ClassReport

CLUSTER, SINGLETON = "cluster", "singleton"
_HAND_INS_TOLD = 8


def items(report: ClassReport) -> Iterator[dict[str, Any]]:
    """One item for each cluster, with what its members have in common and what the judge said of each; then singletons.

    ``bucket`` tells the two apart; a singleton's ``cluster`` is null.
    """
    for one in report.clusters:
        content = _content(one, report)
        yield {"item_id": one.cluster_id, "bucket": CLUSTER, "cluster": one.cluster_id, "content": content}
    for one in report.singletons:
        content = _content(one, report)
        yield {"item_id": one.cluster_id, "bucket": SINGLETON, "cluster": None, "content": content}


def items_jsonl(report: ClassReport) -> str:
    """The items, one to a line."""
    return "".join(json.dumps(item, ensure_ascii=True) + "\n" for item in items(report))


def _content(one: Cluster, report: ClassReport) -> dict[str, Any]:
    """What they fail, and what the judge said of the first of them; of a large cluster some are enough."""
    return {
        "title": one.title,
        "failing_trials": [f"{trial.group}: {trial.title}" for trial in one.trials],
        "unmet_conditions": [condition.words for condition in one.conditions],
        "size": len(one.members),
        "hand_ins": [_about(member, report) for member in one.members[:_HAND_INS_TOLD]],
    }


def _about(row_id: str, report: ClassReport) -> dict[str, Any]:
    """What may be said of a hand-in to a model: what was judged, not who handed it in."""
    row = report.row(row_id)
    judged = row.judged
    comments = {one.id: one.comment for one in judged.criteria} if judged else {}
    return {"submission": row.content_hash[:12], "comments": comments}
