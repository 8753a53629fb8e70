import json
import os
import sys
import zlib


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
    pass


class Titan:
    def __init__(self, path):
        self.path = path
        self.jobs = {}
        self.keys = {}
        self.good = 0
        if os.path.exists(path):
            f = open(path, "rb")
            lines = f.read().split(b"\n")
            f.close()
            # the last one is what comes after the last newline
            lines = lines[:-1]
            for i in range(len(lines)):
                ok = False
                try:
                    crc, text = lines[i].split(b" ", 1)
                    if int(crc) == zlib.crc32(text):
                        ok = True
                except ValueError:
                    ok = False
                if not ok:
                    if i == len(lines) - 1:
                        break
                    e = JournalError("journal is damaged in line " + str(i + 1))
                    e.line = i + 1
                    raise e
                data = json.loads(text)
                if data["what"] == "add":
                    for j in data["jobs"]:
                        self.jobs[j["id"]] = j
                    if data["key"] is not None:
                        self.keys[data["key"]] = data["same"]
                elif data["what"] == "take":
                    j = self.jobs[data["job"]]
                    self.expire(j, data["now"])
                    j["state"] = "running"
                    j["count"] += 1
                    j["due"] = data["now"] + data["lease"]
                    j["said"] = None
                elif data["what"] == "done":
                    self.jobs[data["job"]]["state"] = "done"
                    self.jobs[data["job"]]["due"] = None
                    self.jobs[data["job"]]["said"] = "done"
                elif data["what"] == "fail":
                    self.failed(self.jobs[data["job"]], data["now"])
                self.good += len(lines[i]) + 1

    def write(self, data):
        text = json.dumps(data).encode()
        line = str(zlib.crc32(text)).encode() + b" " + text + b"\n"
        f = open(self.path, "ab")
        f.truncate(self.good)
        f.write(line)
        f.close()
        self.good += len(line)

    def failed(self, j, t):
        j["said"] = "fail"
        if j["count"] >= j["attempts"]:
            j["state"] = "failed"
            j["due"] = None
        else:
            j["state"] = "resting"
            j["due"] = t + min(3600, j["backoff"] * 2 ** (j["count"] - 1))

    def expire(self, j, now):
        if j["state"] == "running" and now >= j["due"]:
            self.failed(j, j["due"])
        if j["state"] == "resting" and now >= j["due"]:
            j["state"] = "new"
            j["due"] = None

    def is_blocked(self, j):
        for a in j["after"]:
            if self.jobs[a]["state"] == "failed" or self.is_blocked(self.jobs[a]):
                return True
        return False

    def get_state(self, j):
        if j["state"] != "new":
            return j["state"]
        if self.is_blocked(j):
            return "blocked"
        for a in j["after"]:
            if self.jobs[a]["state"] != "done":
                return "waiting"
        return "ready"

    def add(self, batch, key=None):
        if type(batch) != list or len(batch) == 0:
            raise BatchError("batch has to be a list with jobs")
        new = {}
        for b in batch:
            if type(b) != dict:
                raise BatchError("job has to be a dict")
            for k in b:
                if k not in ["id", "after", "attempts", "backoff"]:
                    raise BatchError("wrong key " + str(k))
            if "id" not in b or type(b["id"]) != str or b["id"] == "":
                raise BatchError("wrong id")
            after = b.get("after", [])
            if type(after) != list:
                raise BatchError("after has to be a list")
            for a in after:
                if type(a) != str:
                    raise BatchError("after has to be a list of ids")
            attempts = b.get("attempts", 3)
            if type(attempts) != int or attempts < 1:
                raise BatchError("wrong attempts")
            backoff = b.get("backoff", 60)
            if type(backoff) != int or backoff < 0:
                raise BatchError("wrong backoff")
            if b["id"] in new:
                raise BatchError("id twice " + b["id"])
            new[b["id"]] = {
                "id": b["id"],
                "after": sorted(set(after)),
                "attempts": attempts,
                "backoff": backoff,
                "state": "new",
                "count": 0,
                "due": None,
                "said": None,
            }
        same = [[n["id"], n["after"], n["attempts"], n["backoff"]] for n in new.values()]
        if key is not None and key in self.keys:
            if self.keys[key] == same:
                return 0
            raise ConflictError("key is taken: " + key)
        for n in new.values():
            if n["id"] in self.jobs:
                raise BatchError("id is taken: " + n["id"])
            for a in n["after"]:
                if a not in new and a not in self.jobs:
                    raise BatchError("nobody knows " + a)

        def visit(name, path):
            if name in path:
                e = CycleError(" -> ".join(path[path.index(name):] + [name]))
                e.path = path[path.index(name):] + [name]
                raise e
            if name in new:
                for a in new[name]["after"]:
                    visit(a, path + [name])

        for n in new:
            visit(n, [])
        self.write({"what": "add", "jobs": list(new.values()), "key": key, "same": same})
        self.jobs.update(new)
        if key is not None:
            self.keys[key] = same
        return len(new)

    def take(self, now, lease=60):
        for j in self.jobs.values():
            self.expire(j, now)
        for j in self.jobs.values():
            if self.get_state(j) == "ready":
                self.write({"what": "take", "job": j["id"], "now": now, "lease": lease})
                j["state"] = "running"
                j["count"] += 1
                j["due"] = now + lease
                j["said"] = None
                return (j["id"], j["count"])
        return None

    def done(self, job, attempt, now):
        if job not in self.jobs:
            raise StaleError("no such job " + job)
        j = self.jobs[job]
        self.expire(j, now)
        if j["count"] == attempt and j["said"] == "done":
            return False
        if j["count"] != attempt or j["state"] != "running":
            raise StaleError("attempt is not running")
        self.write({"what": "done", "job": job, "now": now})
        j["state"] = "done"
        j["due"] = None
        j["said"] = "done"
        return True

    def fail(self, job, attempt, now):
        if job not in self.jobs:
            raise StaleError("no such job " + job)
        j = self.jobs[job]
        self.expire(j, now)
        if j["count"] == attempt and j["said"] == "fail":
            return False
        if j["count"] != attempt or j["state"] != "running":
            raise StaleError("attempt is not running")
        self.write({"what": "fail", "job": job, "now": now})
        self.failed(j, now)
        return True

    def status(self, now):
        counts = {"waiting": 0, "blocked": 0, "ready": 0, "running": 0, "resting": 0, "done": 0, "failed": 0}
        jobs = []
        for j in self.jobs.values():
            self.expire(j, now)
        for j in self.jobs.values():
            s = self.get_state(j)
            counts[s] += 1
            jobs.append({"id": j["id"], "state": s, "attempts": j["count"], "due": j["due"]})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        f = open(path + ".tmp", "w")
        f.write(json.dumps(self.status(now)))
        f.close()
        os.replace(path + ".tmp", path)

    def close(self):
        pass


