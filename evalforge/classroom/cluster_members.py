"""Finds the submissions of a cluster in a stored run, so that an instructor can address all of them at once."""

from evalforge.classroom.failure_clusters import cluster_failures, failure_signature
from evalforge.history.class_book import StoredClassRun
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.packs.pack import BossPack


def cluster_members(history: History, run: StoredClassRun, pack: BossPack, cluster_id: str) -> dict[str, str]:
    """Return the attempts of a cluster's submissions, by row.

    Args:
        history: Where the run is stored.
        run: The run.
        pack: The boss, with the rules that the run was judged by.
        cluster_id: The cluster's id in reports of the run, such as ``c1``.

    Raises:
        UsageError: The run has no such cluster.
    """
    attempts = history.classes.attempts_of_run(run.run)
    signatures = (
        failure_signature(row_id, pack, attempt.evidence)
        for row_id, attempt_id in attempts.items()
        if attempt_id and (attempt := history.get(attempt_id)).result
    )
    clusters, singletons = cluster_failures(signatures)
    for cluster in (*clusters, *singletons):
        if cluster.cluster_id == cluster_id:
            return {row_id: attempts[row_id] for row_id in cluster.members}
    ids = ", ".join(cluster.cluster_id for cluster in clusters) or "none"
    raise UsageError(f"Run {run.run} has no cluster {cluster_id}.", f"Its clusters: {ids}.")
