"""The order book of the forge, as a fold over events.

An event is a tuple; the journal holds one a line. The state of everything at a time is a function of the events.
"""

import json
import os
import sys
import zlib
from collections import Counter
from functools import reduce
from itertools import chain
from types import SimpleNamespace

STATES = "waiting blocked ready running resting done failed".split()


class TitanError(Exception):
    """The base of all refusals."""


class BatchError(TitanError):
    """A senseless batch."""


class CycleError(BatchError):
    """A circle of jobs."""

    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """A key that is taken by another batch."""


class StaleError(TitanError):
    """A word that comes too late."""


class JournalError(TitanError):
    """A damaged journal."""

    def __init__(self, line):
        super().__init__(f"damaged line: {line}")
        self.line = line


# batches


def natural(value, least):
    """Whether a value is an int of at least something."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def spec(job):
    """(id, after, attempts, backoff) of a job, or a BatchError."""
    match job:
        case {"id": str(name), **rest} if name and rest.keys() <= {"after", "attempts", "backoff"}:
            after, attempts, backoff = rest.get("after", []), rest.get("attempts", 3), rest.get("backoff", 60)
        case _:
            raise BatchError(f"no job: {job!r}")
    if not (isinstance(after, list) and all(isinstance(each, str) for each in after)):
        raise BatchError(f"after of {name}: {after!r}")
    if not (natural(attempts, 1) and natural(backoff, 0)):
        raise BatchError(f"numbers of {name}: {attempts!r}, {backoff!r}")
    return name, tuple(sorted(set(after))), attempts, backoff


def circle(waits):
    """A circle in a dict from id to ids, or None."""
    finished = set()
    for start in waits:
        path, iterators = [start], [iter(waits[start])]
        inside = {start}
        while iterators:
            following = next((each for each in iterators[-1] if each in waits and each not in finished), None)
            if following is None:
                iterators.pop()
                inside.discard(path[-1])
                finished.add(path.pop())
            elif following in inside:
                return [*path[path.index(following) :], following]
            else:
                path.append(following)
                inside.add(following)
                iterators.append(iter(waits[following]))
    return None


def check(specs, known):
    """Raise a BatchError unless specs may be added to what is known."""
    names = [name for name, *_ in specs]
    taken = [name for name, count in Counter(names).items() if count > 1 or name in known]
    nowhere = sorted(set(chain.from_iterable(after for _, after, *_ in specs)) - set(names) - set(known))
    if taken or nowhere:
        raise BatchError(f"taken: {taken}, nowhere: {nowhere}")
    path = circle({name: after for name, after, *_ in specs})
    if path:
        raise CycleError(path)


# time


def rest(backoff, attempt):
    """How long the rest after an attempt is."""
    return min(3600, backoff * 2 ** min(attempt - 1, 20))


def outcome(takes, words, name, now):
    """What became of the latest attempt: (attempt, word or None, when)."""
    attempt, end = takes[name]
    word, since = words.get((name, attempt), (None, end))
    if word is None and now >= end:
        return attempt, "fail", end
    return attempt, word, since


def own_state(state, name, now):
    """(state, due) of a job, were it alone in the world."""
    if name not in state.takes:
        return "ready", None
    _, _, attempts, backoff = state.specs[name]
    match outcome(state.takes, state.words, name, now):
        case (_, None, end):
            return "running", end
        case (_, "done", _):
            return "done", None
        case (attempt, "fail", since) if attempt < attempts:
            end = since + rest(backoff, attempt)
            return ("resting", end) if now < end else ("ready", None)
    return "failed", None


def all_states(state, now):
    """(state, due) of all jobs."""
    own = {name: own_state(state, name, now) for name in state.specs}
    waiting = {
        name
        for name, (_, after, *_) in state.specs.items()
        if name not in state.takes and any(own[each][0] != "done" for each in after)
    }
    blocked, news = set(), {name for name, (kind, _) in own.items() if kind == "failed"}
    followers = {}
    for name in waiting:
        for each in state.specs[name][1]:
            followers.setdefault(each, []).append(name)
    while news:
        news = set(chain.from_iterable(followers.get(each, ()) for each in news)) - blocked
        blocked |= news

    def final(name):
        if name in blocked:
            return "blocked", None
        return ("waiting", None) if name in waiting else own[name]

    return {name: final(name) for name in state.specs}


# events


def empty():
    """The state before any event."""
    return SimpleNamespace(specs={}, keys={}, takes={}, words={})


def step(state, event):
    """The state after an event."""
    match event:
        case ["add", key, specs]:
            rows = [(name, tuple(after), attempts, backoff) for name, after, attempts, backoff in specs]
            state.specs.update((row[0], row) for row in rows)
            if key is not None:
                state.keys[key] = rows
        case ["take", name, attempt, now, lease]:
            state.takes[name] = attempt, now + lease
        case ["done" | "fail" as word, name, attempt, now]:
            state.words[name, attempt] = word, now
    return state


def line(event):
    """The bytes of an event."""
    body = json.dumps(event)
    return f"{json.dumps([zlib.crc32(body.encode()), event])}\n".encode()


def event_of(data):
    """The event of a line, or None."""
    try:
        total, event = json.loads(data)
    except (ValueError, TypeError):
        return None
    return event if line(event) == data else None


def events_of(path, tell):
    """The events in a file; tells where the last sound line ends."""
    if not os.path.exists(path):
        return
    with open(path, "rb") as file:
        end = 0
        for number, data in enumerate(file, start=1):
            event = event_of(data)
            if event is None:
                if next(file, None) is not None:
                    raise JournalError(number)
                return
            end += len(data)
            tell(end)
            yield event


# the book


def Titan(path):
    """The order book over the journal at a path: a namespace of functions."""
    position = SimpleNamespace(end=0)

    def tell(end):
        position.end = end

    events = list(events_of(path, tell))
    state = reduce(step, events, empty())

    def change(*event):
        data = line(event)
        with open(path, "r+b" if os.path.exists(path) else "xb") as file:
            file.truncate(position.end)
            file.seek(position.end)
            file.write(data)
        tell(position.end + len(data))
        events.append(json.loads(json.dumps(event)))
        step(state, events[-1])

    def add(batch, key=None):
        if not (isinstance(batch, list) and batch):
            raise BatchError("a batch is a list of jobs")
        specs = [spec(job) for job in batch]
        if key is not None and key in state.keys:
            if state.keys[key] != specs:
                raise ConflictError(f"another batch has the key {key}")
            return 0
        check(specs, state.specs)
        change("add", key, specs)
        return len(specs)

    def take(now, lease=60):
        ready = (name for name, (kind, _) in all_states(state, now).items() if kind == "ready")
        name = next(ready, None)
        if name is None:
            return None
        attempt = state.takes.get(name, (0, 0))[0] + 1
        change("take", name, attempt, now, lease)
        return name, attempt

    def say(word, name, attempt, now):
        if state.words.get((name, attempt), (None,))[0] == word:
            return False
        if name not in state.takes or outcome(state.takes, state.words, name, now)[:2] != (attempt, None):
            raise StaleError(f"attempt {attempt} of {name} is not under way")
        change(word, name, attempt, now)
        return True

    def status(now):
        states = all_states(state, now)
        counts = Counter(kind for kind, _ in states.values())
        return {
            "now": now,
            "counts": {kind: counts[kind] for kind in STATES},
            "jobs": [
                {"id": name, "state": kind, "attempts": state.takes.get(name, (0, 0))[0], "due": due}
                for name, (kind, due) in states.items()
            ],
        }

    def report(target, now):
        beside = f"{target}.new"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(status(now), file)
        try:
            os.replace(beside, target)
        except OSError:
            os.remove(beside)
            raise

    return SimpleNamespace(
        add=add,
        take=take,
        done=lambda job, attempt, now: say("done", job, attempt, now),
        fail=lambda job, attempt, now: say("fail", job, attempt, now),
        status=status,
        report=report,
        close=lambda: None,
    )


# the command line


class UsageError(Exception):
    """A command line that is wrong."""


EXITS = [(UsageError, 2), (BatchError, 4), (ConflictError, 5), (StaleError, 5), (JournalError, 6), (OSError, 1)]


def number(text, least=None):
    """A whole number, or a UsageError."""
    if not text.lstrip("-").isdecimal() or (least is not None and int(text) < least):
        raise UsageError(f"no number, or too small: {text}")
    return int(text)


def load(path):
    """JSON from a file."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise BatchError(f"{path}: {error}") from error


