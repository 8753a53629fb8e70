"""Asks a model whether the clusters of a class are coherent, as an evaluation of clusters and singletons."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from evalforge.classroom.cluster_items import CLUSTER, SINGLETON, cluster_items
from evalforge.classroom.report import ClassReport
from evalforge.evaluate.evaluate import evaluate
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemState
from evalforge.evaluate.items import population_of
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import JudgeSpec, Spec
from evalforge.llm.model_options import ModelOptions
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import to_fraction, to_number

CLUSTER_RUBRIC = """\
Each item is a cluster of submissions to one programming exercise: all of them fail the same trials and miss the same
conditions. `hand_ins` holds what a judge said of some of them, by criterion. Rate from 1-5 how well the cluster
holds together: would one explanation, given to all of them at once, help everybody in it?

5: one misunderstanding, the same in every submission
4: one misunderstanding, with small differences
3: the same symptom out of two or three causes
2: the comments speak of different things
1: nothing in common but the trials that fail

Also report: theme (the misunderstanding in at most twelve words)
"""
SINGLETON_RUBRIC = """\
Each singleton is one submission to a programming exercise that fails in a way nobody else does. Should it have been put
into one of the clusters, because the same explanation would help it?
"""


class ClusterOpinion(Frozen):
    """A model's opinion of a cluster: its coherence from 1 to 5, and its theme."""

    cluster_id: str
    score: int | float
    theme: str
    ambiguous: bool


class SingletonOpinion(Frozen):
    """A model's opinion of a singleton: whether it belongs in a cluster, and its confidence from 1 to 5."""

    cluster_id: str
    should_cluster: bool
    best_cluster_id: str
    confidence: int


class Coherence(Frozen):
    """A model's opinions of the clusters of a class, or why there are none.

    Attributes:
        evaluation: The id of the evaluation, for ``evalforge evaluate compare``.
        reason: Why there are no opinions; empty if there are.
        usd: The cost in dollars; None if the price is unknown.
    """

    evaluation: str = ""
    reason: str = ""
    usd: float | None = 0.0
    clusters: tuple[ClusterOpinion, ...] = ()
    singletons: tuple[SingletonOpinion, ...] = ()


async def judge_clusters(
    report: ClassReport, options: ModelOptions, show_message: Callable[[str], None], folder: Path | None = None
) -> Coherence:
    """Ask a model about every cluster and every singleton, except those already answered.

    Args:
        report: The class.
        options: The model, the server and the budget.
        show_message: Called with a sentence on the progress.
        folder: The folder for evaluations; None for our home.

    Raises:
        UsageError: No model can be asked.
    """
    if not report.clusters:
        return Coherence(reason="There is no cluster to judge.")
    items = list(cluster_items(report))
    population = population_of(
        {
            "items": [item for item in items if item["bucket"] == CLUSTER],
            "singletons": [item for item in items if item["bucket"] == SINGLETON],
            "clusters": [{"cluster_id": cluster.cluster_id, "title": cluster.title} for cluster in report.clusters],
        }
    )
    run_options = RunOptions(models=options, budget_usd=options.budget, folder=folder, show_message=show_message)
    return _coherence(await evaluate(_spec(report, options), run_options, population))


def _spec(report: ClassReport, options: ModelOptions) -> Spec:
    judge = JudgeSpec(
        rubric=CLUSTER_RUBRIC,
        sample_size=None,
        singleton_rubric=SINGLETON_RUBRIC if report.singletons else None,
        singleton_sample=len(report.singletons),
        scale=(1.0, 5.0),
    )
    # A label can be any text, but the spec's name is also a folder's name.
    label_hash = hashlib.sha256(report.label.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    spec = Spec(f"clusters-{report.boss_id}-{label_hash}", judge)
    return spec.with_model(options.models[0]) if options.models else spec


def _coherence(evaluation: Evaluation) -> Coherence:
    if evaluation.outcome is not EvaluationOutcome.JUDGED:
        reason = f"{evaluation.reason} {evaluation.advice}".strip()
        return Coherence(evaluation=evaluation.id, reason=reason, usd=evaluation.cost.usd)
    clusters = tuple(
        ClusterOpinion(
            cluster_id=str(item.item_id),
            score=to_number(to_fraction(float(item.fields["score"] or 0))),
            theme=str(item.fields.get("theme") or ""),
            ambiguous=item.ambiguous,
        )
        for item in evaluation.items
        if item.state is ItemState.SCORED
    )
    singletons = tuple(
        SingletonOpinion(
            cluster_id=str(item.item_id),
            should_cluster=bool(item.fields["should_cluster"]),
            best_cluster_id=str(item.fields.get("best_cluster_id") or ""),
            confidence=int(item.fields["confidence"] or 0),
        )
        for item in evaluation.singletons
        if item.state is ItemState.SCORED
    )
    return Coherence(evaluation=evaluation.id, usd=evaluation.cost.usd, clusters=clusters, singletons=singletons)
