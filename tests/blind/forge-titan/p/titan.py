"""Order book of the forge."""

import argparse
import json
import sys
import zlib


class TitanError(Exception):
    """Base of all refusals."""


class BatchError(TitanError):
    """The batch makes no sense."""


class CycleError(BatchError):
    """Jobs wait for one another."""

    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """The key is taken by another batch."""


class StaleError(TitanError):
    """The attempt is not under way."""


class JournalError(TitanError):
    """The journal is damaged."""

    def __init__(self, line):
        super().__init__(f"journal damaged at line {line}")
        self.line = line


class Job:
    """One job with its latest attempt."""

    def __init__(self, id, after=(), attempts=3, backoff=60):
        self.id = id
        self.after = list(after)
        self.max_attempts = attempts
        self.backoff = backoff
        self.attempts = 0
        self.lease_end = None
        self.result = None
        self.result_at = None

    def settled(self, now):
        """Result and time of the latest attempt, counting a lease that is over as a failure."""
        if self.attempts and self.result is None and now >= self.lease_end:
            return "fail", self.lease_end
        return self.result, self.result_at

    def rest_end(self, failed_at):
        """When the rest after a failure is over."""
        return failed_at + min(3600, self.backoff * 2 ** (self.attempts - 1))


def make_line(record):
    """Record to bytes."""
    body = json.dumps(record)
    return f"{zlib.crc32(body.encode()):08x} {body}\n".encode()


def parse_line(line):
    """Bytes to record, None if it is not sound."""
    if not line.endswith(b"\n"):
        return None
    checksum, _, body = line[:-1].partition(b" ")
    if checksum != f"{zlib.crc32(body):08x}".encode():
        return None
    return json.loads(body)


