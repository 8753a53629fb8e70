"""Summarise logs."""

import argparse
import datetime
import json
import re
import sys

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

line_re = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ) ([A-Z]+) ([a-zA-Z0-9._-]+) (\S.*)$", re.DOTALL)
request_re = re.compile(r"^([A-Z]+ /[^ ]*) (\d\d\d) (\d+)ms$")


def parse(line):
    m = line_re.match(line)
    if not m or m.group(2) not in LEVELS:
        return None
    try:
        datetime.datetime.strptime(m.group(1), "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return None
    return m.groups()


def summarise(lines, top):
    total = 0
    malformed = 0
    times = []
    levels = {}
    for level in LEVELS:
        levels[level] = 0
    components = {}
    requests = []
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line.strip(" ") == "":
            continue
        total += 1
        parsed = parse(line)
        if parsed is None:
            malformed += 1
            continue
        time, level, component, message = parsed
        times.append(time)
        levels[level] += 1
        if component not in components:
            components[component] = {"lines": 0, "errors": 0}
        components[component]["lines"] += 1
        if level in ("ERROR", "CRITICAL"):
            components[component]["errors"] += 1
        m = request_re.match(message)
        if m:
            requests.append((int(m.group(3)), time, component, m.group(1), int(m.group(2))))

    slowest = []
    requests.sort(key=lambda r: r[0])
    for ms, time, component, request, status in reversed(requests[-top:]):
        slowest.append({"ms": ms, "time": time, "component": component, "request": request, "status": status})

    return {
        "lines": total,
        "malformed": malformed,
        "first": min(times, default=None),
        "last": max(times, default=None),
        "levels": levels,
        "components": components,
        "error_rate": (levels["ERROR"] + levels["CRITICAL"]) / len(times) if times else None,
        "requests": len(requests),
        "slowest": slowest,
    }


def all_lines(files):
    for name in files:
        with open(name, "rb") as f:
            for line in f:
                yield line


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--top", metavar="N", type=int, default=5)
    parser.add_argument("--output", metavar="PATH")
    options = parser.parse_intermixed_args(arguments)
    if options.top < 0:
        parser.error("--top must be 0 or more")
    try:
        summary = summarise(all_lines(options.files) if options.files else sys.stdin.buffer, options.top)
    except OSError as e:
        print(e, file=sys.stderr)
        return 1
    if options.output:
        with open(options.output, "w") as f:
            json.dump(summary, f)
    else:
        print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
