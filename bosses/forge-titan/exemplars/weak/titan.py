import json
import sys


class TitanError(Exception):
    pass


class BatchError(TitanError):
    pass


class StaleError(TitanError):
    pass


class Titan:
    def __init__(self, path):
        self.path = path
        self.jobs = []
        try:
            f = open(path)
        except FileNotFoundError:
            return
        for line in f.read().split("\n"):
            if line:
                self.apply(json.loads(line))
        f.close()

    def log(self, record):
        with open(self.path, "a") as f:
            f.write(json.dumps(record) + "\n")
        self.apply(record)

    def find(self, id):
        for job in self.jobs:
            if job["id"] == id:
                return job
        return None

    def apply(self, record):
        if record["type"] == "add":
            for job in record["batch"]:
                self.jobs.append({"id": job["id"], "after": job.get("after", []), "max": job.get("attempts", 3),
                                  "backoff": job.get("backoff", 60), "attempts": 0, "status": "new", "due": 0})
        else:
            job = self.find(record["id"])
            if record["type"] == "take":
                job["attempts"] += 1
                job["status"] = "running"
                job["due"] = record["due"]
            elif record["type"] == "done":
                job["status"] = "done"
            else:
                job["status"] = "failed" if job["attempts"] >= job["max"] else "new"
                job["due"] = record["now"] + job["backoff"] * job["attempts"]

    def add(self, batch, key=None):
        if type(batch) is not list or not batch:
            raise BatchError("batch")
        ids = [job["id"] for job in self.jobs]
        for job in batch:
            if type(job) is not dict or type(job.get("id")) is not str or not job["id"]:
                raise BatchError("id")
            if set(job) - {"id", "after", "attempts", "backoff"}:
                raise BatchError("keys")
            if job["id"] in ids:
                raise BatchError("duplicate")
            if type(job.get("after", [])) is not list:
                raise BatchError("after")
            if type(job.get("attempts", 3)) is not int or job.get("attempts", 3) < 1:
                raise BatchError("attempts")
            if type(job.get("backoff", 60)) is not int or job.get("backoff", 60) < 0:
                raise BatchError("backoff")
            ids.append(job["id"])
        for job in batch:
            for other in job.get("after", []):
                if other not in ids:
                    raise BatchError("unknown job " + str(other))
        self.log({"type": "add", "batch": batch})
        return len(batch)

    def state(self, job, now):
        if job["status"] in ("done", "failed", "running"):
            return job["status"]
        states = [self.state(self.find(id), now) for id in job["after"]]
        for s in states:
            if s == "failed" or s == "blocked":
                return "blocked"
        for s in states:
            if s != "done":
                return "waiting"
        if job["due"] > now:
            return "resting"
        return "ready"

    def take(self, now, lease=60):
        for job in self.jobs:
            if self.state(job, now) == "ready":
                self.log({"type": "take", "id": job["id"], "due": now + lease})
                return job["id"], job["attempts"]

    def done(self, id, attempt, now):
        job = self.find(id)
        if job is None or job["attempts"] != attempt:
            raise StaleError("stale")
        if job["status"] == "done":
            return False
        self.log({"type": "done", "id": id})
        return True

    def fail(self, id, attempt, now):
        job = self.find(id)
        if job is None or job["attempts"] != attempt:
            raise StaleError("stale")
        self.log({"type": "fail", "id": id, "now": now})
        return True

    def status(self, now):
        result = {"now": now, "counts": {}, "jobs": []}
        for s in ["waiting", "blocked", "ready", "running", "resting", "done", "failed"]:
            result["counts"][s] = 0
        for job in self.jobs:
            s = self.state(job, now)
            result["counts"][s] += 1
            due = None
            if s == "running" or s == "resting":
                due = job["due"]
            result["jobs"].append({"id": job["id"], "state": s, "attempts": job["attempts"], "due": due})
        return result

    def report(self, path, now):
        open(path, "w").write(json.dumps(self.status(now)))

    def close(self):
        pass


def option(args, name, default):
    if name in args:
        i = args.index(name)
        value = args[i + 1]
        del args[i:i + 2]
        return value
    return default


if __name__ == "__main__":
    args = sys.argv[1:]
    now = int(option(args, "--now", 0))
    lease = int(option(args, "--lease", 60))
    key = option(args, "--key", None)
    report = option(args, "--report", None)
    t = Titan(args[1])
    if args[0] == "add":
        print(json.dumps({"added": t.add(json.load(open(args[2])), key)}))
    elif args[0] == "take":
        r = t.take(now, lease)
        if r is None:
            print('{"job": null}')
            sys.exit(3)
        print(json.dumps({"job": r[0], "attempt": r[1]}))
    elif args[0] == "done":
        print(json.dumps({"counted": t.done(args[2], int(args[3]), now)}))
    elif args[0] == "fail":
        print(json.dumps({"counted": t.fail(args[2], int(args[3]), now)}))
    elif args[0] == "status":
        if report:
            t.report(report, now)
        else:
            print(json.dumps(t.status(now)))
