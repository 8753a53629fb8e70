"""The order book of the forge, in one file.

From top to bottom: what is refused, what a batch may be, what a job is at a time, lines, the book, the command line.
Jobs are plain dicts that only `apply` changes. What depends on the time is computed from them, and never stored.
"""

import getopt
import json
import os
import sys
import zlib

RUN, DONE, FAIL, LOST = "run", "done", "fail", "lost"
STATES = ("waiting", "blocked", "ready", "running", "resting", "done", "failed")


# --- what is refused


class TitanError(Exception):
    """The base of all refusals."""


class BatchError(TitanError):
    """A batch that makes no sense."""


class CycleError(BatchError):
    """Jobs that wait for one another, with the path round."""

    def __init__(self, path):
        super().__init__("a circle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """A key of another batch."""


class StaleError(TitanError):
    """A word about an attempt that is not under way."""


class JournalError(TitanError):
    """A line that is not sound, with something after it."""

    def __init__(self, line):
        super().__init__(f"the journal is damaged in line {line}")
        self.line = line


# --- what a batch may be


def is_whole(value, least=0):
    """Return whether a value is a whole number, and not below a least one."""
    return type(value) is int and value >= least


def is_positive(value):
    """Return whether a value is a whole number above 0."""
    return is_whole(value, 1)


def is_id(value):
    """Return whether a value can be an id."""
    return isinstance(value, str) and len(value) > 0


def are_ids(value):
    """Return whether a value is a list of ids."""
    return isinstance(value, list) and all(is_id(one) for one in value)


FIELDS = {"id": (None, is_id), "after": ([], are_ids), "attempts": (3, is_positive), "backoff": (60, is_whole)}


def order(job):
    """Return a job of a batch as a tuple of id, set of ids, attempts and backoff, or raise a BatchError."""
    if not isinstance(job, dict) or not job.keys() <= FIELDS.keys():
        raise BatchError(f"a job has an id, after, attempts and backoff, nothing else: {job}")
    values = []
    for name, (default, fits) in FIELDS.items():
        value = job.get(name, default)
        if not fits(value):
            raise BatchError(f"{name} can't be {value!r}")
        values.append(frozenset(value) if name == "after" else value)
    return tuple(values)


def orders(batch):
    """Return all jobs of a batch as tuples, or raise a BatchError."""
    if isinstance(batch, list) and batch:
        return [order(job) for job in batch]
    raise BatchError("a batch is a list of jobs, at least one")


def check_names(added, known):
    """Raise a BatchError for an id that is taken, or one that is waited for and nowhere."""
    fresh = {one[0] for one in added}
    if len(fresh) < len(added) or not fresh.isdisjoint(known):
        raise BatchError("an id is taken")
    for name, after, *_ in added:
        for other in after:
            if other not in fresh and other not in known:
                raise BatchError(f"{name} waits for {other}, which is nowhere")


def sorted_out(added):
    """Return the ids so that each comes behind those of them it waits for, or raise a CycleError."""
    fresh = {one[0] for one in added}
    open_ends = {name: set(after) & fresh for name, after, *_ in added}
    followers = followers_in(open_ends)
    free = [name for name, others in open_ends.items() if not others]
    for name in free:  # grows while it is read
        for follower in followers[name]:
            open_ends[follower].discard(name)
            if not open_ends[follower]:
                free.append(follower)
    if len(free) < len(added):
        raise CycleError(way_round({name: others for name, others in open_ends.items() if others}))
    return free


def followers_in(graph):
    """Return which nodes wait for each node."""
    followers = {name: [] for name in graph}
    for name, others in graph.items():
        for other in others:
            followers[other].append(name)
    return followers


def way_round(open_ends):
    """Return a circle in a graph of which every node has a way on."""
    places, node = {}, min(open_ends)
    while node not in places:
        places[node] = len(places)
        node = min(open_ends[node])
    return [*list(places)[places[node] :], node]


# --- what a job is at a time


def pause(attempt, backoff):
    """Return how long a job rests after an attempt."""
    return min(3600, backoff << min(attempt - 1, 12))


def latest(job, now):
    """Return how the latest attempt stands, and when it ended or will end."""
    if job["how"] == RUN and job["end"] <= now:
        return LOST, job["end"]
    return job["how"], job["end"]


def alone(job, now):
    """Return state and due time of a job, as if it waited for none."""
    how, end = latest(job, now)
    if how == DONE:
        return "done", None
    if how == RUN:
        return "running", end
    if how in (FAIL, LOST):
        if job["begun"] >= job["attempts"]:
            return "failed", None
        rested = end + pause(job["begun"], job["backoff"])
        if rested > now:
            return "resting", rested
    return "ready", None


def among(state, others):
    """Return a state, unless others stand in its way."""
    if state[0] not in ("ready", "resting"):
        return state
    if "failed" in others or "blocked" in others:
        return "blocked", None
    return state if others <= {"done"} else ("waiting", None)


# --- lines


def line_of(record):
    """Return a record as a line: JSON, a tab, the checksum, LF."""
    text = json.dumps(record).encode()
    return text + b"\t%d\n" % zlib.crc32(text)


def record_of(line):
    """Return the record in a line, or None if it is not sound."""
    text, tab, _ = line.rpartition(b"\t")
    if not tab or line != text + b"\t%d\n" % zlib.crc32(text):
        return None
    return json.loads(text) if text else None


def records(file):
    """Yield each sound line's record and length; a last line that is not sound is left out."""
    number, line = 1, file.readline()
    while line:
        following = file.readline()
        record = record_of(line)
        if record is not None:
            yield record, len(line)
        elif following:
            raise JournalError(number)
        number, line = number + 1, following


# --- the book


class Titan:
    """All jobs, in the order they were added, and the journal they come from."""

    def __init__(self, path):
        """Open the journal at a path."""
        self.path = path
        self.file = None
        self.size = 0
        self.jobs = {}
        self.sequence = []
        self.batches = {}
        try:
            with open(path, "rb") as file:
                for record, length in records(file):
                    self.size += length
                    self.apply(*record)
        except FileNotFoundError:
            pass  # the first change makes it

    def add(self, batch, key=None):
        """Add a batch, and return how many jobs that were; 0 if it is a repeat."""
        added = orders(batch)
        if key in self.batches:
            if self.batches[key] == added:
                return 0
            raise ConflictError(f"{key} is the key of another batch")
        check_names(added, self.jobs)
        sorted_out(added)
        self.change("add", key, [[name, sorted(after), *rest] for name, after, *rest in added])
        return len(added)

    def take(self, now, lease=60):
        """Begin an attempt, and return (job, attempt); None if nothing is ready."""
        states = self.states(now)
        for name, job in self.jobs.items():
            if states[name][0] == "ready":
                self.change("take", name, now + lease)
                return name, job["begun"]
        return None

    def done(self, job, attempt, now):
        """Say that an attempt succeeded, and return whether that counts."""
        return self.say(DONE, job, attempt, now)

    def fail(self, job, attempt, now):
        """Say that an attempt failed, and return whether that counts."""
        return self.say(FAIL, job, attempt, now)

    def say(self, what, name, attempt, now):
        """Say something of an attempt, and return whether it counts."""
        job = self.jobs.get(name)
        how = latest(job, now)[0] if job and attempt == job["begun"] else None
        if how not in (RUN, what):
            raise StaleError(f"attempt {attempt} of {name} is not under way")
        if how == RUN:
            self.change(what, name, now)
        return how == RUN

    def status(self, now):
        """Return what is known of all jobs."""
        states = self.states(now)
        counts = {state: 0 for state in STATES}
        listed = []
        for name, job in self.jobs.items():
            state, due = states[name]
            counts[state] += 1
            listed.append({"id": name, "state": state, "attempts": job["begun"], "due": due})
        return {"now": now, "counts": counts, "jobs": listed}

    def report(self, path, now):
        """Write the status to a file in one step."""
        fresh = os.path.join(os.path.dirname(path), f"~{os.path.basename(path)}~{os.getpid()}")
        text = json.dumps(self.status(now))
        try:
            with open(fresh, "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(fresh, path)
        except OSError:
            if os.path.exists(fresh):
                os.remove(fresh)
            raise

    def close(self):
        """End the work."""
        if self.file:
            self.file.close()

    def states(self, now):
        """Return state and due time of every job, those first that others wait for."""
        found = {}
        for name in self.sequence:
            job = self.jobs[name]
            found[name] = among(alone(job, now), {found[other][0] for other in job["after"]})
        return found

    def change(self, *record):
        """Write a record and apply it."""
        if self.file is None:
            if os.path.exists(self.path):
                os.truncate(self.path, self.size)
            self.file = open(self.path, "ab")
        line = line_of(record)
        self.file.write(line)
        self.file.flush()
        self.size += len(line)
        self.apply(*record)

    def apply(self, what, subject, detail):
        """Change what is known, after opening as in work."""
        if what == "add":
            added = [(name, frozenset(after), *rest) for name, after, *rest in detail]
            for name, after, attempts, backoff in added:
                limits = {"after": after, "attempts": attempts, "backoff": backoff}
                self.jobs[name] = {**limits, "begun": 0, "how": None, "end": 0}
            self.sequence += sorted_out(added)
            if subject is not None:
                self.batches[subject] = added
        elif what == "take":
            job = self.jobs[subject]
            job.update(begun=job["begun"] + 1, how=RUN, end=detail)
        else:
            self.jobs[subject].update(how=what, end=detail)


# --- the command line

ENDINGS = ((BatchError, 4), (ConflictError, 5), (StaleError, 5), (JournalError, 6), (OSError, 1))


class UsageError(Exception):
    """A command line that is wrong."""


def number(text, least=0):
    """Return a whole number, or raise a UsageError."""
    if text is None or not (text.isascii() and text.isdigit()) or int(text) < least:
        raise UsageError(f"a whole number from {least} up is needed, not {text}")
    return int(text)


def batch_in(path):
    """Return the JSON in a file, or raise a BatchError."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BatchError(f"{path} is no JSON: {error}") from error


def add_command(journal, batch, key=None):
    """Return what add prints, and the exit status."""
    return {"added": Titan(journal).add(batch_in(batch), key)}, 0


def take_command(journal, now=None, lease="60"):
    """Return what take prints, and the exit status."""
    now, lease = number(now), number(lease, 1)
    taken = Titan(journal).take(now, lease)
    return ({"job": taken[0], "attempt": taken[1]}, 0) if taken else ({"job": None}, 3)


def done_command(journal, job, attempt, now=None):
    """Return what done prints, and the exit status."""
    attempt, now = number(attempt), number(now)
    return {"counted": Titan(journal).done(job, attempt, now)}, 0


def fail_command(journal, job, attempt, now=None):
    """Return what fail prints, and the exit status."""
    attempt, now = number(attempt), number(now)
    return {"counted": Titan(journal).fail(job, attempt, now)}, 0


def status_command(journal, now=None, report=None):
    """Return what status prints, if anything, and the exit status."""
    now = number(now)
    book = Titan(journal)
    if report is None:
        return book.status(now), 0
    return book.report(report, now), 0


COMMANDS = {
    "add": (add_command, 2, ["key="]),
    "take": (take_command, 1, ["now=", "lease="]),
    "done": (done_command, 3, ["now="]),
    "fail": (fail_command, 3, ["now="]),
    "status": (status_command, 1, ["now=", "report="]),
}


def run(words):
    """Run a command, and return its answer and exit status."""
    if not words or words[0] not in COMMANDS:
        raise UsageError(f"a command is one of {', '.join(COMMANDS)}")
    command, count, names = COMMANDS[words[0]]
    options, values = getopt.gnu_getopt(words[1:], "", names)
    if len(values) != count:
        raise UsageError(f"{words[0]} takes {count} arguments")
    return command(*values, **{name[2:]: value for name, value in options})


def main(words):
    """Run a command, print its answer or a refusal, and return the exit status."""
    try:
        answer, ending = run(words)
    except (UsageError, getopt.GetoptError) as error:
        print(error, file=sys.stderr)
        return 2
    except (TitanError, OSError) as error:
        print(error, file=sys.stderr)
        return next(status for kind, status in ENDINGS if isinstance(error, kind))
    if answer is not None:
        print(json.dumps(answer))
    return ending


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
