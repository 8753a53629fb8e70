"""The order book of the forge: jobs over a journal, as a library and a command line."""

import argparse
import json
import os
import re
import sys
import tempfile
import zlib
from dataclasses import dataclass, field
from typing import NamedTuple

STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")
LONGEST_REST = 3600


class TitanError(Exception):
    """The base of all refusals."""

    status = 1


class BatchError(TitanError):
    """A batch that makes no sense."""

    status = 4


class CycleError(BatchError):
    """Jobs that wait for one another; each in the path waits for the next."""

    def __init__(self, path):
        super().__init__("cycle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """Another batch under a key that is taken."""

    status = 5


class StaleError(TitanError):
    """Word of an attempt that is not under way."""

    status = 5


class JournalError(TitanError):
    """A line of the journal can't be believed, and it is not the last."""

    status = 6

    def __init__(self, line):
        super().__init__(f"line {line} of the journal is damaged")
        self.line = line


# --- rules


class Spec(NamedTuple):
    """What a batch says of one job, with all defaults."""

    id: str
    after: frozenset
    attempts: int
    backoff: int


def parse_batch(batch):
    """The specs of a batch, or a BatchError."""
    if not isinstance(batch, list) or not batch:
        raise BatchError("a batch is a list of at least one job")
    return [parse_job(raw) for raw in batch]


def parse_job(raw):
    """The spec of one job, or a BatchError."""
    if not isinstance(raw, dict) or not {"id"} <= raw.keys() <= {"id", "after", "attempts", "backoff"}:
        raise BatchError(f"not a job: {raw!r:.80}")
    name, after = raw["id"], raw.get("after", [])
    if not isinstance(name, str) or not name:
        raise BatchError(f"not an id: {name!r:.80}")
    if not isinstance(after, list) or not all(isinstance(other, str) for other in after):
        raise BatchError(f"{name}: after must be a list of ids")
    return Spec(
        name,
        frozenset(after),
        whole(raw.get("attempts", 3), 1, f"attempts of {name}"),
        whole(raw.get("backoff", 60), 0, f"backoff of {name}"),
    )


def whole(value, least, what):
    """An int that is large enough, or a BatchError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BatchError(f"{what} must be an int of at least {least}")
    return value


def find_cycle(needs):
    """A path of names that leads back to its start, or None. `needs` tells of each name what it waits for."""
    finished = set()
    for start in needs:
        path, on_path, trails = [start], {start}, [iter(needs[start])]
        while trails and start not in finished:
            name = next(trails[-1], None)
            if name is None:
                trails.pop()
                finished.add(path[-1])
                on_path.discard(path.pop())
            elif name in on_path:
                return path[path.index(name) :] + [name]
            elif name in needs and name not in finished:
                path.append(name)
                on_path.add(name)
                trails.append(iter(needs[name]))
    return None


def rest(backoff, attempt):
    """How long a job rests after its n-th attempt has failed."""
    return min(LONGEST_REST, backoff << (attempt - 1))


@dataclass(slots=True)
class Job:
    """A job and its latest attempt; of the earlier ones only their number is kept."""

    spec: Spec
    needs: tuple
    followers: list = field(default_factory=list)
    begun: int = 0
    lease_end: int = 0
    word: str | None = None
    said_at: int = 0

    def outcome(self, now):
        """The word on the latest attempt and its time; a lease that is over is a fail at its end."""
        if self.word is None and self.begun and self.lease_end <= now:
            return "fail", self.lease_end
        return self.word, self.said_at

    def own_state(self, now):
        """(state, due) as far as the job alone decides them; 'ready' may still have to wait for others."""
        word, at = self.outcome(now)
        if self.begun == 0:
            return "ready", None
        if word is None:
            return "running", self.lease_end
        if word == "done":
            return "done", None
        if self.begun >= self.spec.attempts:
            return "failed", None
        due = at + rest(self.spec.backoff, self.begun)
        return ("resting", due) if now < due else ("ready", None)


class Book:
    """All jobs in memory. Methods that decide return the record of a change, or None; apply makes it happen."""

    def __init__(self):
        self.jobs = []
        self._numbers = {}
        self._keys = {}

    def admit(self, batch, key):
        """The record that adds a batch; None if it is a repeat."""
        specs = parse_batch(batch)
        if key is not None and key in self._keys:
            start, end = self._keys[key]
            if [job.spec for job in self.jobs[start:end]] != specs:
                raise ConflictError(f"another batch came under the key {key!r}")
            return None
        self._check_names(specs)
        cycle = find_cycle({spec.id: spec.after for spec in specs})
        if cycle:
            raise CycleError(cycle)
        return ["add", key, [[spec.id, sorted(spec.after), spec.attempts, spec.backoff] for spec in specs]]

    def _check_names(self, specs):
        names = {spec.id for spec in specs}
        taken = [name for name in names if name in self._numbers]
        if taken or len(names) < len(specs):
            raise BatchError(f"an id is taken: {taken or 'twice in the batch'}")
        for spec in specs:
            for other in spec.after:
                if other not in names and other not in self._numbers:
                    raise BatchError(f"{spec.id} waits for {other}, which is nowhere")

    def next_attempt(self, now, lease):
        """The record of taking the first ready job."""
        for number, (state, _) in enumerate(self.states(now)):
            if state == "ready":
                return ["take", number, now, lease]
        return None

    def verdict(self, word, name, attempt, now):
        """The record of what is said of an attempt; None if it was said before."""
        number = self._numbers.get(name)
        if number is None or self.jobs[number].begun != attempt or attempt < 1:
            raise StaleError(f"{name} has no attempt {attempt} under way")
        known, _ = self.jobs[number].outcome(now)
        if known not in (None, word):
            raise StaleError(f"attempt {attempt} of {name} has ended: {known}")
        return [word, number, now] if known is None else None

    def apply(self, record):
        """Make a change happen. ValueError if it is none."""
        match record:
            case ["add", key, rows]:
                self._add(key, [Spec(name, frozenset(after), *numbers) for name, after, *numbers in rows])
            case ["take", number, now, lease]:
                job = self.jobs[number]
                job.begun, job.lease_end, job.word = job.begun + 1, now + lease, None
            case ["done" | "fail" as word, number, now]:
                self.jobs[number].word, self.jobs[number].said_at = word, now
            case _:
                raise ValueError(f"no change: {record!r:.80}")

    def _add(self, key, specs):
        start = len(self.jobs)
        self._numbers.update((spec.id, number) for number, spec in enumerate(specs, start))
        for spec in specs:
            self.jobs.append(Job(spec, tuple(self._numbers[name] for name in spec.after)))
        for number in range(start, len(self.jobs)):
            for other in self.jobs[number].needs:
                self.jobs[other].followers.append(number)
        if key is not None:
            self._keys[key] = (start, len(self.jobs))

    def states(self, now):
        """(state, due) of all jobs."""
        states = [job.own_state(now) for job in self.jobs]
        for number, job in enumerate(self.jobs):
            if not job.begun and any(states[other][0] != "done" for other in job.needs):
                states[number] = ("waiting", None)
        queue = [number for number, (state, _) in enumerate(states) if state == "failed"]
        while queue:
            for number in self.jobs[queue.pop()].followers:
                if states[number][0] != "blocked":
                    states[number] = ("blocked", None)
                    queue.append(number)
        return states

    def status(self, now):
        """The whole status as a dict."""
        counts = dict.fromkeys(STATES, 0)
        jobs = []
        for job, (state, due) in zip(self.jobs, self.states(now)):
            counts[state] += 1
            jobs.append({"id": job.spec.id, "state": state, "attempts": job.begun, "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}


# --- the journal


def encode(record):
    """The line of a record."""
    body = json.dumps(record, separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(line):
    """The record of a line; ValueError if it is not sound."""
    body = line[9:-1]
    if line != b"%08x %s\n" % (zlib.crc32(body), body):
        raise ValueError("the checksum does not agree")
    return json.loads(body)


class Journal:
    """A file of lines that is read once and then only grows."""

    def __init__(self, path):
        self._path = path
        self._end = 0
        self._file = None

    def replay(self, apply):
        """Hand each record to apply, line by line, up to a torn end."""
        try:
            file = open(self._path, "rb")
        except FileNotFoundError:
            return
        with file:
            for number, line in enumerate(file, 1):
                try:
                    apply(decode(line))
                except (ValueError, LookupError, TypeError) as error:
                    if file.read(1):
                        raise JournalError(number) from error
                    return
                self._end += len(line)

    def append(self, record):
        """Write one line behind the last sound one."""
        if self._file is None:
            self._file = open(self._path, "ab")
            self._file.truncate(self._end)
        self._file.write(encode(record))
        self._file.flush()

    def close(self):
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


def write_whole(path, text):
    """Put a new file in the place of path, or leave everything as it was."""
    folder, name = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=name + ".", dir=folder or ".")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


# --- the library


class Titan:
    """The order book over the journal at a path."""

    def __init__(self, path):
        """Open the journal; one that isn't there is empty."""
        self._book = Book()
        self._journal = Journal(path)
        self._journal.replay(self._book.apply)

    def add(self, batch, key=None):
        """Add all jobs of a batch; how many."""
        record = self._book.admit(batch, key)
        return len(record[2]) if self._change(record) else 0

    def take(self, now, lease=60):
        """Begin the next attempt of the first ready job: (job, attempt), or None."""
        record = self._book.next_attempt(now, lease)
        if not self._change(record):
            return None
        job = self._book.jobs[record[1]]
        return job.spec.id, job.begun

    def done(self, job, attempt, now):
        """Say that an attempt succeeded; whether that is news."""
        return self._change(self._book.verdict("done", job, attempt, now))

    def fail(self, job, attempt, now):
        """Say that an attempt failed; whether that is news."""
        return self._change(self._book.verdict("fail", job, attempt, now))

    def status(self, now):
        """The state of all jobs at a time."""
        return self._book.status(now)

    def report(self, path, now):
        """Write the status to a file."""
        write_whole(path, json.dumps(self.status(now)))

    def close(self):
        """End the work."""
        self._journal.close()

    def _change(self, record):
        if record is None:
            return False
        self._journal.append(record)
        self._book.apply(record)
        return True


# --- the command line


def number(least):
    """A parser of whole numbers for argparse."""

    def parse(text):
        if not re.fullmatch(r"-?[0-9]{1,1000}", text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"not a whole number of at least {least}: {text!r}")
        return int(text)

    return parse


def build_parser():
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="titan.py", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, action in (("add", add), ("take", take), ("done", say), ("fail", say), ("status", status)):
        command = commands.add_parser(name, allow_abbrev=False)
        command.set_defaults(action=action)
        command.add_argument("journal")
        if name == "add":
            command.add_argument("batch")
            command.add_argument("--key")
            continue
        if action is say:
            command.add_argument("job")
            command.add_argument("attempt", type=number(-(10**1000)))
        command.add_argument("--now", type=number(0), required=True)
        if name == "take":
            command.add_argument("--lease", type=number(1), default=60)
        if name == "status":
            command.add_argument("--report")
    return parser


def read_batch(path):
    """The batch in a file."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BatchError(f"{path} is no JSON: {error}") from error


def add(book, options):
    """Answer of the command add."""
    return {"added": book.add(read_batch(options.batch), options.key)}, 0


def take(book, options):
    """Answer of the command take."""
    taken = book.take(options.now, options.lease)
    return ({"job": taken[0], "attempt": taken[1]}, 0) if taken else ({"job": None}, 3)


def say(book, options):
    """Answer of the commands done and fail."""
    return {"counted": getattr(book, options.command)(options.job, options.attempt, options.now)}, 0


def status(book, options):
    """Answer of the command status; None if it went to a file."""
    if options.report is None:
        return book.status(options.now), 0
    return book.report(options.report, options.now), 0


def main(arguments=None):
    """Run one command and give the exit status."""
    options = build_parser().parse_args(arguments)
    try:
        book = Titan(options.journal)
        answer, exit_status = options.action(book, options)
        book.close()
    except TitanError as error:
        print(f"titan: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"titan: {error}", file=sys.stderr)
        return 1
    if answer is not None:
        print(json.dumps(answer))
    return exit_status


if __name__ == "__main__":
    sys.exit(main())
