"""What a run will do, before it does it: who is judged, in which batches, in which words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evalforge.batch.evaluate import sampling
from evalforge.batch.evaluate.fields import Field, item_fields, reported, sign_of
from evalforge.batch.evaluate.items import Item, Population
from evalforge.batch.evaluate.prompt import Brief, ItemBrief, Question, SingletonBrief, request, rubric_hash
from evalforge.batch.evaluate.reconcile import BEST, CONFIDENCE, SHOULD, ItemReader, Reader, SingletonReader
from evalforge.batch.evaluate.sampling import SINGLETONS, Drawn
from evalforge.batch.evaluate.spec import JudgeSpec, Spec
from evalforge.batch.evaluate.steps import Job, Kind, first_jobs
from evalforge.judges.sdk import Request

_OWN_SINGLETON_FIELDS = frozenset({SHOULD, BEST, CONFIDENCE, "ambiguous"})


@dataclass(frozen=True)
class Plan:
    """A run, planned.

    Attributes:
        spec: What was asked for.
        rubric: The hash of the instrument.
        strata: The sample, stratum by stratum.
        singletons: The sample of singletons; None if none are judged.
        unnamed: Buckets the spec doesn't name, and how many items lie in each.
        jobs: The first question about each batch.
        items: Every item that is judged, by key.
        briefs: How each kind is asked about.
        readers: How each kind is read.
        secret: Of this run: in border marks and in the names of its calls at the server.
    """

    spec: Spec
    rubric: str
    strata: tuple[Drawn, ...]
    singletons: Drawn | None
    unnamed: Mapping[str, int]
    jobs: tuple[Job, ...]
    items: Mapping[str, Item]
    briefs: Mapping[Kind, Brief]
    readers: Mapping[Kind, Reader]
    secret: str

    def request(self, job: Job) -> Request:
        """What is sent for a job."""
        items = tuple(self.items[key] for key in job.keys)
        return request(self.briefs[job.kind], Question(job.call, items, job.problem, job.mends))

    @property
    def sample(self) -> tuple[Item, ...]:
        """All items drawn, stratum by stratum."""
        return tuple(item for drawn in self.strata for item in drawn.items)

    @property
    def shortages(self) -> dict[str, tuple[int, int]]:
        """Strata with fewer items than wanted: how many there are, and how many were wanted."""
        drawn = [*self.strata, *([self.singletons] if self.singletons else [])]
        return {one.bucket: (len(one.items), one.wanted) for one in drawn if one.short > 0}


def fields_of(judge: JudgeSpec) -> tuple[Field, ...]:
    """The fields each item's element must have."""
    return item_fields(judge.rubric, judge.scoring.primary, judge.scoring.secondary, judge.scale)


def instrument(judge: JudgeSpec) -> str:
    """The hash of what is measured with: the rubrics and the fields they ask for."""
    fields = (*fields_of(judge), *_singleton_fields(judge))
    return rubric_hash(judge.rubric, judge.singleton_rubric or "", fields)


def plan_of(spec: Spec, population: Population, secret: str) -> Plan:
    """Draw the sample and lay out the batches.

    Args:
        spec: What is asked for; its judge's model is asked as it is named.
        population: What there is.
        secret: Of this run, for border marks.
    """
    judge = spec.judge
    if judge.singleton_sample:
        # They are judged by another rubric, so they are no part of the sample.
        population = population.apart()
    strata, unnamed = sampling.draw_all(population.items, judge)
    order = sampling.interleave(strata, judge.sample_seed)
    jobs = first_jobs(Kind.ITEMS, sampling.batches(order, judge.batch_size))
    singletons = None
    if judge.singleton_sample:
        singletons = sampling.draw(population.singletons, SINGLETONS, judge.singleton_sample, judge.sample_seed)
        jobs += first_jobs(Kind.SINGLETONS, sampling.batches(singletons.items, judge.batch_size))
    return Plan(
        spec=spec,
        rubric=instrument(judge),
        strata=strata,
        singletons=singletons,
        unnamed=unnamed,
        jobs=tuple(jobs),
        items={item.key: item for item in (*order, *(singletons.items if singletons else ()))},
        briefs=_briefs(judge, population, secret),
        readers=_readers(spec, population),
        secret=secret,
    )


def _briefs(judge: JudgeSpec, population: Population, secret: str) -> dict[Kind, Brief]:
    fields, model = fields_of(judge), judge.model_name
    return {
        Kind.ITEMS: ItemBrief(judge.rubric, fields, model, secret),
        Kind.SINGLETONS: SingletonBrief(
            judge.singleton_rubric or "", _singleton_fields(judge), model, secret, population.clusters
        ),
    }


def _readers(spec: Spec, population: Population) -> dict[Kind, Reader]:
    known = frozenset(cluster.cluster_id for cluster in population.clusters)
    return {
        Kind.ITEMS: ItemReader(fields_of(spec.judge), sign_of(spec.direction)),
        Kind.SINGLETONS: SingletonReader(_singleton_fields(spec.judge), known),
    }


def _singleton_fields(judge: JudgeSpec) -> tuple[Field, ...]:
    fields = reported(judge.singleton_rubric or "")
    return tuple(field for field in fields if field.name not in _OWN_SINGLETON_FIELDS)


def with_model(spec: Spec, model: str) -> Spec:
    """The same spec, asking another model."""
    return replace(spec, judge=spec.judge.model_copy(update={"model": model})) if model else spec


def keys_of(items: Iterable[Item]) -> tuple[str, ...]:
    """The keys of items."""
    return tuple(item.key for item in items)
