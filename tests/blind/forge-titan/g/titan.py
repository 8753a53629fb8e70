"""The order book of the forge: rules in Forge, the file in Journal, both in Titan, and a command line."""

import argparse
import json
import os
import sys
import zlib

KINDS = ["waiting", "blocked", "ready", "running", "resting", "done", "failed"]


class TitanError(Exception):
    """Any refusal; code is the exit status of the command line."""

    code = 4


class BatchError(TitanError):
    """A batch that can't be added."""


class CycleError(BatchError):
    """A batch with a circle, which is the path."""

    def __init__(self, path):
        TitanError.__init__(self, "circle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """A key of another batch."""

    code = 5


class StaleError(TitanError):
    """An attempt that is not under way."""

    code = 5


class JournalError(TitanError):
    """A journal with a damaged line."""

    code = 6

    def __init__(self, line):
        TitanError.__init__(self, "the journal is damaged in line %d" % line)
        self.line = line


class Job:
    """A job, its latest attempt, and how that ended."""

    def __init__(self, id, after=(), attempts=3, backoff=60):
        self.id = id
        self.after = after
        self.attempts = attempts
        self.backoff = backoff
        self.number = 0
        self.lease_end = None
        self.result = None
        self.ended = None

    @classmethod
    def check(cls, raw):
        """A new job from a dict of a batch, or a BatchError."""
        if type(raw) is not dict or "id" not in raw or set(raw) - {"id", "after", "attempts", "backoff"}:
            raise BatchError("not a job: %r" % (raw,))
        if type(raw["id"]) is not str or raw["id"] == "":
            raise BatchError("not an id: %r" % (raw["id"],))
        after = raw.get("after", [])
        if type(after) is not list or any(type(each) is not str for each in after):
            raise BatchError("%s: after must be a list of ids" % raw["id"])
        for field, least in (("attempts", 1), ("backoff", 0)):
            value = raw.get(field, least)
            if type(value) is not int or value < least:
                raise BatchError("%s: %s must be an int of at least %d" % (raw["id"], field, least))
        return cls(**dict(raw, after=sorted(set(after))))

    def order(self):
        """What was ordered, for comparing and for the journal."""
        return {"id": self.id, "after": self.after, "attempts": self.attempts, "backoff": self.backoff}

    def take(self, now, lease):
        """Begin the next attempt."""
        self.number += 1
        self.lease_end = now + lease
        self.result = self.ended = None

    def end(self, result, now):
        """End the attempt."""
        self.result = result
        self.ended = now

    def settle(self, now):
        """How the latest attempt ended and when, if it has; also by its lease."""
        if self.number and self.result is None and self.lease_end <= now:
            return "fail", self.lease_end
        return self.result, self.ended

    def look(self, now):
        """State and due, whatever other jobs do."""
        result, ended = self.settle(now)
        if result == "done":
            return "done", None
        if result == "fail":
            return self._after_failure(ended, now)
        return ("running", self.lease_end) if self.number else ("ready", None)

    def _after_failure(self, ended, now):
        if self.number == self.attempts:
            return "failed", None
        end = ended + min(3600, self.backoff * 2 ** (self.number - 1))
        return ("resting", end) if now < end else ("ready", None)


def find_cycle(jobs):
    """The ids of a circle among new jobs, or None."""
    by_id = {job.id: job for job in jobs}
    done = set()
    for start in by_id:
        trail, where = [], {}
        stack = [(start, True)]
        while stack:
            id, entering = stack.pop()
            if not entering:
                done.add(id)
                del where[trail.pop()]
            elif id in where:
                return trail[where[id] :] + [id]
            elif id not in done:
                where[id] = len(trail)
                trail.append(id)
                stack.append((id, False))
                stack += [(each, True) for each in by_id[id].after if each in by_id]
    return None


class Forge:
    """All jobs and keys; knows no file."""

    def __init__(self):
        self.jobs = {}
        self.keys = {}

    def check_batch(self, batch):
        """The jobs of a batch, each for itself."""
        if type(batch) is not list or not batch:
            raise BatchError("a batch must be a list of jobs")
        return [Job.check(raw) for raw in batch]

    def is_repeat(self, jobs, key):
        """Whether a batch is there under its key."""
        if key is None or key not in self.keys:
            return False
        if [job.order() for job in jobs] != [self.jobs[id].order() for id in self.keys[key]]:
            raise ConflictError("another batch has the key %s" % key)
        return True

    def check_new(self, jobs):
        """Raise a BatchError if the jobs of a batch don't fit."""
        known = set(self.jobs)
        for job in jobs:
            if job.id in known:
                raise BatchError("the id %s is taken" % job.id)
            known.add(job.id)
        for job in jobs:
            missing = set(job.after) - known
            if missing:
                raise BatchError("%s waits for %s, which is nowhere" % (job.id, ", ".join(sorted(missing))))
        path = find_cycle(jobs)
        if path:
            raise CycleError(path)

    def first_ready(self, now):
        """The job to take, or None."""
        for job in self.jobs.values():
            if job.look(now)[0] == "ready" and not self._waits(job):
                return job
        return None

    def _waits(self, job):
        return any(self.jobs[id].result != "done" for id in job.after)

    def is_news(self, word, id, number, now):
        """Whether a word about an attempt counts; it may be a repeat, or stale."""
        job = self.jobs.get(id)
        if job is None or number < 1 or job.number != number:
            raise StaleError("%s has no attempt %d now" % (id, number))
        result, _ = job.settle(now)
        if result not in (None, word):
            raise StaleError("attempt %d of %s is over" % (number, id))
        return result is None

    def apply(self, change):
        """Make a change."""
        if change["type"] == "add":
            for order in change["jobs"]:
                self.jobs[order["id"]] = Job(**order)
            if change["key"] is not None:
                self.keys[change["key"]] = [order["id"] for order in change["jobs"]]
        elif change["type"] == "take":
            self.jobs[change["job"]].take(change["now"], change["lease"])
        else:
            self.jobs[change["job"]].end(change["type"], change["now"])

    def status(self, now):
        """The status, as a dict."""
        states = {id: job.look(now) for id, job in self.jobs.items()}
        blocked = self._blocked(id for id, (kind, _) in states.items() if kind == "failed")
        jobs = []
        for id, job in self.jobs.items():
            kind, due = states[id]
            if id in blocked:
                kind = "blocked"
            elif self._waits(job):
                kind = "waiting"
            jobs.append({"id": id, "state": kind, "attempts": job.number, "due": due})
        kinds = [job["state"] for job in jobs]
        return {"now": now, "counts": {kind: kinds.count(kind) for kind in KINDS}, "jobs": jobs}

    def _blocked(self, failed):
        followers = {}
        for job in self.jobs.values():
            for id in job.after:
                followers.setdefault(id, set()).add(job.id)
        blocked, new = set(), set(failed)
        while new:
            new = set().union(*(followers.get(id, set()) for id in new)) - blocked
            blocked |= new
        return blocked


class Journal:
    """Lines with checksums in a file."""

    def __init__(self, path):
        self.path = path
        self.end = 0

    @staticmethod
    def pack(change):
        """The line of a change."""
        text = json.dumps(change, sort_keys=True)
        return ("%08x\t%s\n" % (zlib.crc32(text.encode()), text)).encode()

    @staticmethod
    def unpack(line):
        """The change in a line, or None."""
        text = line[9:-1]
        return json.loads(text) if line == b"%08x\t%s\n" % (zlib.crc32(text), text) else None

    def changes(self):
        """All changes, one by one."""
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                change = self.unpack(line)
                if change is None:
                    raise JournalError(number)
                self.end += len(line)
                yield change

    def append(self, change):
        """Write a change behind the last one."""
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.truncate(self.end)
            file.seek(self.end)
            self.end += file.write(self.pack(change))


class Titan:
    """The order book."""

    def __init__(self, path):
        """Open the journal at a path."""
        self._forge = Forge()
        self._journal = Journal(path)
        for change in self._journal.changes():
            self._forge.apply(change)

    def _do(self, **change):
        self._journal.append(change)
        self._forge.apply(change)

    def add(self, batch, key=None):
        """Add a batch; how many jobs that were."""
        jobs = self._forge.check_batch(batch)
        if self._forge.is_repeat(jobs, key):
            return 0
        self._forge.check_new(jobs)
        self._do(type="add", jobs=[job.order() for job in jobs], key=key)
        return len(jobs)

    def take(self, now, lease=60):
        """Begin the first ready job: its id and the attempt, or None."""
        job = self._forge.first_ready(now)
        if job is None:
            return None
        self._do(type="take", job=job.id, now=now, lease=lease)
        return job.id, job.number

    def _say(self, word, job, attempt, now):
        news = self._forge.is_news(word, job, attempt, now)
        if news:
            self._do(type=word, job=job, now=now)
        return news

    def done(self, job, attempt, now):
        """An attempt succeeded."""
        return self._say("done", job, attempt, now)

    def fail(self, job, attempt, now):
        """An attempt failed."""
        return self._say("fail", job, attempt, now)

    def status(self, now):
        """What state the jobs are in."""
        return self._forge.status(now)

    def report(self, path, now):
        """Write the status to a file."""
        new = "%s~%d" % (path, os.getpid())
        with open(new, "w", encoding="utf-8") as file:
            json.dump(self.status(now), file)
        try:
            os.replace(new, path)
        except OSError:
            os.remove(new)
            raise

    def close(self):
        """Nothing stays open."""


def integer(least):
    """A type for argparse."""

    def convert(text):
        if not text.lstrip("-").isdigit() or int(text) < least:
            raise ValueError(text)
        return int(text)

    return convert


def parse(arguments):
    """The command line, taken apart."""
    parser = argparse.ArgumentParser(prog="titan.py", allow_abbrev=False)
    subparsers = parser.add_subparsers(dest="command", required=True)
    positional = {"add": ["batch"], "take": [], "done": ["job", "attempt"], "fail": ["job", "attempt"], "status": []}
    commands = {}
    for name, arguments_of in positional.items():
        commands[name] = subparsers.add_parser(name, allow_abbrev=False)
        for each in ["journal"] + arguments_of:
            commands[name].add_argument(each, type=integer(-sys.maxsize) if each == "attempt" else str)
        if name != "add":
            commands[name].add_argument("--now", type=integer(0), required=True)
    commands["add"].add_argument("--key")
    commands["take"].add_argument("--lease", type=integer(1), default=60)
    commands["status"].add_argument("--report")
    return parser.parse_args(arguments)


def read_batch(path):
    """The batch of a file."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise BatchError("%s: %s" % (path, error)) from error


def answer(options):
    """What a command prints, or None."""
    book = Titan(options.journal)
    if options.command == "add":
        return {"added": book.add(read_batch(options.batch), options.key)}
    if options.command == "take":
        return dict(zip(("job", "attempt"), book.take(options.now, options.lease) or (None,)))
    if options.command != "status":
        return {"counted": getattr(book, options.command)(options.job, options.attempt, options.now)}
    if options.report is None:
        return book.status(options.now)
    return book.report(options.report, options.now)


def main(arguments):
    """Run a command; the exit status."""
    options = parse(arguments)
    try:
        result = answer(options)
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.code
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    if result is not None:
        print(json.dumps(result))
    return 3 if result == {"job": None} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
