"""The plan of a run: which items are judged, in which batches, with which prompts, and how replies are read."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalforge.evaluate import sampling
from evalforge.evaluate.fields import Field, direction_sign, item_fields, reported_fields
from evalforge.evaluate.item_prompt import (
    ItemPrompt,
    OriginalPrompt,
    Prompt,
    SingletonPrompt,
    build_request,
    rubric_hash,
)
from evalforge.evaluate.items import Item, Population
from evalforge.evaluate.reconcile import (
    BEST_CLUSTER,
    CONFIDENCE,
    SHOULD_CLUSTER,
    ElementReader,
    ItemReader,
    SingletonReader,
)
from evalforge.evaluate.sampling import SINGLETONS, StratumSample
from evalforge.evaluate.spec import JudgeSpec, Spec
from evalforge.evaluate.steps import Job, JobKind, first_jobs
from evalforge.llm.request import Request

_OWN_SINGLETON_FIELDS = frozenset({SHOULD_CLUSTER, BEST_CLUSTER, CONFIDENCE, "ambiguous"})


@dataclass(frozen=True)
class Plan:
    """What one judge of a run is asked: its sample and its batches.

    Attributes:
        singletons: The one sample of singletons; empty if none are judged.
        unnamed_buckets: Buckets the spec doesn't name, and how many items are in each.
        items: Every item that is judged, by key.
        secret: Random hex digits of this judge, in border marks and in the names of its requests at the server.
        judge: The judge's name in the journal; empty for a run's first.
    """

    spec: Spec
    rubric_hash: str
    strata: tuple[StratumSample, ...]
    singletons: tuple[StratumSample, ...]
    unnamed_buckets: Mapping[str, int]
    jobs: tuple[Job, ...]
    items: Mapping[str, Item]
    prompts: Mapping[JobKind, Prompt]
    readers: Mapping[JobKind, ElementReader]
    secret: str
    judge: str = ""

    def request_for(self, job: Job) -> Request:
        """Build the request of a job."""
        items = tuple(self.items[key] for key in job.keys)
        return build_request(self.prompts[job.kind], job, items)

    @property
    def sample(self) -> tuple[Item, ...]:
        """All items of the sample, stratum by stratum."""
        return tuple(item for stratum in self.strata for item in stratum.items)

    @property
    def shortages(self) -> dict[str, tuple[int, int]]:
        """Strata with fewer items than requested: how many there are, and how many were requested.

        They aren't filled up from other strata, because that would bias the estimate.
        """
        counts = {s.bucket: (len(s.items), s.requested) for s in (*self.strata, *self.singletons)}
        return {bucket: (have, requested) for bucket, (have, requested) in counts.items() if have < requested}


def fields_of(judge: JudgeSpec) -> tuple[Field, ...]:
    """Return the fields each item's element must have."""
    return item_fields(judge.rubric, judge.scoring.primary, judge.scoring.secondary, judge.scale)


def instrument_hash(judge: JudgeSpec) -> str:
    """Hash the rubrics and the fields they ask for; figures can only be compared if it is equal."""
    fields = (*fields_of(judge), *_singleton_fields(judge))
    return rubric_hash(judge.rubric, judge.singleton_rubric or "", fields)


def make_plan(spec: Spec, population: Population, secret: str, judge_name: str = "") -> Plan:
    """Draw the sample of one judge and divide it into batches; a run's first judge has no name."""
    judge = spec.judge
    if judge.singleton_sample:
        # Singletons are judged by another rubric, so they aren't part of the sample.
        population = population.with_singletons_apart()
    strata, unnamed = sampling.draw_strata(population.items, judge)
    order = sampling.interleave(strata, judge.sample_seed)
    jobs = first_jobs(JobKind.ITEMS, sampling.batch_keys(order, judge.batch_size))
    singletons: tuple[StratumSample, ...] = ()
    if judge.singleton_sample:
        sample = sampling.draw_stratum(population.singletons, SINGLETONS, judge.singleton_sample, judge.sample_seed)
        singletons, order = (sample,), [*order, *sample.items]
        jobs += first_jobs(JobKind.SINGLETONS, sampling.batch_keys(sample.items, judge.batch_size))
    return Plan(
        spec=spec,
        rubric_hash=instrument_hash(judge),
        strata=strata,
        singletons=singletons,
        unnamed_buckets=unnamed,
        jobs=tuple(jobs),
        items={item.key: item for item in order},
        prompts=_prompts(judge, population, secret),
        readers=_readers(spec, population),
        secret=secret,
        judge=judge_name,
    )


def _prompts(judge: JudgeSpec, population: Population, secret: str) -> dict[JobKind, Prompt]:
    fields, model = fields_of(judge), judge.model_name
    if judge.prompt == "original":
        singleton_rubric = judge.singleton_rubric or ""
        return {
            JobKind.ITEMS: OriginalPrompt("original-items", judge.rubric, model, secret),
            JobKind.SINGLETONS: OriginalPrompt(
                "original-singletons", singleton_rubric, model, secret, population.clusters
            ),
        }
    return {
        JobKind.ITEMS: ItemPrompt(judge.rubric, fields, model, secret),
        JobKind.SINGLETONS: SingletonPrompt(
            judge.singleton_rubric or "", _singleton_fields(judge), model, secret, population.clusters
        ),
    }


def _readers(spec: Spec, population: Population) -> dict[JobKind, ElementReader]:
    cluster_ids = frozenset(cluster.cluster_id for cluster in population.clusters)
    return {
        JobKind.ITEMS: ItemReader(fields_of(spec.judge), direction_sign(spec.direction)),
        JobKind.SINGLETONS: SingletonReader(_singleton_fields(spec.judge), cluster_ids),
    }


def _singleton_fields(judge: JudgeSpec) -> tuple[Field, ...]:
    fields = reported_fields(judge.singleton_rubric or "")
    return tuple(field for field in fields if field.name not in _OWN_SINGLETON_FIELDS)
