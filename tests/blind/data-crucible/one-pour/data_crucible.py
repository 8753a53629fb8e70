# data crucible - sums by region and product
import sys, json

opts = {}
for i in range(1, len(sys.argv), 2):
    opts[sys.argv[i]] = sys.argv[i + 1]

CONFIG = json.load(open(opts["--config"]))

lines = open(opts["--input"]).read().splitlines()
header = lines[0].split(",")
out = open(opts["--output"], "w")

# find the columns
cols = []
for name in CONFIG["group_by"]:
    cols.append(header.index(name))
val = header.index(CONFIG["value_field"])

result = []
for line in lines[1:]:
    parts = line.split(",")
    try:
        v = float(parts[val])
    except ValueError:
        print("skipping bad line", line)
        continue
    found = False
    for r in result:
        same = True
        for c in cols:
            if r[header[c]] != parts[c]:
                same = False
        if same:
            r["sum"] += v
            r["count"] += 1
            found = True
    if not found:
        r = {}
        for c in cols:
            r[header[c]] = parts[c]
        r["sum"] = v
        r["count"] = 1
        result.append(r)

for r in result:
    r["avg"] = round(r["sum"] / r["count"], 2)

result.sort(key=lambda r: [r[header[c]] for c in cols])
out.write(json.dumps(result))
out.close()
print("done,", len(result), "groups")
