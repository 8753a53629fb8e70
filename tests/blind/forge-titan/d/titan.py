"""The order book of the forge: a library and a command line over one journal.

From the inside out: functions that know only their arguments, `Book` with the rules and no file, `Journal` with a file
and no rules, `Titan` which puts both together, and the command line.
"""

import json
import os
import re
import sys
import zlib

STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")
DEFAULTS = {"after": [], "attempts": 3, "backoff": 60}


class TitanError(Exception):
    """The base of all refusals."""

    status = 1


class BatchError(TitanError):
    """A batch that makes no sense."""

    status = 4


class CycleError(BatchError):
    """Jobs that wait for one another; path is their circle, with the first once more at its end."""

    def __init__(self, path):
        super().__init__("jobs in a circle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """Another batch under a key that is taken."""

    status = 5


class StaleError(TitanError):
    """A word about an attempt that is not under way."""

    status = 5


class JournalError(TitanError):
    """A damaged journal; line is the number of the line that is not sound."""

    status = 6

    def __init__(self, line):
        super().__init__(f"line {line} of the journal is damaged")
        self.line = line


def is_count(value, least):
    """Whether a value is an int, and no bool, of at least so much."""
    return type(value) is int and value >= least


def normal_job(job):
    """A job as [id, after, attempts, backoff], with its defaults and its after as a set would be."""
    if not isinstance(job, dict) or not {"id"} <= job.keys() <= {"id", *DEFAULTS}:
        raise BatchError(f"no job: {job!r}")
    name, after, attempts, backoff = ({**DEFAULTS, **job}[key] for key in ("id", *DEFAULTS))
    if not isinstance(name, str) or not name:
        raise BatchError(f"no id: {name!r}")
    if not isinstance(after, list) or not all(isinstance(each, str) for each in after):
        raise BatchError(f"{name}: after is no list of ids")
    if not is_count(attempts, 1) or not is_count(backoff, 0):
        raise BatchError(f"{name}: attempts or backoff is no number, or too small")
    return [name, sorted(set(after)), attempts, backoff]


def find_circle(after):
    """A path of ids, the last the first again, in a dict from id to the ids it waits for; or None."""
    finished, path, on_path, todo = set(), [], set(), []
    for start in after:
        todo.append((start, False))
        while todo:
            name, leaving = todo.pop()
            if leaving:
                on_path.discard(path.pop())
                finished.add(name)
            elif name in on_path:
                return path[path.index(name) :] + [name]
            elif name not in finished:
                path.append(name)
                on_path.add(name)
                todo.append((name, True))
                todo.extend((each, False) for each in after[name] if each in after)
    return None


def rest_end(failed_at, attempt, backoff):
    """When the rest after a failed attempt is over."""
    return failed_at + min(3600, backoff * 2 ** min(attempt - 1, 12))


class Job:
    """A job and what is known of its latest attempt."""

    __slots__ = ("name", "after", "attempts", "backoff", "begun", "lease_end", "said", "said_at")

    def __init__(self, name, after, attempts, backoff):
        self.name, self.after, self.attempts, self.backoff = name, after, attempts, backoff
        self.begun, self.lease_end, self.said, self.said_at = 0, None, None, None

    def spec(self):
        """The job as it stood in its batch."""
        return [self.name, self.after, self.attempts, self.backoff]

    def verdict(self, now):
        """What was said of the latest attempt and when; a lease that is over says "fail" at its end."""
        if self.said is None and self.begun and now >= self.lease_end:
            return "fail", self.lease_end
        return self.said, self.said_at

    def own_state(self, now):
        """The state and its end as far as other jobs don't matter; ready if nothing hinders."""
        said, said_at = self.verdict(now)
        if said == "done":
            return "done", None
        if not self.begun:
            return "ready", None
        if said is None:
            return "running", self.lease_end
        if self.begun == self.attempts:
            return "failed", None
        end = rest_end(said_at, self.begun, self.backoff)
        return ("resting", end) if now < end else ("ready", None)


class Book:
    """All jobs and keys. Questions give a record of the change that is due, or None; apply makes it."""

    def __init__(self):
        self._jobs = {}
        self._keys = {}

    def admit(self, batch, key):
        """The record of a new batch, None for a repeat, or a refusal."""
        if not isinstance(batch, list) or not batch:
            raise BatchError("a batch is a list of at least one job")
        specs = [normal_job(job) for job in batch]
        if key in self._keys:
            if self._keys[key] != [spec[0] for spec in specs] or any(
                spec != self._jobs[spec[0]].spec() for spec in specs
            ):
                raise ConflictError(f"another batch has the key {key!r}")
            return None
        self._check_names(specs)
        circle = find_circle({name: after for name, after, _, _ in specs})
        if circle:
            raise CycleError(circle)
        return ["add", key, specs]

    def _check_names(self, specs):
        names = set()
        for name, *_ in specs:
            if name in names or name in self._jobs:
                raise BatchError(f"the id is taken: {name}")
            names.add(name)
        for name, after, _, _ in specs:
            for each in after:
                if each not in names and each not in self._jobs:
                    raise BatchError(f"{name} waits for {each}, which is nowhere")

    def next(self, now, lease):
        """The record that begins the first ready job, or None."""
        for job in self._jobs.values():
            if job.own_state(now)[0] == "ready" and (job.begun or self._may_begin(job)):
                return ["take", job.name, job.begun + 1, now, lease]
        return None

    def _may_begin(self, job):
        return all(self._jobs[each].said == "done" for each in job.after)

    def end(self, said, name, attempt, now):
        """The record of a word about an attempt, None for a repeat, or a StaleError."""
        job = self._jobs.get(name)
        if job is None or attempt != job.begun or attempt < 1:
            raise StaleError(f"{name}: attempt {attempt} is not the latest")
        before, _ = job.verdict(now)
        if before == said:
            return None
        if before is not None:
            raise StaleError(f"{name}: attempt {attempt} is over")
        return [said, name, attempt, now]

    def apply(self, record):
        """Make a change."""
        match record:
            case ["add", key, specs]:
                self._jobs.update((spec[0], Job(*spec)) for spec in specs)
                if key is not None:
                    self._keys[key] = [spec[0] for spec in specs]
            case ["take", name, attempt, now, lease]:
                job = self._jobs[name]
                job.begun, job.lease_end, job.said, job.said_at = attempt, now + lease, None, None
            case [said, name, _, now]:
                self._jobs[name].said, self._jobs[name].said_at = said, now

    def could_write(self, record):
        """Whether a call could have made this record now."""
        try:
            match record:
                case ["add", key, [*specs]]:
                    batch = [dict(zip(("id", *DEFAULTS), spec, strict=True)) for spec in specs]
                    return (key is None or isinstance(key, str)) and self.admit(batch, key) == record
                case ["take", _, _, int(now), int(lease)]:
                    return self.next(now, lease) == record
                case ["done" | "fail" as said, str(name), int(attempt), int(now)]:
                    return self.end(said, name, attempt, now) == record
        except (TitanError, TypeError, ValueError):
            return False
        return False

    def status(self, now):
        """The state of every job."""
        stuck = self._stuck(now)
        jobs, counts = [], dict.fromkeys(STATES, 0)
        for job in self._jobs.values():
            state, due = job.own_state(now)
            if job.name in stuck:
                state = "blocked"
            elif state == "ready" and not job.begun and not self._may_begin(job):
                state = "waiting"
            counts[state] += 1
            jobs.append({"id": job.name, "state": state, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def _stuck(self, now):
        """The names of all jobs that wait, directly or not, for one that has failed for good."""
        followers = {}
        for job in self._jobs.values():
            for each in job.after:
                followers.setdefault(each, []).append(job.name)
        todo = [job.name for job in self._jobs.values() if job.own_state(now)[0] == "failed"]
        stuck = set()
        while todo:
            new = [name for name in followers.get(todo.pop(), ()) if name not in stuck]
            stuck.update(new)
            todo.extend(new)
        return stuck


def encode(record):
    """The line of a record."""
    body = json.dumps(record).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(line):
    """The record of a line, or None if it is not sound."""
    if line[8:9] != b" " or line[-1:] != b"\n" or line[:8] != b"%08x" % zlib.crc32(line[9:-1]):
        return None
    try:
        return json.loads(line[9:-1])
    except ValueError:
        return None


class Journal:
    """A file of lines, of which the sound ones count."""

    def __init__(self, path):
        self._path = path
        self._file = None
        self._end = 0

    def replay(self, accept):
        """Hand each record to a function that says whether it can be; leave a torn end away."""
        try:
            file = open(self._path, "rb")
        except FileNotFoundError:
            return
        with file:
            for number, line in enumerate(iter(file.readline, b""), start=1):
                record = decode(line)
                if record is None or not accept(record):
                    if file.read(1):
                        raise JournalError(number)
                    return
                self._end += len(line)

    def append(self, record):
        """Write a record right behind the last sound line."""
        if self._file is None:
            self._file = open(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        line = encode(record)
        self._file.truncate(self._end)
        self._file.seek(self._end)
        self._file.write(line)
        self._end += len(line)

    def close(self):
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


def write_whole(path, text):
    """Put a text in the place of a file at once, or leave everything as it was."""
    beside = f"{path}.{os.getpid()}.new"
    file = open(beside, "x", encoding="utf-8")
    try:
        with file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        os.remove(beside)
        raise


class Titan:
    """A book whose changes are kept in a journal."""

    def __init__(self, path):
        """Open the journal at a path."""
        self._book = Book()
        self._journal = Journal(path)
        self._journal.replay(self._accept)

    def _accept(self, record):
        sound = self._book.could_write(record)
        if sound:
            self._book.apply(record)
        return sound

    def _change(self, record):
        if record is not None:
            self._journal.append(record)
            self._book.apply(record)
        return record

    def add(self, batch, key=None):
        """Add the jobs of a batch, and say how many; 0 if the batch is there by its key."""
        record = self._change(self._book.admit(batch, key))
        return len(record[2]) if record else 0

    def take(self, now, lease=60):
        """Begin the first job that is ready: (job, attempt), or None."""
        record = self._change(self._book.next(now, lease))
        return (record[1], record[2]) if record else None

    def done(self, job, attempt, now):
        """Say that an attempt succeeded; whether that is news."""
        return self._change(self._book.end("done", job, attempt, now)) is not None

    def fail(self, job, attempt, now):
        """Say that an attempt failed; whether that is news."""
        return self._change(self._book.end("fail", job, attempt, now)) is not None

    def status(self, now):
        """The state of every job."""
        return self._book.status(now)

    def report(self, path, now):
        """Write the status to a file, whole or not at all."""
        write_whole(path, json.dumps(self.status(now)))

    def close(self):
        """End the work."""
        self._journal.close()


def whole(text):
    """A whole number from the command line."""
    if not re.fullmatch("-?[0-9]+", text):
        raise ValueError(text)
    return int(text)


def time_of(text):
    """A time from the command line."""
    if not re.fullmatch("[0-9]+", text):
        raise ValueError(text)
    return int(text)


def lease_of(text):
    """A lease from the command line."""
    if time_of(text) < 1:
        raise ValueError(text)
    return int(text)


def read_batch(path):
    """The batch in a file."""
    with open(path, "rb") as file:
        try:
            return json.loads(file.read().decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise BatchError(f"{path} is no JSON: {error}") from error


def command_add(book, options):
    """Add a batch."""
    return {"added": book.add(read_batch(options.batch), options.key)}


def command_take(book, options):
    """Begin a job."""
    taken = book.take(options.now, options.lease)
    return {"job": taken[0], "attempt": taken[1]} if taken else {"job": None}


def command_done(book, options):
    """Say that an attempt succeeded."""
    return {"counted": book.done(options.job, options.attempt, options.now)}


def command_fail(book, options):
    """Say that an attempt failed."""
    return {"counted": book.fail(options.job, options.attempt, options.now)}


def command_status(book, options):
    """Tell the status, or write it to a file."""
    if options.report is None:
        return book.status(options.now)
    try:
        return book.report(options.report, options.now)
    except OSError as error:
        raise OSError(f"{options.report}: {error}") from error


def build_parser():
    """The command line."""
    import argparse

    parser = argparse.ArgumentParser(prog="titan.py", allow_abbrev=False)
    commands = parser.add_subparsers(required=True)

    def command(name, function, *positional):
        sub = commands.add_parser(name, allow_abbrev=False)
        sub.set_defaults(function=function)
        sub.add_argument("journal")
        for each, kind in positional:
            sub.add_argument(each, type=kind)
        return sub

    command("add", command_add, ("batch", str)).add_argument("--key")
    attempt = (("job", str), ("attempt", whole))
    timed = [
        take := command("take", command_take),
        command("done", command_done, *attempt),
        command("fail", command_fail, *attempt),
        status := command("status", command_status),
    ]
    for sub in timed:
        sub.add_argument("--now", type=time_of, required=True)
    take.add_argument("--lease", type=lease_of, default=60)
    status.add_argument("--report")
    return parser


def main(arguments):
    """Run one command and give the exit status."""
    options = build_parser().parse_args(arguments)
    try:
        book = Titan(options.journal)
        answer = options.function(book, options)
        book.close()
    except (TitanError, OSError) as error:
        print(f"titan: {error}", file=sys.stderr)
        return getattr(error, "status", 1)
    if answer is not None:
        print(json.dumps(answer))
    return 3 if answer == {"job": None} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
