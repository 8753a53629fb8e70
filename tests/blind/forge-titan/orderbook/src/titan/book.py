"""The rules. Knows nothing of files; every method is told the time."""

from typing import NamedTuple

LONGEST_REST = 3600
STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")


class TitanError(Exception):
    """The base of all refusals; `status` is how the command line ends with it."""

    status = 1


class BatchError(TitanError):
    """The batch makes no sense."""

    status = 4


class CycleError(BatchError):
    """Jobs wait for one another; `path` ends with the job it began with."""

    def __init__(self, path):
        super().__init__("jobs wait in a circle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """Another batch came under that key."""

    status = 5


class StaleError(TitanError):
    """The attempt is not under way."""

    status = 5


class Spec(NamedTuple):
    """A job as it was ordered."""

    id: str
    after: frozenset
    attempts: int
    backoff: int


class Job:
    """A job and what has become of it."""

    def __init__(self, spec):
        self.spec = spec
        self.begun = 0
        self.end = None  # of the lease while it runs
        self.rest = 0  # until when it rests
        self.said = None  # of the latest attempt
        self.fate = None  # "done" or "failed"

    def fail(self, at):
        """The attempt under way has failed at that time."""
        self.end = None
        if self.begun == self.spec.attempts:
            self.fate = "failed"
        else:
            self.rest = at + rest(self.spec.backoff, self.begun)

    def settle(self, now):
        """A lease that is over is a failure at its end."""
        if self.end is not None and self.end <= now:
            self.fail(self.end)


def rest(backoff, attempt):
    """How long to rest after so many attempts."""
    return min(LONGEST_REST, backoff << min(attempt - 1, 64))


def is_whole(value, least):
    """Whether it is an int, no bool, and not below least."""
    return type(value) is int and value >= least


def read_spec(raw):
    """A job as told, with all defaults; BatchError if it makes no sense."""
    if not isinstance(raw, dict) or not raw.keys() <= {"id", "after", "attempts", "backoff"}:
        raise BatchError(f"not a job: {raw!r}")
    name, after = raw.get("id"), raw.get("after", [])
    if not isinstance(name, str) or not name:
        raise BatchError(f"not an id: {name!r}")
    if not isinstance(after, list) or not all(isinstance(other, str) for other in after):
        raise BatchError(f"{name}: after must be a list of ids")
    attempts, backoff = raw.get("attempts", 3), raw.get("backoff", 60)
    if not is_whole(attempts, 1) or not is_whole(backoff, 0):
        raise BatchError(f"{name}: attempts or backoff is no sensible number")
    return Spec(name, frozenset(after), attempts, backoff)


def find_circle(specs):
    """The path of a circle among specs, or None. Peels off what waits for nothing inside."""
    waits = {spec.id: [other for other in sorted(spec.after)] for spec in specs}
    inside = {name: {other for other in after if other in waits} for name, after in waits.items()}
    followers = {name: [] for name in waits}
    for name, after in inside.items():
        for other in after:
            followers[other].append(name)
    free = [name for name, after in inside.items() if not after]
    while free:
        gone = free.pop()
        for name in followers[gone]:
            inside[name].discard(gone)
            if not inside[name]:
                free.append(name)
    stuck = [name for name in waits if inside[name]]
    if not stuck:
        return None
    place, name = {}, stuck[0]
    while name not in place:
        place[name] = len(place)
        name = min(inside[name])
    return [*list(place)[place[name]:], name]


class Book:
    """All jobs, in the order in which they were added, and the batches by key."""

    def __init__(self):
        self.jobs = {}
        self.keys = {}

    def admit(self, specs, key):
        """Add jobs, and say how many; 0 if that batch came under that key before."""
        if key is not None and key in self.keys:
            if self.keys[key] == specs:
                return 0
            raise ConflictError(f"another batch has come under {key!r}")
        names = {spec.id for spec in specs}
        if len(names) < len(specs):
            raise BatchError("an id stands there twice")
        for spec in specs:
            if spec.id in self.jobs:
                raise BatchError(f"the id {spec.id!r} is taken")
            for other in spec.after:
                if other not in names and other not in self.jobs:
                    raise BatchError(f"{spec.id} waits for {other!r}, which is nowhere")
        circle = find_circle(specs)
        if circle:
            raise CycleError(circle)
        self.jobs.update((spec.id, Job(spec)) for spec in specs)
        if key is not None:
            self.keys[key] = specs
        return len(specs)

    def settle(self, now):
        """Look at all leases."""
        for job in self.jobs.values():
            job.settle(now)

    def next(self, now):
        """The ready job that was added first, or None."""
        self.settle(now)
        for job in self.jobs.values():
            if self.state(job, now, ()) == "ready":
                return job
        return None

    def begin(self, job, until):
        """The next attempt of a job; gives its number."""
        job.begun += 1
        job.end = until
        job.said = None
        return job.begun

    def says(self, name, attempt, word, now):
        """Check what is said of an attempt: the job if it counts, None if it is a repeat."""
        self.settle(now)
        job = self.jobs.get(name)
        if job is None or job.begun != attempt:
            raise StaleError(f"attempt {attempt} of {name!r} is not under way")
        if job.said == word:
            return None
        if job.end is None:
            raise StaleError(f"attempt {attempt} of {name!r} is over")
        return job

    def finish(self, job, word, now):
        """What is said is so."""
        job.said = word
        if word == "done":
            job.end, job.fate = None, "done"
        else:
            job.fail(now)

    def blocked(self):
        """Names of all jobs behind one that has failed."""
        followers = {}
        for job in self.jobs.values():
            for other in job.spec.after:
                followers.setdefault(other, []).append(job.spec.id)
        found, heap = set(), [name for name, job in self.jobs.items() if job.fate == "failed"]
        while heap:
            for name in followers.get(heap.pop(), ()):
                if name not in found:
                    found.add(name)
                    heap.append(name)
        return found

    def state(self, job, now, blocked):
        """One of STATES."""
        if job.fate or job.end is not None:
            return job.fate or "running"
        if job.spec.id in blocked:
            return "blocked"
        if any(self.jobs[other].fate != "done" for other in job.spec.after):
            return "waiting"
        return "resting" if now < job.rest else "ready"

    def status(self, now):
        """The state of everything."""
        self.settle(now)
        blocked, counts, jobs = self.blocked(), dict.fromkeys(STATES, 0), []
        for name, job in self.jobs.items():
            state = self.state(job, now, blocked)
            counts[state] += 1
            due = {"running": job.end, "resting": job.rest}.get(state)
            jobs.append({"id": name, "state": state, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}
