"""Log summary tool"""
import argparse
import json
import re
import sys

LINE_RE = re.compile(r"^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.-]+) (\S.*)$")
REQUEST_RE = re.compile(r"^([A-Z]+) (/\S*) (\d{3}) (\d+)ms$")


class Spool:
    """Collects the numbers."""

    def __init__(self, top):
        self.top = top
        self.lines = 0
        self.malformed = 0
        self.first = None
        self.last = None
        self.levels = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
        self.components = {}
        self.requests = []

    def feed(self, line):
        """Look at one line and count it."""
        line = line.rstrip("\n")
        if line.strip() == "":
            return
        self.lines += 1
        m = LINE_RE.match(line)
        if m is None:
            self.malformed += 1
            return
        time, level, component, message = m.groups()
        if self.first is None:
            self.first = time
        self.last = time
        self.levels[level] += 1
        if component not in self.components:
            self.components[component] = {"lines": 0, "errors": 0}
        self.components[component]["lines"] += 1
        if level in ("ERROR", "CRITICAL"):
            self.components[component]["errors"] += 1
        r = REQUEST_RE.match(message)
        if r:
            self.requests.append(
                {
                    "ms": int(r.group(4)),
                    "time": time,
                    "component": component,
                    "request": r.group(1) + " " + r.group(2),
                    "status": int(r.group(3)),
                }
            )

    def error_rate(self):
        good = self.lines - self.malformed
        if good == 0:
            return None
        return (self.levels["ERROR"] + self.levels["CRITICAL"]) / good

    def report(self):
        slowest = sorted(self.requests, key=lambda r: -r["ms"])
        return {
            "lines": self.lines,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": self.levels,
            "components": self.components,
            "error_rate": self.error_rate(),
            "requests": len(self.requests),
            "slowest": slowest[: self.top],
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--output")
    args = parser.parse_args()

    spool = Spool(args.top)
    try:
        if args.files:
            for name in args.files:
                with open(name, encoding="utf-8", errors="replace") as f:
                    for line in f:
                        spool.feed(line)
        else:
            for line in sys.stdin:
                spool.feed(line)
    except OSError as e:
        print("cannot read:", e, file=sys.stderr)
        return 1

    text = json.dumps(spool.report(), indent=2)
    if args.output:
        with open(args.output, "w") as f:
            f.write(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