def main(args):
    try:
        options = {}
        rest = []
        i = 0
        while i < len(args):
            if args[i] in ["--now", "--lease", "--key", "--report"]:
                options[args[i]] = args[i + 1]
                i += 2
            else:
                rest.append(args[i])
                i += 1
        command = rest[0]
        journal = rest[1]
        if command not in ["add", "take", "done", "fail", "status"]:
            print("unknown command", command, file=sys.stderr)
            return 2
        now = 0
        if command != "add":
            now = int(options["--now"])
        lease = int(options.get("--lease", "60"))
        if now < 0 or lease < 1:
            print("wrong number", file=sys.stderr)
            return 2
        if command == "done" or command == "fail":
            job = rest[2]
            attempt = int(rest[3])
        if command == "add":
            rest[2]
    except (ValueError, IndexError, KeyError) as e:
        print("wrong command line", e, file=sys.stderr)
        return 2
    try:
        t = Titan(journal)
        if command == "add":
            try:
                with open(rest[2], encoding="utf-8") as f:
                    batch = json.load(f)
            except ValueError:
                print("batch is no json", file=sys.stderr)
                return 4
            print(json.dumps({"added": t.add(batch, options.get("--key"))}))
        elif command == "take":
            r = t.take(now, lease)
            if r is None:
                print(json.dumps({"job": None}))
                return 3
            print(json.dumps({"job": r[0], "attempt": r[1]}))
        elif command == "done":
            print(json.dumps({"counted": t.done(job, attempt, now)}))
        elif command == "fail":
            print(json.dumps({"counted": t.fail(job, attempt, now)}))
        elif command == "status":
            if "--report" in options:
                t.report(options["--report"], now)
            else:
                print(json.dumps(t.status(now)))
        return 0
    except BatchError as e:
        print(e, file=sys.stderr)
        return 4
    except (ConflictError, StaleError) as e:
        print(e, file=sys.stderr)
        return 5
    except JournalError as e:
        print(e, file=sys.stderr)
        return 6
    except OSError as e:
        print(e, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
