import csv, json, math, sys


def main():
    inp = None
    conf = None
    out = None
    i = 1
    while i < len(sys.argv):
        if sys.argv[i] == "--input":
            inp = sys.argv[i + 1]
        elif sys.argv[i] == "--config":
            conf = sys.argv[i + 1]
        elif sys.argv[i] == "--output":
            out = sys.argv[i + 1]
        i = i + 2
    try:
        f = open(conf, encoding="utf-8")
        c = json.loads(f.read())
        f.close()
        if type(c) != dict:
            print("config is not an object", file=sys.stderr)
            sys.exit(1)
        if "group_by" not in c:
            print("config has no group_by", file=sys.stderr)
            sys.exit(1)
        if "value_field" not in c:
            print("config has no value_field", file=sys.stderr)
            sys.exit(1)
        if type(c["group_by"]) != list or len(c["group_by"]) == 0:
            print("group_by is not a list with names in it", file=sys.stderr)
            sys.exit(1)
        for g in c["group_by"]:
            if type(g) != str:
                print("group_by has something that is no name: " + str(g), file=sys.stderr)
                sys.exit(1)
        if type(c["value_field"]) != str:
            print("value_field is not a name", file=sys.stderr)
            sys.exit(1)
        f = open(inp, encoding="utf-8", newline="")
        r = csv.reader(f)
        h = None
        vi = None
        gi = []
        d = {}
        n = 0
        for l in r:
            if h is None:
                h = l
                for g in c["group_by"]:
                    if g in h:
                        gi.append(h.index(g))
                    else:
                        print("no column " + g, file=sys.stderr)
                        sys.exit(1)
                if c["value_field"] in h:
                    vi = h.index(c["value_field"])
                else:
                    print("no column " + c["value_field"], file=sys.stderr)
                    sys.exit(1)
            else:
                n = n + 1
                if len(l) < len(h):
                    print("row " + str(n) + " is too short", file=sys.stderr)
                    sys.exit(1)
                x = float(l[vi])
                if math.isnan(x) or math.isinf(x):
                    print("bad number " + l[vi], file=sys.stderr)
                    sys.exit(1)
                k = tuple(l[j] for j in gi)
                if k in d:
                    d[k][0] = d[k][0] + x
                    d[k][1] = d[k][1] + 1
                else:
                    d[k] = [x, 1]
        f.close()
        if n == 0:
            print("the csv has no rows", file=sys.stderr)
            sys.exit(1)
        s = "["
        first = True
        for k in sorted(d):
            o = {}
            for j in range(len(k)):
                o[c["group_by"][j]] = k[j]
            o["sum"] = d[k][0]
            o["count"] = d[k][1]
            o["avg"] = d[k][0] / d[k][1]
            if not first:
                s = s + ",\n"
            first = False
            s = s + json.dumps(o, ensure_ascii=False)
        s = s + "]\n"
        f = open(out, "w", encoding="utf-8")
        f.write(s)
        f.close()
        print("done,", n, "rows,", len(d), "groups")
    except Exception as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
