import argparse
import json
import os
import sys


class TitanError(Exception):
    code = 1


class BatchError(TitanError):
    code = 4


class CycleError(BatchError):
    def __init__(self, path):
        super().__init__("cycle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    code = 5


class StaleError(TitanError):
    code = 5


class JournalError(TitanError):
    code = 6

    def __init__(self, line):
        super().__init__("journal is damaged in line %d" % line)
        self.line = line


class Titan:
    def __init__(self, path):
        self.path = path
        self.jobs = {}
        self.keys = {}
        self.good = 0
        if os.path.exists(path):
            with open(path, "rb") as f:
                bad = None
                for n, line in enumerate(f, 1):
                    if bad:
                        raise JournalError(bad)
                    try:
                        if not line.endswith(b"\n"):
                            raise ValueError
                        self.replay(json.loads(line))
                        self.good += len(line)
                    except Exception:
                        bad = n

    def replay(self, rec):
        op = rec["op"]
        if op == "add":
            for job in rec["jobs"]:
                self.jobs[job["id"]] = dict(job, n=0, st="new", due=0)
            if rec["key"]:
                self.keys[rec["key"]] = rec["jobs"]
        elif op == "take":
            job = self.jobs[rec["id"]]
            job["n"] += 1
            job["st"] = "run"
            job["due"] = rec["due"]
        elif op == "done":
            self.jobs[rec["id"]]["st"] = "done"
        elif op == "fail":
            job = self.jobs[rec["id"]]
            job["st"] = "fail"
            job["due"] = rec["due"]

    def write(self, rec):
        with open(self.path, "ab") as f:
            f.truncate(self.good)
            data = json.dumps(rec).encode() + b"\n"
            f.write(data)
        self.good += len(data)
        self.replay(rec)

    def expire(self, now):
        for job in self.jobs.values():
            if job["st"] == "run" and job["due"] <= now:
                job["st"] = "lost"
                job["due"] = job["due"] + min(3600, job["backoff"] * 2 ** (job["n"] - 1))

    def add(self, batch, key=None):
        if not isinstance(batch, list) or len(batch) == 0:
            raise BatchError("batch must be a non-empty list")
        jobs = []
        names = set(self.jobs)
        for item in batch:
            if not isinstance(item, dict):
                raise BatchError("job must be an object")
            for k in item:
                if k not in ("id", "after", "attempts", "backoff"):
                    raise BatchError("unknown key %s" % k)
            job = {
                "id": item.get("id"),
                "after": item.get("after", []),
                "attempts": item.get("attempts", 3),
                "backoff": item.get("backoff", 60),
            }
            if not isinstance(job["id"], str) or job["id"] == "":
                raise BatchError("bad id")
            if not isinstance(job["after"], list):
                raise BatchError("after must be a list")
            for other in job["after"]:
                if not isinstance(other, str):
                    raise BatchError("after must hold ids")
            job["after"] = sorted(set(job["after"]))
            if type(job["attempts"]) is not int or job["attempts"] < 1:
                raise BatchError("bad attempts")
            if type(job["backoff"]) is not int or job["backoff"] < 0:
                raise BatchError("bad backoff")
            jobs.append(job)
        if key and key in self.keys:
            if self.keys[key] == jobs:
                return 0
            raise ConflictError("key %s is taken" % key)
        for job in jobs:
            if job["id"] in names:
                raise BatchError("id %s is taken" % job["id"])
            names.add(job["id"])
        for job in jobs:
            for other in job["after"]:
                if other not in names:
                    raise BatchError("%s is unknown" % other)
        graph = {job["id"]: job["after"] for job in jobs}
        for job in jobs:
            self.visit(graph, job["id"], [])
        self.write({"op": "add", "jobs": jobs, "key": key})
        return len(jobs)

    def visit(self, graph, name, path):
        if name in path:
            raise CycleError(path[path.index(name):] + [name])
        for other in graph.get(name, []):
            self.visit(graph, other, path + [name])

    def state(self, job, now):
        if job["st"] == "done":
            return "done"
        if job["st"] == "run":
            return "running"
        if job["st"] in ("fail", "lost") and job["n"] >= job["attempts"]:
            return "failed"
        states = [self.state(self.jobs[other], now) for other in job["after"]]
        if "failed" in states or "blocked" in states:
            return "blocked"
        if any(s != "done" for s in states):
            return "waiting"
        if job["due"] > now:
            return "resting"
        return "ready"

    def take(self, now, lease=60):
        self.expire(now)
        ready = [job for job in self.jobs.values() if self.state(job, now) == "ready"]
        if not ready:
            return None
        # jobs that were never tried go first
        job = min(ready, key=lambda job: job["n"])
        self.write({"op": "take", "id": job["id"], "due": now + lease})
        return job["id"], job["n"]

    def done(self, name, attempt, now):
        self.expire(now)
        job = self.jobs.get(name)
        if job is None or job["n"] != attempt or job["st"] not in ("run", "done"):
            raise StaleError("not under way")
        if job["st"] == "done":
            return False
        self.write({"op": "done", "id": name})
        return True

    def fail(self, name, attempt, now):
        self.expire(now)
        job = self.jobs.get(name)
        if job is None or job["n"] != attempt or job["st"] not in ("run", "fail"):
            raise StaleError("not under way")
        if job["st"] == "fail":
            return False
        pause = min(3600, job["backoff"] * 2 ** (attempt - 1))
        self.write({"op": "fail", "id": name, "due": now + pause})
        return True

    def status(self, now):
        self.expire(now)
        counts = {}
        for s in ("waiting", "blocked", "ready", "running", "resting", "done", "failed"):
            counts[s] = 0
        jobs = []
        for name, job in self.jobs.items():
            s = self.state(job, now)
            counts[s] += 1
            due = job["due"] if s in ("running", "resting") else None
            jobs.append({"id": name, "state": s, "attempts": job["n"], "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        with open(path, "w") as f:
            json.dump(self.status(now), f)

    def close(self):
        pass


def natural(text):
    n = int(text)
    if n < 0:
        raise ValueError
    return n


def positive(text):
    n = int(text)
    if n < 1:
        raise ValueError
    return n


def main():
    p = argparse.ArgumentParser()
    sub = p.add_subparsers(dest="cmd", required=True)
    a = sub.add_parser("add")
    a.add_argument("journal")
    a.add_argument("batch")
    a.add_argument("--key")
    for cmd in ("take", "done", "fail", "status"):
        q = sub.add_parser(cmd)
        q.add_argument("journal")
        if cmd in ("done", "fail"):
            q.add_argument("job")
            q.add_argument("attempt", type=natural)
        if cmd == "take":
            q.add_argument("--lease", type=positive, default=60)
        if cmd == "status":
            q.add_argument("--report")
        q.add_argument("--now", type=natural, required=True)
    args = p.parse_args()
    try:
        t = Titan(args.journal)
        if args.cmd == "add":
            with open(args.batch, "rb") as f:
                raw = f.read()
            try:
                batch = json.loads(raw.decode("utf-8"))
            except ValueError:
                raise BatchError("batch is not JSON")
            print(json.dumps({"added": t.add(batch, args.key)}))
        elif args.cmd == "take":
            got = t.take(args.now, args.lease)
            if got is None:
                print(json.dumps({"job": None}))
                return 3
            print(json.dumps({"job": got[0], "attempt": got[1]}))
        elif args.cmd == "status":
            if args.report:
                t.report(args.report, args.now)
            else:
                print(json.dumps(t.status(args.now)))
        else:
            print(json.dumps({"counted": getattr(t, args.cmd)(args.job, args.attempt, args.now)}))
    except TitanError as e:
        print(e, file=sys.stderr)
        return e.code
    except OSError as e:
        print(e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
