import json
import os
import sys


class TitanError(Exception):
    pass


class BatchError(TitanError):
    pass


class CycleError(BatchError):
    pass


class ConflictError(TitanError):
    pass


class StaleError(TitanError):
    pass


class JournalError(TitanError):
    line = 1


class Titan:
    def __init__(self, path):
        self.path = path
        self.data = {"jobs": [], "keys": []}
        if os.path.exists(path):
            try:
                self.data = json.load(open(path))
            except ValueError:
                raise JournalError("bad journal, line 1")

    def save(self):
        f = open(self.path, "w")
        json.dump(self.data, f)
        f.write("\n")
        f.close()

    def find(self, id):
        for j in self.data["jobs"]:
            if j["id"] == id:
                return j

    def add(self, batch, key=None):
        if key in self.data["keys"]:
            return 0
        for b in batch:
            if "id" not in b:
                raise BatchError("no id")
            if self.find(b["id"]):
                raise BatchError("id is taken: " + b["id"])
            self.data["jobs"].append({
                "id": b["id"],
                "after": b.get("after", []),
                "max": b.get("attempts", 3),
                "backoff": b.get("backoff", 60),
                "attempts": 0,
                "state": "waiting",
                "due": None,
            })
        for b in batch:
            for a in b.get("after", []):
                if not self.find(a):
                    raise BatchError("unknown job " + a)
        if key:
            self.data["keys"].append(key)
        self.save()
        return len(batch)

    def update(self, now):
        # bring all states up to date
        for j in self.data["jobs"]:
            if j["state"] == "running" and now > j["due"]:
                j["state"] = "resting"
                j["due"] = now + j["backoff"]
            if j["state"] == "resting" and now >= j["due"]:
                j["state"] = "waiting"
                j["due"] = None
            if j["state"] in ("waiting", "ready"):
                before = [self.find(a)["state"] for a in j["after"]]
                if "failed" in before:
                    j["state"] = "blocked"
                elif all(s == "done" for s in before):
                    j["state"] = "ready"

    def take(self, now, lease=60):
        self.update(now)
        for j in self.data["jobs"]:
            if j["state"] == "ready":
                j["state"] = "running"
                j["attempts"] += 1
                j["due"] = now + lease
                self.save()
                return j["id"], j["attempts"]
        return None

    def done(self, job, attempt, now):
        j = self.find(job)
        if j is None or j["attempts"] != attempt:
            raise StaleError(job)
        if j["state"] == "done":
            return False
        j["state"] = "done"
        j["due"] = None
        self.save()
        return True

    def fail(self, job, attempt, now):
        j = self.find(job)
        if j is None or j["attempts"] != attempt:
            raise StaleError(job)
        if j["state"] != "running":
            return False
        if j["attempts"] >= j["max"]:
            j["state"] = "failed"
            j["due"] = None
        else:
            j["state"] = "resting"
            j["due"] = now + j["backoff"] * 2 ** (attempt - 1)
        self.save()
        return True

    def status(self, now):
        self.update(now)
        counts = {}
        for s in ["waiting", "blocked", "ready", "running", "resting", "done", "failed"]:
            counts[s] = len([j for j in self.data["jobs"] if j["state"] == s])
        jobs = [{k: j[k] for k in ("id", "state", "attempts", "due")} for j in self.data["jobs"]]
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        with open(path, "w") as f:
            f.write(json.dumps(self.status(now), indent=2))

    def close(self):
        pass


def option(name, default):
    if name in sys.argv:
        i = sys.argv.index(name)
        value = sys.argv[i + 1]
        del sys.argv[i:i + 2]
        return value
    return default


if __name__ == "__main__":
    key = option("--key", None)
    now = int(option("--now", "0"))
    lease = int(option("--lease", "60"))
    report = option("--report", None)
    command = sys.argv[1]
    t = Titan(sys.argv[2])
    if command == "add":
        print(json.dumps({"added": t.add(json.load(open(sys.argv[3])), key)}))
    elif command == "take":
        r = t.take(now, lease)
        if r:
            print(json.dumps({"job": r[0], "attempt": r[1]}))
        else:
            print(json.dumps({"job": None}))
            sys.exit(3)
    elif command == "done":
        print(json.dumps({"counted": t.done(sys.argv[3], int(sys.argv[4]), now)}))
    elif command == "fail":
        print(json.dumps({"counted": t.fail(sys.argv[3], int(sys.argv[4]), now)}))
    elif command == "status":
        if report:
            t.report(report, now)
        else:
            print(json.dumps(t.status(now)))
    else:
        print("unknown command")
        sys.exit(2)
