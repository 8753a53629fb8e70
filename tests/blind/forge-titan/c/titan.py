"""The order book of the forge."""

import json
import os
import sys


class TitanError(Exception):
    """Any refusal."""

    code = 4


class BatchError(TitanError):
    pass


class CycleError(BatchError):
    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    code = 5


class StaleError(TitanError):
    code = 5


class JournalError(TitanError):
    code = 6

    def __init__(self, line):
        super().__init__("line %d" % line)
        self.line = line


def is_int(value, least):
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


class Titan:
    """Jobs are dicts in self.jobs, in order."""

    def __init__(self, path):
        self.path = path
        self.jobs = {}
        self.keys = {}
        self.size = 0
        self.read()

    def read(self):
        """Read the journal."""
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb") as file:
            lines = file.readlines()
        for i, line in enumerate(lines):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("torn")
                record = json.loads(line)
                self.apply(record)
            except (ValueError, KeyError, TypeError):
                if i == len(lines) - 1:
                    break
                raise JournalError(i + 1)
            self.size += len(line)

    def write(self, record):
        """Write a line and apply it."""
        line = json.dumps(record).encode() + b"\n"
        with open(self.path, "ab") as file:
            file.truncate(self.size)
            file.write(line)
        self.size += len(line)
        self.apply(record)

    def apply(self, record):
        what = record["what"]
        if what == "add":
            for job in record["jobs"]:
                self.jobs[job["id"]] = dict(job, begun=0, end=None, said=None, at=None)
            if record["key"] is not None:
                self.keys[record["key"]] = record["jobs"]
        elif what == "take":
            job = self.jobs[record["job"]]
            job["begun"] += 1
            job["end"] = record["now"] + record["lease"]
            job["said"] = None
        else:
            job = self.jobs[record["job"]]
            job["said"] = what
            job["at"] = record["now"]

    def clean(self, batch):
        """Fill in the defaults of a batch and check it."""
        if not isinstance(batch, list) or not batch:
            raise BatchError("not a list of jobs")
        result = []
        for job in batch:
            if not isinstance(job, dict) or set(job) - {"id", "after", "attempts", "backoff"}:
                raise BatchError("not a job: %r" % (job,))
            job = {"after": [], "attempts": 3, "backoff": 60, **job}
            if not isinstance(job.get("id"), str) or not job["id"]:
                raise BatchError("bad id in %r" % (job,))
            if not isinstance(job["after"], list) or not all(isinstance(a, str) for a in job["after"]):
                raise BatchError("bad after in %s" % job["id"])
            if not is_int(job["attempts"], 1) or not is_int(job["backoff"], 0):
                raise BatchError("bad number in %s" % job["id"])
            job["after"] = sorted(set(job["after"]))
            result.append(job)
        return result

    def add(self, batch, key=None):
        jobs = self.clean(batch)
        if key in self.keys:
            if self.keys[key] == jobs:
                return 0
            raise ConflictError("key %s" % key)
        after = {}
        for job in jobs:
            if job["id"] in self.jobs or job["id"] in after:
                raise BatchError("%s is taken" % job["id"])
            after[job["id"]] = job["after"]
        for id in after:
            for a in after[id]:
                if a not in after and a not in self.jobs:
                    raise BatchError("%s is nowhere" % a)
        # take away jobs that wait for nothing until there are none
        left = dict(after)
        while left:
            free = [id for id in left if not any(a in left for a in left[id])]
            if not free:
                path = [next(iter(left))]
                while path[-1] not in path[:-1]:
                    path.append([a for a in left[path[-1]] if a in left][0])
                raise CycleError(path[path.index(path[-1]):])
            for id in free:
                del left[id]
        self.write({"what": "add", "jobs": jobs, "key": key})
        return len(jobs)

    def state(self, job, now):
        """State and due of a job."""
        if job["begun"] == 0:
            for a in job["after"]:
                if self.state(self.jobs[a], now)[0] == "failed":
                    return "blocked", None
            for a in job["after"]:
                if self.jobs[a]["said"] != "done":
                    return "waiting", None
            return "ready", None
        if job["said"] == "done":
            return "done", None
        if job["said"] is None and now < job["end"]:
            return "running", job["end"]
        if job["begun"] >= job["attempts"]:
            return "failed", None
        if job["said"] is None:
            at = job["end"]
        else:
            at = job["at"]
        rest = at + min(3600, job["backoff"] * 2 ** (job["begun"] - 1))
        if now < rest:
            return "resting", rest
        return "ready", None

    def take(self, now, lease=60):
        for id, job in self.jobs.items():
            if self.state(job, now)[0] == "ready":
                self.write({"what": "take", "job": id, "now": now, "lease": lease})
                return id, job["begun"]
        return None

    def say(self, what, id, attempt, now):
        job = self.jobs.get(id)
        if job is None or attempt < 1 or job["begun"] != attempt:
            raise StaleError("%s %s" % (id, attempt))
        if job["said"] == what:
            return False
        if self.state(job, now)[0] != "running":
            raise StaleError("%s %s" % (id, attempt))
        self.write({"what": what, "job": id, "now": now})
        return True

    def done(self, job, attempt, now):
        return self.say("done", job, attempt, now)

    def fail(self, job, attempt, now):
        return self.say("fail", job, attempt, now)

    def status(self, now):
        counts = {s: 0 for s in ("waiting", "blocked", "ready", "running", "resting", "done", "failed")}
        jobs = []
        for id, job in self.jobs.items():
            state, due = self.state(job, now)
            counts[state] += 1
            jobs.append({"id": id, "state": state, "attempts": job["begun"], "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.status(now), file)

    def close(self):
        pass


class Usage(Exception):
    pass


def number(text, least):
    if text is None:
        raise Usage("a number is missing")
    digits = text[1:] if text.startswith("-") else text
    if not digits.isdigit() or int(text) < least:
        raise Usage("not a number: " + text)
    return int(text)


def command(args):
    """Run a command; what to print, and the exit status."""
    words = []
    options = {}
    args = list(args)
    while args:
        word = args.pop(0)
        if word in ("--now", "--lease", "--key", "--report"):
            if not args:
                raise Usage(word + " needs a value")
            options[word] = args.pop(0)
        elif word.startswith("--"):
            raise Usage("unknown option " + word)
        else:
            words.append(word)
    counts = {"add": 3, "take": 2, "done": 4, "fail": 4, "status": 2}
    if not words or counts.get(words[0]) != len(words):
        raise Usage("add, take, done, fail, or status")
    if words[0] == "add":
        with open(words[2], encoding="utf-8") as file:
            try:
                batch = json.load(file)
            except ValueError as error:
                raise BatchError("%s: %s" % (words[2], error))
        return {"added": Titan(words[1]).add(batch, options.get("--key"))}, 0
    now = number(options.get("--now"), 0)
    if words[0] == "take":
        lease = number(options.get("--lease", "60"), 1)
        taken = Titan(words[1]).take(now, lease)
        if taken is None:
            return {"job": None}, 3
        return {"job": taken[0], "attempt": taken[1]}, 0
    if words[0] in ("done", "fail"):
        attempt = number(words[3], -(10**9))
        return {"counted": Titan(words[1]).say(words[0], words[2], attempt, now)}, 0
    if "--report" in options:
        Titan(words[1]).report(options["--report"], now)
        return None, 0
    return Titan(words[1]).status(now), 0


def main(args):
    try:
        answer, code = command(args)
    except Usage as error:
        print(error, file=sys.stderr)
        return 2
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.code
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    if answer is not None:
        print(json.dumps(answer))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
