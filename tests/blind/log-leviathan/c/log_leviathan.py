import sys
import json
from datetime import datetime

files = []
top = 5
output = None

args = sys.argv[1:]
i = 0
while i < len(args):
    if args[i] == "--top":
        try:
            top = int(args[i + 1])
        except ValueError:
            print("--top must be a number", file=sys.stderr)
            sys.exit(2)
        i = i + 2
    elif args[i] == "--output":
        output = args[i + 1]
        i = i + 2
    else:
        files.append(args[i])
        i = i + 1

if top < 0:
    print("--top must not be negative", file=sys.stderr)
    sys.exit(2)

total = 0
malformed = []
good = 0
first = None
last = None
levels = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
components = {}
requests = []

sources = []
if len(files) == 0:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sources.append(sys.stdin)
for name in files:
    try:
        sources.append(open(name, encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        print("File not found: " + name, file=sys.stderr)
        sys.exit(1)

for source in sources:
    for line in source:
        line = line.rstrip("\n")
        if line.strip() == "":
            continue
        total = total + 1
        parts = line.split(" ", 3)
        if len(parts) < 4:
            malformed.append(line)
            continue
        time = parts[0]
        level = parts[1]
        component = parts[2]
        message = parts[3]
        # check the time
        if len(time) != 24:
            malformed.append(line)
            continue
        try:
            datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
        except ValueError:
            malformed.append(line)
            continue
        # check the level
        if level not in levels:
            malformed.append(line)
            continue
        # check the component
        ok = True
        if component == "":
            ok = False
        for c in component:
            if not (c.isalnum() or c in ".-_"):
                ok = False
        if ok == False:
            malformed.append(line)
            continue
        # check the message
        if message == "" or message[0] == " ":
            malformed.append(line)
            continue

        good = good + 1
        if first == None or time < first:
            first = time
        if last == None or time > last:
            last = time
        levels[level] = levels[level] + 1
        if component not in components:
            components[component] = {"lines": 0, "errors": 0}
        components[component]["lines"] += 1
        if level == "ERROR" or level == "CRITICAL":
            components[component]["errors"] += 1

        # is it a request?
        words = message.split(" ")
        if len(words) == 4:
            method, path, status, duration = words
            if method.isalpha() and method.isupper() and path.startswith("/"):
                if status.isdigit() and len(status) == 3:
                    if duration.endswith("ms") and duration[:-2].isdigit():
                        requests.append(
                            {
                                "ms": int(duration[:-2]),
                                "time": time,
                                "component": component,
                                "request": method + " " + path,
                                "status": int(status),
                            }
                        )

requests.sort(key=lambda r: r["ms"], reverse=True)

error_rate = 0
if good > 0:
    error_rate = (levels["ERROR"] + levels["CRITICAL"]) / good

summary = {
    "lines": total,
    "malformed": len(malformed),
    "first": first,
    "last": last,
    "levels": levels,
    "components": components,
    "error_rate": error_rate,
    "requests": len(requests),
    "slowest": requests[:top],
}

if output:
    with open(output, "w") as f:
        json.dump(summary, f, indent=4)
else:
    print(json.dumps(summary, indent=4))
