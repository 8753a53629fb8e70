import sys
import json

# options
files = []
top = 5
output = None
args = sys.argv[1:]
while args:
    a = args.pop(0)
    if a == "--top":
        top = int(args.pop(0))
    elif a == "--output":
        output = args.pop(0)
    else:
        files.append(a)

# read everything
text = ""
for f in files:
    text += open(f).read()
if not files:
    text = sys.stdin.read()

levels = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
components = {}
times = []
requests = []
lines = malformed = 0

for line in text.split("\n"):
    if line.strip() == "":
        continue
    lines += 1
    try:
        time, level, component, message = line.split(" ", 3)
        levels[level] += 1
    except:
        malformed += 1
        continue
    times.append(time)
    c = components.setdefault(component, {"lines": 0, "errors": 0})
    c["lines"] += 1
    if level == "ERROR" or level == "CRITICAL":
        c["errors"] += 1
    parts = message.split(" ")
    if len(parts) == 4 and parts[3].endswith("ms"):
        requests.append({
            "ms": int(parts[3][:-2]),
            "time": time,
            "component": component,
            "request": parts[0] + " " + parts[1],
            "status": int(parts[2]),
        })

requests.sort(key=lambda r: r["ms"])
slowest = requests[::-1][:top]
result = {
    "lines": lines,
    "malformed": malformed,
    "first": min(times) if times else None,
    "last": max(times) if times else None,
    "levels": levels,
    "components": components,
    "error_rate": (levels["ERROR"] + levels["CRITICAL"]) / len(times) if times else None,
    "requests": len(requests),
    "slowest": slowest,
}
if output:
    json.dump(result, open(output, "w"))
else:
    print(json.dumps(result))
