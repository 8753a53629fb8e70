import json
import sys


class TitanError(Exception):
    pass


class BatchError(TitanError):
    pass


class CycleError(BatchError):
    def __init__(self, path):
        super().__init__("cycle")
        self.path = path


class ConflictError(TitanError):
    pass


class StaleError(TitanError):
    pass


class JournalError(TitanError):
    def __init__(self, line):
        super().__init__("bad line")
        self.line = line


class Titan:
    def __init__(self, path):
        self.path = path
        self.jobs = {}
        self.keys = {}
        try:
            f = open(path, encoding="utf-8")
            lines = f.readlines()
            f.close()
        except FileNotFoundError:
            lines = []
        n = 0
        for line in lines:
            n += 1
            try:
                r = json.loads(line)
            except ValueError:
                raise JournalError(n)
            if r["do"] == "add":
                for j in r["jobs"]:
                    self.jobs[j["id"]] = {"id": j["id"], "after": j.get("after", []), "attempts": j.get("attempts", 3),
                                          "backoff": j.get("backoff", 60), "n": 0, "state": "new", "due": None}
                if r["key"]:
                    self.keys[r["key"]] = r["jobs"]
            elif r["do"] == "take":
                job = self.jobs[r["job"]]
                job["n"] += 1
                job["state"] = "running"
                job["due"] = r["now"] + r["lease"]
            elif r["do"] == "done":
                self.jobs[r["job"]]["state"] = "done"
                self.jobs[r["job"]]["due"] = None
            elif r["do"] == "fail":
                job = self.jobs[r["job"]]
                if job["n"] >= job["attempts"]:
                    job["state"] = "failed"
                    job["due"] = None
                else:
                    job["state"] = "resting"
                    job["due"] = r["now"] + min(3600, job["backoff"] * 2 ** (job["n"] - 1))

    def write(self, r):
        f = open(self.path, "a", encoding="utf-8")
        f.write(json.dumps(r) + "\n")
        f.close()

    def visit(self, id, after, path):
        if id in path:
            raise CycleError(path[path.index(id):] + [id])
        for a in after.get(id, []):
            self.visit(a, after, path + [id])

    def add(self, batch, key=None):
        if not isinstance(batch, list) or len(batch) == 0:
            raise BatchError("a batch is a list")
        if key and key in self.keys:
            if self.keys[key] == batch:
                return 0
            raise ConflictError("another batch has this key")
        after = {}
        for j in batch:
            if not isinstance(j, dict):
                raise BatchError("a job is a dict")
            for k in j:
                if k not in ("id", "after", "attempts", "backoff"):
                    raise BatchError("unknown key " + str(k))
            if not isinstance(j.get("id"), str) or j["id"] == "":
                raise BatchError("bad id")
            if j["id"] in self.jobs or j["id"] in after:
                raise BatchError("id is taken: " + j["id"])
            if not isinstance(j.get("after", []), list):
                raise BatchError("after is a list")
            if not isinstance(j.get("attempts", 3), int) or j.get("attempts", 3) < 1:
                raise BatchError("bad attempts")
            if not isinstance(j.get("backoff", 60), int) or j.get("backoff", 60) < 0:
                raise BatchError("bad backoff")
            after[j["id"]] = j.get("after", [])
        for id in after:
            for a in after[id]:
                if a not in after and a not in self.jobs:
                    raise BatchError("unknown job in after: " + str(a))
        for id in after:
            self.visit(id, after, [])
        self.write({"do": "add", "jobs": batch, "key": key})
        for j in batch:
            self.jobs[j["id"]] = {"id": j["id"], "after": j.get("after", []), "attempts": j.get("attempts", 3),
                                  "backoff": j.get("backoff", 60), "n": 0, "state": "new", "due": None}
        if key:
            self.keys[key] = batch
        return len(batch)

    def check_leases(self, now):
        for job in self.jobs.values():
            if job["state"] == "running" and job["due"] <= now:
                self.fail(job["id"], job["n"], now)

    def is_ready(self, job, now):
        if job["state"] == "resting":
            return now >= job["due"]
        if job["state"] == "new":
            for a in job["after"]:
                if self.jobs[a]["state"] != "done":
                    return False
            return True
        return False

    def is_blocked(self, job):
        for a in job["after"]:
            if self.jobs[a]["state"] == "failed" or self.is_blocked(self.jobs[a]):
                return True
        return False

    def take(self, now, lease=60):
        self.check_leases(now)
        for job in self.jobs.values():
            if self.is_ready(job, now):
                self.write({"do": "take", "job": job["id"], "now": now, "lease": lease})
                job["n"] += 1
                job["state"] = "running"
                job["due"] = now + lease
                return (job["id"], job["n"])
        return None

    def done(self, job, attempt, now):
        if job not in self.jobs or self.jobs[job]["n"] != attempt:
            raise StaleError("not the current attempt")
        if self.jobs[job]["state"] == "done":
            return False
        if self.jobs[job]["state"] != "running":
            raise StaleError("not running")
        self.write({"do": "done", "job": job, "now": now})
        self.jobs[job]["state"] = "done"
        self.jobs[job]["due"] = None
        return True

    def fail(self, job, attempt, now):
        if job not in self.jobs or self.jobs[job]["n"] != attempt:
            raise StaleError("not the current attempt")
        j = self.jobs[job]
        if j["state"] == "resting" or j["state"] == "failed":
            return False
        if j["state"] != "running":
            raise StaleError("not running")
        self.write({"do": "fail", "job": job, "now": now})
        if j["n"] >= j["attempts"]:
            j["state"] = "failed"
            j["due"] = None
        else:
            j["state"] = "resting"
            j["due"] = now + min(3600, j["backoff"] * 2 ** (j["n"] - 1))
        return True

    def status(self, now):
        self.check_leases(now)
        counts = {"waiting": 0, "blocked": 0, "ready": 0, "running": 0, "resting": 0, "done": 0, "failed": 0}
        jobs = []
        for job in self.jobs.values():
            state = job["state"]
            due = job["due"]
            if self.is_ready(job, now):
                state = "ready"
                due = None
            elif state == "new":
                if self.is_blocked(job):
                    state = "blocked"
                else:
                    state = "waiting"
            counts[state] += 1
            jobs.append({"id": job["id"], "state": state, "attempts": job["n"], "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        f = open(path, "w")
        json.dump(self.status(now), f)
        f.close()

    def close(self):
        pass


def main(args):
    options = {}
    rest = []
    i = 0
    while i < len(args):
        if args[i].startswith("--"):
            if i + 1 == len(args):
                print("value missing for " + args[i], file=sys.stderr)
                return 2
            options[args[i]] = args[i + 1]
            i += 2
        else:
            rest.append(args[i])
            i += 1
    if len(rest) < 2:
        print("usage: titan.py COMMAND JOURNAL ...", file=sys.stderr)
        return 2
    command = rest[0]
    book = Titan(rest[1])
    if command == "add":
        f = open(rest[2], encoding="utf-8")
        batch = json.load(f)
        f.close()
        print(json.dumps({"added": book.add(batch, options.get("--key"))}))
    elif command == "take":
        t = book.take(int(options["--now"]), int(options.get("--lease", 60)))
        if t is None:
            print(json.dumps({"job": None}))
            return 3
        print(json.dumps({"job": t[0], "attempt": t[1]}))
    elif command == "done":
        print(json.dumps({"counted": book.done(rest[2], int(rest[3]), int(options["--now"]))}))
    elif command == "fail":
        print(json.dumps({"counted": book.fail(rest[2], int(rest[3]), int(options["--now"]))}))
    elif command == "status":
        if "--report" in options:
            book.report(options["--report"], int(options["--now"]))
        else:
            print(json.dumps(book.status(int(options["--now"]))))
    else:
        print("unknown command " + command, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except TitanError as e:
        print("error:", e)
        sys.exit(1)
