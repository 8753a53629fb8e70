import json, os, sys, zlib


class TitanError(Exception): pass
class BatchError(TitanError): pass
class CycleError(BatchError): pass
class ConflictError(TitanError): pass
class StaleError(TitanError): pass
class JournalError(TitanError): pass


class Titan:
    def __init__(self, path):
        self.p = path
        self.j = {}
        self.k = {}
        self.e = 0
        self.f = None
        self.op("open")

    def op(self, o, a=None, b=None, c=None):
        if o == "open":
            if os.path.exists(self.p):
                bad = 0
                n = 0
                with open(self.p, "rb") as f:
                    for l in f:
                        n += 1
                        if bad:
                            x = JournalError("journal is damaged in line " + str(bad))
                            x.line = bad
                            raise x
                        if len(l) < 12 or l[-1:] != b"\n" or l[8:9] != b" " or l[:8] != b"%08x" % zlib.crc32(l[9:-1]):
                            bad = n
                        else:
                            self.e += len(l)
                            self.op("apply", json.loads(l[9:-1]))
        elif o == "apply":
            if a[0] == "a":
                for x in a[1]:
                    self.j[x[0]] = {"i": x[0], "w": x[1], "m": x[2], "b": x[3], "n": 0, "s": "", "d": 0}
                if a[2] is not None:
                    self.k[a[2]] = a[1]
            elif a[0] == "t":
                self.op("settle", self.j[a[1]], a[2])
                self.j[a[1]]["n"] += 1
                self.j[a[1]]["s"] = "r"
                self.j[a[1]]["d"] = a[2] + a[3]
            elif a[0] == "d":
                self.j[a[1]]["s"] = "d"
            elif a[0] == "f":
                x = self.j[a[1]]
                x["s"] = "f"
                x["d"] = a[2] + min(3600, x["b"] * 2 ** min(x["n"] - 1, 30))
        elif o == "settle":
            if a["s"] == "r" and a["d"] <= b:
                a["s"] = "l"
                a["d"] = a["d"] + min(3600, a["b"] * 2 ** min(a["n"] - 1, 30))
        elif o == "write":
            if self.f is None:
                if os.path.exists(self.p):
                    self.f = open(self.p, "r+b")
                else:
                    self.f = open(self.p, "w+b")
                self.f.truncate(self.e)
                self.f.seek(self.e)
            l = json.dumps(a).encode()
            l = b"%08x " % zlib.crc32(l) + l + b"\n"
            self.f.write(l)
            self.f.flush()
            self.e += len(l)
            self.op("apply", a)
        elif o == "add":
            if type(a) is not list or len(a) == 0:
                raise BatchError("bad batch")
            r = []
            for x in a:
                if type(x) is not dict:
                    raise BatchError("bad job")
                for y in x:
                    if y not in ("id", "after", "attempts", "backoff"):
                        raise BatchError("bad key")
                i = x.get("id")
                w = x.get("after", [])
                m = x.get("attempts", 3)
                t = x.get("backoff", 60)
                if type(i) is not str or i == "" or type(w) is not list or type(m) is not int or type(t) is not int or m < 1 or t < 0:
                    raise BatchError("bad job")
                for y in w:
                    if type(y) is not str:
                        raise BatchError("bad job")
                r.append([i, sorted(set(w)), m, t])
            if b is not None:
                if b in self.k:
                    if self.k[b] == r:
                        return 0
                    else:
                        raise ConflictError("conflict")
            g = {}
            for x in r:
                if x[0] in self.j or x[0] in g:
                    raise BatchError("duplicate " + x[0])
                g[x[0]] = x[1]
            for x in r:
                for y in x[1]:
                    if y not in g and y not in self.j:
                        raise BatchError("unknown " + y)
            fin = set()
            for s in g:
                if s not in fin:
                    st = [s]
                    it = [0]
                    on = {s}
                    while st:
                        w = g[st[-1]]
                        if it[-1] >= len(w):
                            fin.add(st[-1])
                            on.remove(st[-1])
                            st.pop()
                            it.pop()
                        else:
                            y = w[it[-1]]
                            it[-1] += 1
                            if y in on:
                                x = CycleError(" -> ".join(st[st.index(y):] + [y]))
                                x.path = st[st.index(y):] + [y]
                                raise x
                            elif y in g and y not in fin:
                                st.append(y)
                                it.append(0)
                                on.add(y)
            self.op("write", ["a", r, b])
            return len(r)
        elif o == "take":
            for x in self.j.values():
                self.op("settle", x, a)
            for x in self.j.values():
                if x["s"] == "d" or x["s"] == "r" or x["n"] >= x["m"] or x["d"] > a:
                    continue
                ok = True
                for y in x["w"]:
                    if self.j[y]["s"] != "d":
                        ok = False
                if ok:
                    self.op("write", ["t", x["i"], a, b])
                    return (x["i"], x["n"])
            return None
        elif o == "d" or o == "f":
            if a not in self.j:
                raise StaleError("stale")
            x = self.j[a]
            self.op("settle", x, c)
            if x["n"] != b or b == 0:
                raise StaleError("stale")
            if x["s"] == o:
                return False
            if x["s"] != "r":
                raise StaleError("stale")
            self.op("write", [o, a, c])
            return True
        elif o == "status":
            fo = {}
            fr = []
            for x in self.j.values():
                self.op("settle", x, a)
                for y in x["w"]:
                    if y not in fo:
                        fo[y] = []
                    fo[y].append(x["i"])
                if x["s"] in ("f", "l") and x["n"] >= x["m"]:
                    fr.append(x["i"])
            bl = set()
            while fr:
                for y in fo.get(fr.pop(), []):
                    if y not in bl:
                        bl.add(y)
                        fr.append(y)
            r = {"now": a, "counts": {"waiting": 0, "blocked": 0, "ready": 0, "running": 0, "resting": 0, "done": 0, "failed": 0}, "jobs": []}
            for x in self.j.values():
                d = None
                if x["s"] == "d":
                    s = "done"
                elif x["s"] == "r":
                    s = "running"
                    d = x["d"]
                elif x["s"] != "" and x["n"] >= x["m"]:
                    s = "failed"
                elif x["i"] in bl:
                    s = "blocked"
                elif len([y for y in x["w"] if self.j[y]["s"] != "d"]) > 0:
                    s = "waiting"
                elif x["d"] > a:
                    s = "resting"
                    d = x["d"]
                else:
                    s = "ready"
                r["counts"][s] += 1
                r["jobs"].append({"id": x["i"], "state": s, "attempts": x["n"], "due": d})
            return r
        elif o == "report":
            try:
                f = open(a + "~", "w")
                f.write(json.dumps(self.op("status", b)))
                f.close()
                os.replace(a + "~", a)
            except OSError:
                if os.path.exists(a + "~"):
                    os.remove(a + "~")
                raise

    def add(self, batch, key=None): return self.op("add", batch, key)
    def take(self, now, lease=60): return self.op("take", now, lease)
    def done(self, job, attempt, now): return self.op("d", job, attempt, now)
    def fail(self, job, attempt, now): return self.op("f", job, attempt, now)
    def status(self, now): return self.op("status", now)
    def report(self, path, now): return self.op("report", path, now)
    def close(self):
        if self.f:
            self.f.close()


