"""Forge Titan: a job queue that keeps its events in a journal file."""
import argparse
import json
import os
import sys
import zlib


class TitanError(Exception):
    pass


class BatchError(TitanError):
    pass


class CycleError(BatchError):
    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    pass


class StaleError(TitanError):
    pass


class JournalError(TitanError):
    def __init__(self, line):
        super().__init__(f"damaged line {line}")
        self.line = line


class Titan:
    """The job queue."""

    def __init__(self, path):
        self.path = path
        self.jobs = {}
        self.keys = {}
        self.events = []
        if os.path.exists(path):
            self.load()

    # ---- journal

    def load(self):
        """Read the journal."""
        with open(self.path, encoding="utf-8") as f:
            lines = f.readlines()
        for i, line in enumerate(lines):
            event = self.decode(line)
            if event is None:
                if i == len(lines) - 1:
                    break
                raise JournalError(i + 1)
            self.events.append(event)
            self.apply(event)

    def decode(self, line):
        if not line.endswith("\n"):
            return None
        try:
            doc = json.loads(line)
            body = json.dumps(doc["event"], sort_keys=True)
            if zlib.crc32(body.encode("utf-8")) != doc["crc"]:
                return None
            return doc["event"]
        except (ValueError, KeyError, TypeError):
            return None

    def record(self, event):
        self.events.append(event)
        body = json.dumps(event, sort_keys=True)
        crc = zlib.crc32(body.encode("utf-8"))
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps({"crc": crc, "event": event}) + "\n")
        self.apply(event)

    def apply(self, event):
        """Change the state according to an event."""
        kind = event["kind"]
        if kind == "add":
            for job in event["jobs"]:
                self.jobs[job["id"]] = {
                    "id": job["id"], "after": job["after"], "max": job["attempts"], "backoff": job["backoff"],
                    "attempts": 0, "state": "new", "lease": None, "rest": 0, "word": None,
                }
            if event["key"] is not None:
                self.keys[event["key"]] = event["jobs"]
        elif kind == "take":
            job = self.jobs[event["job"]]
            job["state"] = "running"
            job["attempts"] += 1
            job["lease"] = event["now"] + event["lease"]
            job["word"] = None
        elif kind == "done":
            job = self.jobs[event["job"]]
            job["state"] = "done"
            job["word"] = "done"
        elif kind == "fail":
            job = self.jobs[event["job"]]
            job["word"] = "fail"
            self.failed(job, event["now"])

    def failed(self, job, when):
        if job["attempts"] >= job["max"]:
            job["state"] = "failed"
        else:
            job["state"] = "new"
            job["rest"] = when + min(3600, job["backoff"] * 2 ** (job["attempts"] - 1))

    # ---- batches

    def check(self, batch):
        if not isinstance(batch, list) or len(batch) == 0:
            raise BatchError("a batch is a list")
        jobs = []
        for raw in batch:
            if not isinstance(raw, dict):
                raise BatchError("a job is a dict")
            for k in raw:
                if k not in ("id", "after", "attempts", "backoff"):
                    raise BatchError(f"unknown key {k}")
            if not isinstance(raw.get("id"), str) or raw["id"] == "":
                raise BatchError("a job needs an id")
            after = raw.get("after", [])
            if not isinstance(after, list) or any(not isinstance(a, str) for a in after):
                raise BatchError("after is a list of ids")
            attempts = raw.get("attempts", 3)
            backoff = raw.get("backoff", 60)
            for number, least in ((attempts, 1), (backoff, 0)):
                if not isinstance(number, int) or isinstance(number, bool) or number < least:
                    raise BatchError(f"bad number {number}")
            jobs.append({"id": raw["id"], "after": sorted(set(after)), "attempts": attempts, "backoff": backoff})
        return jobs

    def add(self, batch, key=None):
        """Add a batch, returns the number of jobs added."""
        jobs = self.check(batch)
        if key is not None and key in self.keys:
            if self.keys[key] == jobs:
                return 0
            raise ConflictError(f"key {key} is taken")
        graph = {}
        for job in jobs:
            if job["id"] in self.jobs or job["id"] in graph:
                raise BatchError(f"id {job['id']} is taken")
            graph[job["id"]] = job["after"]
        for job in jobs:
            for a in job["after"]:
                if a not in graph and a not in self.jobs:
                    raise BatchError(f"{job['id']} waits for unknown {a}")
        seen = set()

        def visit(name, path):
            if name in path:
                raise CycleError(path[path.index(name):] + [name])
            if name in seen or name not in graph:
                return
            for a in graph[name]:
                visit(a, path + [name])
            seen.add(name)

        for name in graph:
            visit(name, [])
        self.record({"kind": "add", "jobs": jobs, "key": key})
        return len(jobs)

    # ---- work

    def expire(self, now):
        for job in self.jobs.values():
            if job["state"] == "running" and job["lease"] <= now:
                self.failed(job, now)

    def state_of(self, job, now):
        if job["state"] != "new":
            return job["state"]
        states = [self.state_of(self.jobs[a], now) for a in job["after"]]
        if "failed" in states or "blocked" in states:
            return "blocked"
        if any(s != "done" for s in states):
            return "waiting"
        if now < job["rest"]:
            return "resting"
        return "ready"

    def take(self, now, lease=60):
        """Take the first ready job."""
        self.expire(now)
        for job in self.jobs.values():
            if self.state_of(job, now) == "ready":
                self.record({"kind": "take", "job": job["id"], "now": now, "lease": lease})
                return job["id"], job["attempts"]
        return None

    def say(self, word, name, attempt, now):
        self.expire(now)
        job = self.jobs.get(name)
        if job is None or job["attempts"] != attempt:
            raise StaleError(f"{name} {attempt} is not the latest attempt")
        if job["word"] == word:
            return False
        if job["state"] != "running":
            raise StaleError(f"{name} {attempt} is not running")
        self.record({"kind": word, "job": name, "now": now})
        return True

    def done(self, job, attempt, now):
        """Report success."""
        return self.say("done", job, attempt, now)

    def fail(self, job, attempt, now):
        """Report failure."""
        return self.say("fail", job, attempt, now)

    def status(self, now):
        """The status as a dict."""
        self.expire(now)
        counts = {s: 0 for s in ("waiting", "blocked", "ready", "running", "resting", "done", "failed")}
        jobs = []
        for job in self.jobs.values():
            state = self.state_of(job, now)
            counts[state] += 1
            due = None
            if state == "running":
                due = job["lease"]
            elif state == "resting":
                due = job["rest"]
            jobs.append({"id": job["id"], "state": state, "attempts": job["attempts"], "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        """Write the status to a file."""
        with open(path, "w", encoding="utf-8") as f:
            json.dump(self.status(now), f)

    def close(self):
        pass


def number(text):
    if not text.isdigit():
        raise argparse.ArgumentTypeError("not a whole number: " + text)
    return int(text)


def main():
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("add")
    p.add_argument("journal")
    p.add_argument("batch")
    p.add_argument("--key")
    p = sub.add_parser("take")
    p.add_argument("journal")
    p.add_argument("--now", type=number, required=True)
    p.add_argument("--lease", type=number, default=60)
    for name in ("done", "fail"):
        p = sub.add_parser(name)
        p.add_argument("journal")
        p.add_argument("job")
        p.add_argument("attempt", type=number)
        p.add_argument("--now", type=number, required=True)
    p = sub.add_parser("status")
    p.add_argument("journal")
    p.add_argument("--now", type=number, required=True)
    p.add_argument("--report")
    args = parser.parse_args()
    if args.command == "take" and args.lease < 1:
        parser.error("lease must be at least 1")
    try:
        titan = Titan(args.journal)
        if args.command == "add":
            with open(args.batch, encoding="utf-8") as f:
                try:
                    batch = json.load(f)
                except ValueError:
                    raise BatchError("batch is not JSON")
            print(json.dumps({"added": titan.add(batch, args.key)}))
        elif args.command == "take":
            result = titan.take(args.now, args.lease)
            if result is None:
                print(json.dumps({"job": None}))
                return 3
            print(json.dumps({"job": result[0], "attempt": result[1]}))
        elif args.command in ("done", "fail"):
            print(json.dumps({"counted": titan.say(args.command, args.job, args.attempt, args.now)}))
        elif args.report:
            titan.report(args.report, args.now)
        else:
            print(json.dumps(titan.status(args.now)))
    except OSError as e:
        print(e, file=sys.stderr)
        return 1
    except BatchError as e:
        print(e, file=sys.stderr)
        return 4
    except (ConflictError, StaleError) as e:
        print(e, file=sys.stderr)
        return 5
    except JournalError as e:
        print(e, file=sys.stderr)
        return 6
    return 0


if __name__ == "__main__":
    sys.exit(main())
