"""An order book for jobs over an append-only journal."""

import json
import os
import sys
import zlib
from dataclasses import dataclass


# Errors


class TitanError(Exception):
    """The book says no."""

    exit_status = 1


class UsageError(TitanError):
    """The command line makes no sense."""

    exit_status = 2


class BatchError(TitanError):
    """The batch makes no sense."""

    exit_status = 4


class CycleError(BatchError):
    """Jobs wait in a circle."""

    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """The key belongs to another batch."""

    exit_status = 5


class StaleError(TitanError):
    """The attempt is not under way."""

    exit_status = 5


class JournalError(TitanError):
    """The journal is damaged."""

    exit_status = 6

    def __init__(self, line):
        super().__init__(f"line {line} of the journal is damaged")
        self.line = line


# Rules


def pause(attempt, backoff):
    """Seconds of rest after a failed attempt."""
    return min(3600, backoff * 2 ** min(attempt - 1, 20))


def is_count(value, least):
    """Whether something is a whole number, and large enough."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_name(value):
    """Whether something is an id."""
    return isinstance(value, str) and bool(value)


def problem(job):
    """What is wrong with one job of a batch, or nothing."""
    if not isinstance(job, dict) or not is_name(job.get("id")):
        return "every job needs an id"
    if set(job) - {"id", "after", "attempts", "backoff"}:
        return f"{job['id']} has keys that no job has"
    after = job.get("after", [])
    if not isinstance(after, list) or not all(is_name(other) for other in after):
        return f"{job['id']} waits for something that is no id"
    if not is_count(job.get("attempts", 3), 1) or not is_count(job.get("backoff", 60), 0):
        return f"{job['id']} has numbers that are none"
    return None


def circle(waits):
    """A circle in a graph as a path, or None: whatever can't be peeled off is in one or leads to one."""
    left = {name: set(others) for name, others in waits.items()}
    followers = {name: [] for name in waits}
    for name, others in left.items():
        for other in others:
            followers[other].append(name)
    free = [name for name, others in left.items() if not others]
    while free:
        name = free.pop()
        del left[name]
        for follower in followers[name]:
            left[follower].discard(name)
            if not left[follower]:
                free.append(follower)
    return walk(left) if left else None


def walk(left):
    """Walk among jobs that all wait for others of them, until one comes again."""
    seen = {}
    name = next(iter(left))
    while name not in seen:
        seen[name] = len(seen)
        name = min(left[name])
    return [*list(seen)[seen[name] :], name]


@dataclass
class Job:
    """A job and its latest attempt."""

    id: str
    after: list
    attempts: int = 3
    backoff: int = 60
    begun: int = 0
    due: int = 0
    phase: str = "idle"

    def settle(self, now):
        """Let an attempt fail whose lease was over before now."""
        if self.phase == "running" and self.due <= now:
            self.finish("lost", self.due)

    def finish(self, phase, now):
        """End the latest attempt."""
        self.phase = phase
        self.due = now + pause(self.begun, self.backoff)

    def failed(self):
        """Whether no attempt is left."""
        return self.phase in ("fail", "lost") and self.begun >= self.attempts


# Journal


def to_line(record):
    """A record as bytes."""
    body = json.dumps(record).encode()
    return b"%010d %b\n" % (zlib.crc32(body), body)


def from_line(line):
    """The record in a line, or None."""
    body = line[11:-1]
    if not body or line != b"%010d %b\n" % (zlib.crc32(body), body):
        return None
    return json.loads(body)


def read_journal(path):
    """All sound records, and where the next one goes."""
    if not os.path.exists(path):
        return [], 0
    with open(path, "rb") as file:
        lines = file.readlines()
    records = [from_line(line) for line in lines]
    if None in records[:-1]:
        raise JournalError(records.index(None) + 1)
    if records and records[-1] is None:
        return records[:-1], sum(map(len, lines[:-1]))
    return records, sum(map(len, lines))


# Book


