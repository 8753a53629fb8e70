"""Clusters and singletons of a class, judged by a model as any other items: one thing, or several in one heap?"""

import hashlib
from collections.abc import Callable
from pathlib import Path

from evalforge.batch.classroom.export.items import CLUSTER, SINGLETON, items
from evalforge.batch.classroom.report import ClassReport
from evalforge.batch.evaluate.items import population_of
from evalforge.batch.evaluate.plan import with_model
from evalforge.batch.evaluate.result import Evaluation, ItemState
from evalforge.batch.evaluate.result import Outcome as Ended
from evalforge.batch.evaluate.run import evaluate
from evalforge.batch.evaluate.setting import Setting
from evalforge.batch.evaluate.spec import JudgeSpec, Spec
from evalforge.judges.options import ModelOptions
from evalforge.model.base import Frozen
from evalforge.model.numbers import exact, plain

CLUSTER_RUBRIC = """\
Each item is a cluster of hand-ins to one programming exercise: all of them fail the same trials and miss the same
conditions. `hand_ins` holds what a judge said of some of them, by criterion. Rate from 1-5 how well the cluster
holds together: would one explanation, given to all of them at once, help everybody in it?

5: one misunderstanding, the same in every hand-in
4: one misunderstanding, with small differences
3: the same symptom out of two or three causes
2: the comments speak of different things
1: nothing in common but the trials that fail

Also report: theme (the misunderstanding in at most twelve words)
"""
SINGLETON_RUBRIC = """\
Each singleton is one hand-in to a programming exercise that fails in a way of its own. Should it have been put into one
of the clusters, because the same explanation would help it?
"""


class ClusterOpinion(Frozen):
    """What a model said of a cluster: how well it holds together, 1 to 5, and what it is about."""

    cluster_id: str
    score: int | float
    theme: str
    ambiguous: bool


class SingletonOpinion(Frozen):
    """Whether a model would put a singleton into a cluster, into which, and how sure it is, 1 to 5."""

    cluster_id: str
    should_cluster: bool
    best_cluster_id: str
    confidence: int


class Coherence(Frozen):
    """What a model said of a class's clusters, or why it said nothing.

    Attributes:
        evaluation: Its name; ``evalforge evaluate compare`` knows it.
        reason: Why there is nothing; empty if there is.
        usd: What it cost; None where the price isn't known.
    """

    evaluation: str = ""
    reason: str = ""
    usd: float | None = 0.0
    clusters: tuple[ClusterOpinion, ...] = ()
    singletons: tuple[SingletonOpinion, ...] = ()


async def judge_clusters(
    report: ClassReport, options: ModelOptions, word: Callable[[str], None], folder: Path | None = None
) -> Coherence:
    """Ask a model about every cluster and every singleton; what was asked before is not paid for again.

    Args:
        report: The class.
        options: Which model, where, for how much.
        word: Hears what is going on.
        folder: Where evaluations are kept; None for our home.

    Raises:
        UsageError: No model can be asked.
    """
    if not report.clusters:
        return Coherence(reason="There is no cluster to judge.")
    told = list(items(report))
    population = population_of(
        {
            "items": [item for item in told if item["bucket"] == CLUSTER],
            "singletons": [item for item in told if item["bucket"] == SINGLETON],
            "clusters": [{"cluster_id": one.cluster_id, "title": one.title} for one in report.clusters],
        }
    )
    setting = Setting(options=options, budget=options.budget, folder=folder, word=word)
    return _coherence(await evaluate(_spec(report, options), setting, population))


def _spec(report: ClassReport, options: ModelOptions) -> Spec:
    judge = JudgeSpec(
        rubric=CLUSTER_RUBRIC,
        sample_size=None,
        singleton_rubric=SINGLETON_RUBRIC if report.singletons else None,
        singleton_sample=len(report.singletons),
        scale=(1.0, 5.0),
    )
    # A class may be called anything; its runs are kept under a name every file system takes.
    label = hashlib.sha256(report.label.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return with_model(Spec(f"clusters-{report.boss_id}-{label}", judge), options.models[0] if options.models else "")


def _coherence(found: Evaluation) -> Coherence:
    if found.outcome is not Ended.JUDGED:
        reason = f"{found.reason} {found.advice}".strip()
        return Coherence(evaluation=found.id, reason=reason, usd=found.cost.usd)
    clusters = tuple(
        ClusterOpinion(
            cluster_id=str(item.item_id),
            score=plain(exact(float(item.fields["score"] or 0))),
            theme=str(item.fields.get("theme") or ""),
            ambiguous=item.ambiguous,
        )
        for item in found.items
        if item.state is ItemState.SCORED
    )
    singletons = tuple(
        SingletonOpinion(
            cluster_id=str(item.item_id),
            should_cluster=bool(item.fields["should_cluster"]),
            best_cluster_id=str(item.fields.get("best_cluster_id") or ""),
            confidence=int(item.fields["confidence"] or 0),
        )
        for item in found.singletons
        if item.state is ItemState.SCORED
    )
    return Coherence(evaluation=found.id, usd=found.cost.usd, clusters=clusters, singletons=singletons)
