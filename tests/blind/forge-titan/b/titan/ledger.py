"""The rules: questions that answer with records, and records that change the ledger."""

from typing import Any

from titan import admission
from titan.errors import ConflictError, StaleError, TitanError
from titan.model import Attempt, ExponentialRest, Job, Order, RestPolicy, State, Word

Record = dict[str, Any]


class Ledger:
    """All jobs and keys."""

    def __init__(self, policy: RestPolicy = ExponentialRest()) -> None:
        self._policy = policy
        self._jobs: dict[str, Job] = {}
        self._keys: dict[str, str] = {}

    def admit(self, batch: Any, key: str | None) -> Record | None:
        """The record of a batch; None for a repeat."""
        orders = admission.read_orders(batch)
        if key is not None and key in self._keys:
            if self._keys[key] == admission.fingerprint(batch):
                return None
            raise ConflictError(f"the key {key} stands for another batch")
        admission.check_names(orders, self._jobs)
        admission.check_circles(orders)
        return {"kind": "add", "batch": batch, "key": key}

    def begin(self, now: int, lease: int) -> Record | None:
        """The record of the next attempt."""
        for name, job in self._jobs.items():
            if job.state(now, self._policy)[0] is State.READY and not self._waits(job):
                return {"kind": "take", "job": name, "attempt": job.begun + 1, "now": now, "lease": lease}
        return None

    def end(self, word: Word, name: str, attempt: int, now: int) -> Record | None:
        """The record of a word; None for a repeat."""
        job = self._jobs.get(name)
        if job is None or job.latest is None or job.latest.number != attempt:
            raise StaleError(f"{name} is not at attempt {attempt}")
        said = job.latest.settled(now).word
        if said is word:
            return None
        if said is not None:
            raise StaleError(f"attempt {attempt} of {name} has ended")
        return {"kind": word.value, "job": name, "attempt": attempt, "now": now}

    def apply(self, record: Record) -> None:
        """Make the change of a record."""
        match record:
            case {"kind": "add", "batch": batch, "key": key}:
                for order in admission.read_orders(batch):
                    self._jobs[order.id] = Job(order)
                if key is not None:
                    self._keys[key] = admission.fingerprint(batch)
            case {"kind": "take", "job": name, "attempt": number, "now": now, "lease": lease}:
                self._jobs[name].latest = Attempt(number, now + lease)
            case {"kind": word, "job": name, "now": now}:
                job = self._jobs[name]
                job.latest = job.latest.ended(Word(word), now)

    def accepts(self, record: Any) -> bool:
        """Whether a record could be written now."""
        try:
            match record:
                case {"kind": "add", "batch": batch, "key": str() | None as key}:
                    return self.admit(batch, key) == record
                case {"kind": "take", "now": int(now), "lease": int(lease)}:
                    return self.begin(now, lease) == record
                case {"kind": "done" | "fail" as word, "job": str(name), "attempt": int(number), "now": int(now)}:
                    return self.end(Word(word), name, number, now) == record
        except TitanError:
            return False
        return False

    def status(self, now: int) -> dict[str, Any]:
        """What state all jobs are in."""
        blocked = self._blocked(now)
        counts = {state.value: 0 for state in State}
        jobs = []
        for name, job in self._jobs.items():
            state, due = job.state(now, self._policy)
            if name in blocked:
                state = State.BLOCKED
            elif self._waits(job):
                state = State.WAITING
            counts[state.value] += 1
            jobs.append({"id": name, "state": state.value, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def _waits(self, job: Job) -> bool:
        return not all(self._jobs[each].succeeded for each in job.order.after)

    def _blocked(self, now: int) -> set[str]:
        followers: dict[str, list[Order]] = {}
        for job in self._jobs.values():
            for each in job.order.after:
                followers.setdefault(each, []).append(job.order)
        todo = [name for name, job in self._jobs.items() if job.state(now, self._policy)[0] is State.FAILED]
        blocked: set[str] = set()
        while todo:
            new = {order.id for order in followers.get(todo.pop(), ())} - blocked
            blocked |= new
            todo.extend(new)
        return blocked