def split(arguments):
    """Positional arguments and options."""
    words, options = [], {}
    source = iter(arguments)
    for each in source:
        if each.startswith("--"):
            options[each] = next(source, None)
        else:
            words.append(each)
    if None in options.values():
        raise UsageError("an option without a value")
    return words, options


def run(arguments):
    """The answer to a command line, or None."""
    words, options = split(arguments)
    allowed = {"add": {"--key"}, "take": {"--now", "--lease"}, "status": {"--now", "--report"}}
    if not words or not options.keys() <= allowed.get(words[0], {"--now"}):
        raise UsageError(f"no such command or option: {' '.join(arguments)}")
    if words[0] != "add":
        now = number(options.get("--now", "missing"), 0)
    match words:
        case ["add", journal, batch]:
            return {"added": Titan(journal).add(load(batch), options.get("--key"))}
        case ["take", journal]:
            lease = number(options.get("--lease", "60"), 1)
            taken = Titan(journal).take(now, lease)
            return dict(zip(("job", "attempt"), taken)) if taken else {"job": None}
        case ["done" | "fail" as word, journal, job, attempt]:
            attempt = number(attempt)
            return {"counted": getattr(Titan(journal), word)(job, attempt, now)}
        case ["status", journal] if "--report" in options:
            return Titan(journal).report(options["--report"], now)
        case ["status", journal]:
            return Titan(journal).status(now)
    raise UsageError(f"no such command: {' '.join(words)}")


def main(arguments):
    """Run one command and give the exit status."""
    try:
        answer = run(arguments)
    except (UsageError, TitanError, OSError) as error:
        print(error, file=sys.stderr)
        return next(status for kind, status in EXITS if isinstance(error, kind))
    if answer is not None:
        print(json.dumps(answer))
    return 3 if answer == {"job": None} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
