"""What a batch of jobs may be: pure functions from what came in to specs, or a refusal."""

from typing import NamedTuple

from titan.errors import BatchError, CycleError

DEFAULTS = {"after": [], "attempts": 3, "backoff": 60}


class Spec(NamedTuple):
    """A job as it was ordered. Equal specs are the same order."""

    id: str
    after: tuple
    attempts: int
    backoff: int


def specs_of(batch):
    """The specs of a batch, defaults filled in.

    Raises:
        BatchError: It is no list of jobs.
    """
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch is a list of at least one job")
    return tuple(_spec(job) for job in batch)


def _spec(job):
    if not isinstance(job, dict):
        raise BatchError("a job is an object with an id")
    unknown = job.keys() - {"id", *DEFAULTS}
    if unknown:
        raise BatchError(f"a job has no {sorted(map(str, unknown))[0]}")
    job = {**DEFAULTS, **job}
    if not _is_id(job.get("id")):
        raise BatchError("an id is text, and not empty")
    if not isinstance(job["after"], list) or not all(map(_is_id, job["after"])):
        raise BatchError(f"after of {job['id']} must be a list of ids")
    for name, least in (("attempts", 1), ("backoff", 0)):
        if type(job[name]) is not int or job[name] < least:
            raise BatchError(f"{name} of {job['id']} must be a whole number from {least} up")
    return Spec(job["id"], tuple(sorted(set(job["after"]))), job["attempts"], job["backoff"])


def _is_id(value):
    return isinstance(value, str) and value != ""


def check_against(specs, known):
    """Refuse ids that are taken, ids that are nowhere, and circles.

    Raises:
        BatchError: The batch can't be added to the jobs that are known.
    """
    fresh = {}
    for spec in specs:
        if spec.id in known or spec.id in fresh:
            raise BatchError(f"there is a job {spec.id} already")
        fresh[spec.id] = spec
    nowhere = {other for spec in specs for other in spec.after} - known.keys() - fresh.keys()
    if nowhere:
        raise BatchError(f"jobs wait for {min(nowhere)}, which is nowhere")
    path = find_cycle({spec.id: [other for other in spec.after if other in fresh] for spec in specs})
    if path:
        raise CycleError(path)


def find_cycle(graph):
    """A way round in a graph, ending where it began, or None. No recursion: chains are long."""
    finished = set()
    for start in graph:
        path, ways = [start], [iter(graph[start])]
        on_path = {start}
        while path:
            ahead = next((node for node in ways[-1] if node not in finished), None)
            if ahead is None:
                finished.add(path[-1])
                on_path.discard(path.pop())
                ways.pop()
            elif ahead in on_path:
                return [*path[path.index(ahead) :], ahead]
            else:
                path.append(ahead)
                on_path.add(ahead)
                ways.append(iter(graph[ahead]))
    return None