class Titan:
    """The jobs of one journal."""

    def __init__(self, path):
        self._path = path
        self._jobs = {}
        self._keys = {}
        self._file = None
        records, self._end = read_journal(path)
        for record in records:
            self._apply(record)

    def add(self, batch, key=None):
        """Add a batch, unless it was added under this key."""
        if not isinstance(batch, list) or not batch:
            raise BatchError("a batch is a list of jobs")
        for job in batch:
            if problem(job):
                raise BatchError(problem(job))
        if key is not None and key in self._keys:
            if self._keys[key] == batch:
                return 0
            raise ConflictError(f"{key} was used for another batch")
        self._check_names(batch)
        self._write({"do": "add", "batch": batch, "key": key})
        return len(batch)

    def take(self, now, lease=60):
        """Begin the first ready job."""
        for job in self._jobs.values():
            if self._state(job, now, ()) == "ready":
                self._write({"do": "take", "id": job.id, "until": now + lease})
                return job.id, job.begun
        return None

    def done(self, job, attempt, now):
        """Say that an attempt succeeded."""
        return self._finish("done", job, attempt, now)

    def fail(self, job, attempt, now):
        """Say that an attempt failed."""
        return self._finish("fail", job, attempt, now)

    def status(self, now):
        """All jobs and their states."""
        blocked = self._blocked(now)
        names = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")
        counts = {name: 0 for name in names}
        jobs = []
        for job in self._jobs.values():
            state = self._state(job, now, blocked)
            counts[state] += 1
            due = job.due if state in ("running", "resting") else None
            jobs.append({"id": job.id, "state": state, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        """Put the status into a file, in one step."""
        fresh = path + ".new"
        with open(fresh, "w") as file:
            json.dump(self.status(now), file)
        try:
            os.rename(fresh, path)
        except OSError:
            os.unlink(fresh)
            raise

    def close(self):
        """Let go of the journal."""
        if self._file:
            self._file.close()

    def _check_names(self, batch):
        names = [job["id"] for job in batch]
        if len(set(names)) < len(names) or any(name in self._jobs for name in names):
            raise BatchError("an id is taken")
        waits = {job["id"]: set(job.get("after", [])) for job in batch}
        for others in waits.values():
            if others - waits.keys() - self._jobs.keys():
                raise BatchError("a job waits for one that is nowhere")
        path = circle({name: others & waits.keys() for name, others in waits.items()})
        if path:
            raise CycleError(path)

    def _finish(self, phase, name, attempt, now):
        job = self._jobs.get(name)
        if job is None or job.begun != attempt or attempt == 0:
            raise StaleError(f"{name} has no attempt {attempt} under way")
        job.settle(now)
        if job.phase == phase:
            return False
        if job.phase != "running":
            raise StaleError(f"attempt {attempt} of {name} is over")
        self._write({"do": phase, "id": name, "at": now})
        return True

    def _state(self, job, now, blocked):
        job.settle(now)
        if job.phase in ("done", "running"):
            return job.phase
        if job.failed():
            return "failed"
        if job.id in blocked:
            return "blocked"
        if any(self._jobs[other].phase != "done" for other in job.after):
            return "waiting"
        return "resting" if job.due > now else "ready"

    def _blocked(self, now):
        followers = {}
        for job in self._jobs.values():
            job.settle(now)
            for other in job.after:
                followers.setdefault(other, []).append(job.id)
        found = set()
        fringe = [job.id for job in self._jobs.values() if job.failed()]
        while fringe:
            for follower in followers.get(fringe.pop(), []):
                if follower not in found:
                    found.add(follower)
                    fringe.append(follower)
        return found

    def _write(self, record):
        if self._file is None:
            self._file = open(self._path, "r+b" if os.path.exists(self._path) else "w+b")
            self._file.truncate(self._end)
            self._file.seek(self._end)
        self._file.write(to_line(record))
        self._file.flush()
        self._apply(record)

    def _apply(self, record):
        if record["do"] == "add":
            for job in record["batch"]:
                self._jobs[job["id"]] = Job(**{"after": [], **job})
            if record["key"] is not None:
                self._keys[record["key"]] = record["batch"]
            return
        job = self._jobs[record["id"]]
        if record["do"] == "take":
            job.begun += 1
            job.phase, job.due = "running", record["until"]
        else:
            job.finish(record["do"], record["at"])


# Command line


def split(arguments):
    """Positional arguments, and a dict of options."""
    options, words = {}, []
    rest = iter(arguments)
    for word in rest:
        if word.startswith("--"):
            options[word[2:]] = next(rest, None)
        else:
            words.append(word)
    return words, options


def number(text, least):
    """A whole number from the command line."""
    if text is None or not text.isdigit() or int(text) < least:
        raise UsageError(f"not a whole number from {least} up: {text}")
    return int(text)


def load(path):
    """A batch from a file."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return json.loads(content.decode())
    except ValueError:
        raise BatchError(f"{path} is no JSON") from None


def run(words, options):
    """Run a command; what to print, and the exit status."""
    if len(words) < 2 or words[0] not in ("add", "take", "done", "fail", "status"):
        raise UsageError("titan.py add|take|done|fail|status JOURNAL ...")
    command, journal, *rest = words
    if len(rest) != {"add": 1, "done": 2, "fail": 2}.get(command, 0):
        raise UsageError(f"wrong number of arguments for {command}")
    if command == "add":
        return {"added": Titan(journal).add(load(rest[0]), options.get("key"))}, 0
    now = number(options.get("now"), 0)
    if command == "take":
        taken = Titan(journal).take(now, number(options.get("lease", "60"), 1))
        return ({"job": taken[0], "attempt": taken[1]}, 0) if taken else ({"job": None}, 3)
    if command == "status":
        if "report" not in options:
            return Titan(journal).status(now), 0
        return Titan(journal).report(options["report"], now), 0
    attempt = number(rest[1], 0)
    book = Titan(journal)
    say = book.done if command == "done" else book.fail
    return {"counted": say(rest[0], attempt, now)}, 0


def main(arguments):
    """Run a command and give its exit status."""
    try:
        answer, status = run(*split(arguments))
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    if answer is not None:
        print(json.dumps(answer))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
