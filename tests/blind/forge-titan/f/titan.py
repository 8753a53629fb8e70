"""The order book of the forge: a journal, the rules over it, and a command line."""

import argparse
import json
import os
import sys
import zlib
from dataclasses import asdict, dataclass, field


class TitanError(Exception):
    """A refusal."""


class BatchError(TitanError):
    """The batch makes no sense."""


class CycleError(BatchError):
    """Jobs wait for one another along the path."""

    def __init__(self, path):
        super().__init__("circle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """The key belongs to another batch."""


class StaleError(TitanError):
    """The attempt isn't the latest."""


class JournalError(TitanError):
    """The journal is damaged at a line."""

    def __init__(self, line):
        super().__init__(f"journal damaged: line {line}")
        self.line = line


EXIT_STATUS = ((BatchError, 4), (ConflictError, 5), (StaleError, 5), (JournalError, 6), (OSError, 1))


@dataclass
class Job:
    """What was ordered."""

    id: str
    after: list = field(default_factory=list)
    attempts: int = 3
    backoff: int = 60

    def __post_init__(self):
        if not isinstance(self.id, str) or not self.id:
            raise BatchError(f"an id must be a text: {self.id!r}")
        if not isinstance(self.after, list) or not all(isinstance(each, str) for each in self.after):
            raise BatchError(f"{self.id}: after must be a list of ids")
        self.after = sorted(set(self.after))
        for name, least in (("attempts", 1), ("backoff", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise BatchError(f"{self.id}: {name} must be a number from {least} up")


@dataclass
class Run:
    """The latest attempt of a job."""

    number: int
    until: int
    word: str | None = None
    at: int | None = None

    def end(self, now):
        """How it ended and when, or (None, None) while it is under way."""
        if self.word is None and now >= self.until:
            return "fail", self.until
        return self.word, self.at


def read_batch(batch):
    """The jobs of a batch."""
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch must be a list of jobs")
    jobs = []
    for each in batch:
        if not isinstance(each, dict):
            raise BatchError(f"a job must be a dict: {each!r}")
        try:
            jobs.append(Job(**each))
        except TypeError as error:
            raise BatchError(f"{each!r}: {error}") from error
    return jobs


def find_circle(after):
    """The path of a circle in a dict of lists, or None."""
    open_ids = dict(after)
    while open_ids:
        path = {next(iter(open_ids)): None}
        while path:
            last = next(reversed(path))
            step = next((each for each in open_ids[last] if each in open_ids), None)
            if step is None:
                del open_ids[last], path[last]
            elif step in path:
                ids = list(path)
                return ids[ids.index(step) :] + [step]
            else:
                path[step] = None
    return None


def rest_over(job, number, failed):
    """When a job may be taken again after its n-th attempt failed."""
    return failed + min(3600, job.backoff * 2 ** min(number - 1, 12))


class Rules:
    """Jobs, runs and keys, without a file."""

    def __init__(self):
        self.jobs = {}
        self.runs = {}
        self.keys = {}

    def plan_add(self, batch, key):
        """The record of a batch, or None for a repeat."""
        jobs = read_batch(batch)
        if key is not None and key in self.keys:
            if [self.jobs[name] for name in self.keys[key]] == jobs:
                return None
            raise ConflictError(f"the key {key} belongs to another batch")
        ids = set(self.jobs)
        for job in jobs:
            if job.id in ids:
                raise BatchError(f"{job.id} is taken")
            ids.add(job.id)
        nowhere = {each for job in jobs for each in job.after} - ids
        if nowhere:
            raise BatchError(f"nowhere: {', '.join(sorted(nowhere))}")
        path = find_circle({job.id: job.after for job in jobs})
        if path:
            raise CycleError(path)
        return {"add": [asdict(job) for job in jobs], "key": key}

    def plan_take(self, now, lease):
        """The record of the next attempt, or None if nothing is ready."""
        for name in self.jobs:
            if self.own_state(name, now)[0] == "ready" and not self.waits(name):
                return {"take": name, "number": self.number(name) + 1, "now": now, "lease": lease}
        return None

    def plan_end(self, word, name, number, now):
        """The record of an end, or None if the attempt has ended before."""
        if name not in self.runs or self.number(name) != number:
            raise StaleError(f"{number} is not the latest attempt of {name}")
        if self.runs[name].end(now)[0]:
            return None
        return {"end": name, "number": number, "word": word, "now": now}

    def expects(self, record):
        """Whether a record is what a call would write now."""
        try:
            if "add" in record:
                return self.plan_add(record["add"], record["key"]) == record
            if "take" in record:
                return self.plan_take(record["now"], record["lease"]) == record
            return self.plan_end(record["word"], record["end"], record["number"], record["now"]) == record
        except (TitanError, KeyError, TypeError):
            return False

    def apply(self, record):
        """Make a change."""
        if "add" in record:
            jobs = [Job(**each) for each in record["add"]]
            self.jobs.update((job.id, job) for job in jobs)
            if record["key"] is not None:
                self.keys[record["key"]] = [job.id for job in jobs]
        elif "take" in record:
            self.runs[record["take"]] = Run(record["number"], record["now"] + record["lease"])
        else:
            run = self.runs[record["end"]]
            run.word, run.at = record["word"], record["now"]

    def number(self, name):
        """How many attempts of a job have begun."""
        return self.runs[name].number if name in self.runs else 0

    def waits(self, name):
        """Whether a job waits for another."""
        return any(each not in self.runs or self.runs[each].word != "done" for each in self.jobs[name].after)

    def own_state(self, name, now):
        """State and due of a job that waits for nothing."""
        if name not in self.runs:
            return "ready", None
        job, run = self.jobs[name], self.runs[name]
        word, at = run.end(now)
        if word is None:
            return "running", run.until
        if word == "done":
            return "done", None
        if run.number == job.attempts:
            return "failed", None
        due = rest_over(job, run.number, at)
        return ("resting", due) if now < due else ("ready", None)

    def blocked(self, now):
        """All that wait for a job that has failed for good, or for one that waits for it."""
        followers = {}
        for job in self.jobs.values():
            for each in job.after:
                followers.setdefault(each, []).append(job.id)
        found = set()
        todo = [name for name in self.runs if self.own_state(name, now)[0] == "failed"]
        while todo:
            new = set(followers.get(todo.pop(), ())) - found
            found |= new
            todo += new
        return found

    def status(self, now):
        """The status of all jobs."""
        blocked = self.blocked(now)
        counts = dict.fromkeys(("waiting", "blocked", "ready", "running", "resting", "done", "failed"), 0)
        jobs = []
        for name in self.jobs:
            state, due = self.own_state(name, now)
            if name in blocked:
                state = "blocked"
            elif self.waits(name):
                state = "waiting"
            counts[state] += 1
            jobs.append({"id": name, "state": state, "attempts": self.number(name), "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}


def pack(record):
    """The line of a record."""
    text = json.dumps(record).encode()
    return text + b"#%010d\n" % zlib.crc32(text)


def unpack(line):
    """The record of a line, or None."""
    text = line[:-12]
    if line != text + b"#%010d\n" % zlib.crc32(text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


class Titan:
    """The order book."""

    def __init__(self, path):
        """Open the journal at a path."""
        self._path = path
        self._rules = Rules()
        self._length = 0
        if os.path.exists(path):
            with open(path, "rb") as file:
                self._read(file)

    def _read(self, file):
        for number, line in enumerate(file, 1):
            record = unpack(line)
            if record is None or not self._rules.expects(record):
                if file.readline():
                    raise JournalError(number)
                break
            self._rules.apply(record)
            self._length += len(line)

    def _change(self, record):
        if record is None:
            return False
        with open(self._path, "r+b" if os.path.exists(self._path) else "w+b") as file:
            file.truncate(self._length)
            file.seek(self._length)
            self._length += file.write(pack(record))
        self._rules.apply(record)
        return True

    def add(self, batch, key=None):
        """Add a batch, and say how many jobs came in."""
        return len(batch) if self._change(self._rules.plan_add(batch, key)) else 0

    def take(self, now, lease=60):
        """Begin the first ready job."""
        record = self._rules.plan_take(now, lease)
        return (record["take"], record["number"]) if self._change(record) else None

    def done(self, job, attempt, now):
        """Say that an attempt succeeded."""
        return self._change(self._rules.plan_end("done", job, attempt, now))

    def fail(self, job, attempt, now):
        """Say that an attempt failed."""
        return self._change(self._rules.plan_end("fail", job, attempt, now))

    def status(self, now):
        """The status."""
        return self._rules.status(now)

    def report(self, path, now):
        """Write the status to a new file and swap it in."""
        new = f"{path}.new"
        with open(new, "w", encoding="utf-8") as file:
            json.dump(self.status(now), file, indent=2)
        os.replace(new, path)

    def close(self):
        """End the work."""


def number_from(least):
    """An argparse type: whole numbers from a least one up."""

    def number(text):
        if not text.removeprefix("-").isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a whole number from {least} up is needed")
        return int(text)

    return number


def read_options(arguments):
    """The command line as a namespace."""
    parser = argparse.ArgumentParser(prog="titan.py", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in (("add", ["batch"]), ("take", []), ("done", ["job"]), ("fail", ["job"]), ("status", [])):
        command = commands.add_parser(name, allow_abbrev=False)
        for word in ("journal", *words):
            command.add_argument(word)
        if "job" in words:
            command.add_argument("attempt", type=number_from(-(10**18)))
        if name == "add":
            command.add_argument("--key")
        else:
            command.add_argument("--now", type=number_from(0), required=True)
        if name == "take":
            command.add_argument("--lease", type=number_from(1), default=60)
        if name == "status":
            command.add_argument("--report")
    return parser.parse_args(arguments)


def read_json(path):
    """The batch in a file."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except (ValueError, RecursionError) as error:
            raise BatchError(f"{path}: {error}") from error


def run(book, options):
    """The answer to a command; None for a report."""
    match options.command:
        case "add":
            return {"added": book.add(read_json(options.batch), options.key)}
        case "take":
            job, attempt = book.take(options.now, options.lease) or (None, None)
            return {"job": job, "attempt": attempt} if job else {"job": None}
        case "done":
            return {"counted": book.done(options.job, options.attempt, options.now)}
        case "fail":
            return {"counted": book.fail(options.job, options.attempt, options.now)}
        case "status" if options.report is not None:
            return book.report(options.report, options.now)
        case "status":
            return book.status(options.now)


def main(arguments):
    """Run one command and give the exit status."""
    options = read_options(arguments)
    try:
        answer = run(Titan(options.journal), options)
    except (TitanError, OSError) as error:
        print(error, file=sys.stderr)
        return next(status for kind, status in EXIT_STATUS if isinstance(error, kind))
    if answer is not None:
        print(json.dumps(answer))
    return 3 if answer == {"job": None} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
