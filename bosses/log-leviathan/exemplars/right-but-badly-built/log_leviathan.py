import sys, json, datetime, heapq

a = sys.argv[1:]
fs = []
n = 5
o = None
i = 0
while i < len(a):
    if a[i] == "--top":
        i = i + 1
        if not (a[i].isascii() and a[i].isdigit()):
            print("bad --top", a[i], file=sys.stderr)
            sys.exit(2)
        n = int(a[i])
    elif a[i] == "--output":
        i = i + 1
        o = a[i]
    else:
        fs.append(a[i])
    i = i + 1
C = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
D = "0123456789"
t = 0
m = 0
q = 0
f1 = None
f2 = None
L = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
K = {}
H = []
for f in fs or [0]:
    try:
        h = open(f, "rb")
        for l in h:
            if l.endswith(b"\n"):
                l = l[:-1]
            if l.endswith(b"\r"):
                l = l[:-1]
            if l.replace(b" ", b"") == b"":
                continue
            t = t + 1
            try:
                s = l.decode("utf-8")
            except UnicodeDecodeError:
                m = m + 1
                continue
            p = s.split(" ", 3)
            if len(p) != 4 or p[1] not in L or p[2] == "" or p[3] == "" or p[3][0] == " ":
                m = m + 1
                continue
            if p[2].strip(C) != "":
                m = m + 1
                continue
            ok = True
            for c in p[2]:
                if c not in C:
                    ok = False
            z = p[0]
            if len(z) != 24:
                ok = False
            else:
                for j in range(24):
                    if j in (4, 7):
                        if z[j] != "-":
                            ok = False
                    elif j == 10:
                        if z[j] != "T":
                            ok = False
                    elif j in (13, 16):
                        if z[j] != ":":
                            ok = False
                    elif j == 19:
                        if z[j] != ".":
                            ok = False
                    elif j == 23:
                        if z[j] != "Z":
                            ok = False
                    elif z[j] not in D:
                        ok = False
            if ok:
                try:
                    datetime.datetime(int(z[0:4]), int(z[5:7]), int(z[8:10]), int(z[11:13]), int(z[14:16]), int(z[17:19]))
                except ValueError:
                    ok = False
            if not ok:
                m = m + 1
                continue
            if f1 is None or z < f1:
                f1 = z
            if f2 is None or z > f2:
                f2 = z
            L[p[1]] = L[p[1]] + 1
            if p[2] not in K:
                K[p[2]] = {"lines": 0, "errors": 0}
            K[p[2]]["lines"] = K[p[2]]["lines"] + 1
            if p[1] == "ERROR" or p[1] == "CRITICAL":
                K[p[2]]["errors"] = K[p[2]]["errors"] + 1
            w = p[3].split(" ")
            if len(w) == 4 and w[0].isascii() and w[0].isalpha() and w[0].isupper() and w[1].startswith("/"):
                if len(w[2]) == 3 and w[2].isascii() and w[2].isdigit() and w[3].endswith("ms"):
                    if w[3][:-2].isascii() and w[3][:-2].isdigit():
                        q = q + 1
                        x = (int(w[3][:-2]), -q, z, p[2], w[0] + " " + w[1], int(w[2]))
                        heapq.heappush(H, x)
                        if len(H) > n:
                            heapq.heappop(H)
        h.close()
    except OSError as e:
        print("cannot read", f, e, file=sys.stderr)
        sys.exit(1)
H.sort()
H.reverse()
S = []
for x in H:
    S.append({"ms": x[0], "time": x[2], "component": x[3], "request": x[4], "status": x[5]})
R = {"lines": t, "malformed": m, "first": f1, "last": f2, "levels": L, "components": K, "requests": q, "slowest": S}
if t - m == 0:
    R["error_rate"] = None
else:
    R["error_rate"] = (L["ERROR"] + L["CRITICAL"]) / (t - m)
if o is None:
    print(json.dumps(R))
else:
    try:
        h = open(o, "w")
        h.write(json.dumps(R))
        h.close()
    except OSError as e:
        print("cannot write", o, e, file=sys.stderr)
        sys.exit(1)