class Titan:
    """The order book over one journal."""

    def __init__(self, path):
        self._path = path
        self._jobs = {}
        self._keys = set()
        self._end = 0
        self._load()

    def _load(self):
        try:
            file = open(self._path, "rb")
        except FileNotFoundError:
            return
        with file:
            number = 0
            for line in file:
                number += 1
                record = parse_line(line)
                if record is None:
                    if next(file, None) is not None:
                        raise JournalError(number)
                    break
                self._apply(record)
                self._end += len(line)

    def _change(self, record):
        line = make_line(record)
        with open(self._path, "ab") as file:
            file.truncate(self._end)
            file.write(line)
        self._end += len(line)
        self._apply(record)

    def _apply(self, record):
        kind = record["kind"]
        if kind == "add":
            for raw in record["batch"]:
                self._jobs[raw["id"]] = Job(**raw)
            if record["key"] is not None:
                self._keys.add(record["key"])
            return
        job = self._jobs[record["job"]]
        if kind == "take":
            job.attempts += 1
            job.lease_end = record["now"] + record["lease"]
            job.result = job.result_at = None
        else:
            job.result = kind
            job.result_at = record["now"]

    def add(self, batch, key=None):
        """Add a batch of jobs."""
        # TODO compare contents, raise ConflictError
        if key is not None and key in self._keys:
            return 0
        self._check(batch)
        self._change({"kind": "add", "batch": batch, "key": key})
        return len(batch)

    def _check(self, batch):
        if not isinstance(batch, list) or not batch:
            raise BatchError("a batch is a list of jobs")
        ids = set()
        for raw in batch:
            if not isinstance(raw, dict) or set(raw) - {"id", "after", "attempts", "backoff"}:
                raise BatchError(f"not a job: {raw}")
            if not isinstance(raw.get("id"), str) or not raw["id"]:
                raise BatchError("id missing")
            if raw["id"] in ids or raw["id"] in self._jobs:
                raise BatchError(f"id taken: {raw['id']}")
            ids.add(raw["id"])
            for name, least in (("attempts", 1), ("backoff", 0)):
                value = raw.get(name, least)
                if not isinstance(value, int) or isinstance(value, bool) or value < least:
                    raise BatchError(f"bad {name}: {value}")
        for raw in batch:
            if not isinstance(raw.get("after", []), list):
                raise BatchError("after must be a list")
            for other in raw.get("after", []):
                if not isinstance(other, str) or (other not in ids and other not in self._jobs):
                    raise BatchError(f"unknown job {other}")
                if other == raw["id"]:
                    raise CycleError([other, other])
        # TODO longer cycles

    def _states(self, now):
        states = {}
        for job in self._jobs.values():
            result, at = job.settled(now)
            if job.attempts == 0:
                states[job.id] = ("new", None)
            elif result is None:
                states[job.id] = ("running", job.lease_end)
            elif result == "done":
                states[job.id] = ("done", None)
            elif job.attempts >= job.max_attempts:
                states[job.id] = ("failed", None)
            elif now < job.rest_end(at):
                states[job.id] = ("resting", job.rest_end(at))
            else:
                states[job.id] = ("ready", None)
        changed = True
        while changed:
            changed = False
            for job in self._jobs.values():
                if states[job.id][0] == "new" and any(states[a][0] in ("failed", "blocked") for a in job.after):
                    states[job.id] = ("blocked", None)
                    changed = True
        for job in self._jobs.values():
            if states[job.id][0] == "new":
                waiting = any(states[a][0] != "done" for a in job.after)
                states[job.id] = ("waiting" if waiting else "ready", None)
        return states

    def take(self, now, lease=60):
        """Begin the first ready job."""
        for id, (state, _) in self._states(now).items():
            if state == "ready":
                self._change({"kind": "take", "job": id, "now": now, "lease": lease})
                return id, self._jobs[id].attempts
        return None

    def done(self, job, attempt, now):
        """An attempt succeeded."""
        return self._say("done", job, attempt, now)

    def fail(self, job, attempt, now):
        """An attempt failed."""
        return self._say("fail", job, attempt, now)

    def _say(self, word, id, attempt, now):
        job = self._jobs.get(id)
        if job is None or job.attempts != attempt or not attempt:
            raise StaleError(f"{id} {attempt} is not under way")
        result, _ = job.settled(now)
        if result == word:
            return False
        if result is not None:
            raise StaleError(f"{id} {attempt} has ended already")
        self._change({"kind": word, "job": id, "now": now})
        return True

    def status(self, now):
        """All jobs and counts."""
        counts = dict.fromkeys(["waiting", "blocked", "ready", "running", "resting", "done", "failed"], 0)
        jobs = []
        for id, (state, due) in self._states(now).items():
            counts[state] += 1
            jobs.append({"id": id, "state": state, "attempts": self._jobs[id].attempts, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        """Write the status to a file."""
        raise NotImplementedError

    def close(self):
        """End the work."""


def main(argv=None):
    """Command line."""
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("add")
    p.add_argument("journal")
    p.add_argument("batch")
    p.add_argument("--key")
    p = sub.add_parser("take")
    p.add_argument("journal")
    p.add_argument("--now", type=int, required=True)
    p.add_argument("--lease", type=int, default=60)
    for word in ("done", "fail"):
        p = sub.add_parser(word)
        p.add_argument("journal")
        p.add_argument("job")
        p.add_argument("attempt", type=int)
        p.add_argument("--now", type=int, required=True)
    p = sub.add_parser("status")
    p.add_argument("journal")
    p.add_argument("--now", type=int, required=True)
    p.add_argument("--report")
    args = parser.parse_args(argv)
    try:
        return run(args)
    except BatchError as error:
        print(error, file=sys.stderr)
        return 4
    except (ConflictError, StaleError) as error:
        print(error, file=sys.stderr)
        return 5
    except JournalError as error:
        print(error, file=sys.stderr)
        return 6


def run(args):
    """Run one parsed command."""
    titan = Titan(args.journal)
    if args.command == "add":
        with open(args.batch, encoding="utf-8") as file:
            batch = json.load(file)
        answer = {"added": titan.add(batch, args.key)}
    elif args.command == "take":
        taken = titan.take(args.now, args.lease)
        if taken is None:
            print(json.dumps({"job": None}))
            return 3
        answer = {"job": taken[0], "attempt": taken[1]}
    elif args.command == "status":
        answer = titan.status(args.now)
    else:
        answer = {"counted": getattr(titan, args.command)(args.job, args.attempt, args.now)}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
