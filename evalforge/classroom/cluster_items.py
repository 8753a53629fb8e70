"""Exports clusters and singletons as items for an evaluation: is a cluster coherent, does a singleton stand alone?"""

import json
from collections.abc import Iterator
from typing import Any

from evalforge.classroom.failure_clusters import Cluster
from evalforge.classroom.report import ClassReport

CLUSTER, SINGLETON = "cluster", "singleton"
_MAX_HAND_INS = 8


def cluster_items(report: ClassReport) -> Iterator[dict[str, Any]]:
    """Yield an item for each cluster, with its members' failures and some of the judge's comments; then singletons.

    ``bucket`` distinguishes the two; a singleton's ``cluster`` is null.
    """
    for cluster in report.clusters:
        cluster_id = cluster.cluster_id
        content = _content(cluster, report)
        yield {"item_id": cluster_id, "bucket": CLUSTER, "cluster": cluster_id, "content": content}
    for singleton in report.singletons:
        content = _content(singleton, report)
        yield {"item_id": singleton.cluster_id, "bucket": SINGLETON, "cluster": None, "content": content}


def items_jsonl(report: ClassReport) -> str:
    """Return the items as JSON Lines."""
    return "".join(json.dumps(item, ensure_ascii=True) + "\n" for item in cluster_items(report))


def _content(cluster: Cluster, report: ClassReport) -> dict[str, Any]:
    """What the members fail, and the judge's comments on the first of them; of a large cluster some are enough."""
    return {
        "title": cluster.title,
        "failing_trials": [f"{trial.group}: {trial.title}" for trial in cluster.trials],
        "unmet_conditions": [condition.words for condition in cluster.conditions],
        "size": len(cluster.members),
        "hand_ins": [_hand_in(member, report) for member in cluster.members[:_MAX_HAND_INS]],
    }


def _hand_in(row_id: str, report: ClassReport) -> dict[str, Any]:
    """What a model sees of a submission: how it was judged, not whose it is."""
    row = report.row(row_id)
    result = row.judged
    comments = {criterion.id: criterion.comment for criterion in result.criteria} if result else {}
    return {"submission": row.content_hash[:12], "comments": comments}