def go(v):
    o = {}
    p = []
    i = 0
    while i < len(v):
        if v[i][:2] == "--":
            if i + 1 >= len(v):
                return 2, "missing value"
            o[v[i]] = v[i + 1]
            i += 2
        else:
            p.append(v[i])
            i += 1
    if len(p) < 2 or p[0] not in ("add", "take", "done", "fail", "status"):
        return 2, "usage"
    if p[0] != "add":
        if not o.get("--now", "").isdigit():
            return 2, "bad --now"
        n = int(o["--now"])
    s = o.get("--lease", "60")
    if not s.isdigit() or int(s) < 1:
        return 2, "bad --lease"
    if p[0] in ("done", "fail") and (len(p) < 4 or not p[3].isdigit()):
        return 2, "bad attempt"
    try:
        t = Titan(p[1])
        if p[0] == "add":
            x = open(p[2], "rb").read()
            try:
                x = json.loads(x.decode("utf-8"))
            except ValueError:
                return 4, "no json"
            print(json.dumps({"added": t.add(x, o.get("--key"))}))
        elif p[0] == "take":
            x = t.take(n, int(s))
            if x is None:
                print(json.dumps({"job": None}))
                return 3, ""
            print(json.dumps({"job": x[0], "attempt": x[1]}))
        elif p[0] == "done":
            print(json.dumps({"counted": t.done(p[2], int(p[3]), n)}))
        elif p[0] == "fail":
            print(json.dumps({"counted": t.fail(p[2], int(p[3]), n)}))
        elif "--report" in o:
            t.report(o["--report"], n)
        else:
            print(json.dumps(t.status(n)))
    except BatchError as e:
        return 4, str(e)
    except (ConflictError, StaleError) as e:
        return 5, str(e)
    except JournalError as e:
        return 6, str(e)
    except OSError as e:
        return 1, str(e)
    return 0, ""


if __name__ == "__main__":
    r = go(sys.argv[1:])
    if r[1]:
        sys.stderr.write(r[1] + "\n")
    sys.exit(r[0])
