import argparse
import json
import re
import sys
from datetime import datetime

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
REQUEST = re.compile(r"^([A-Z]+ /[^ ]*) ([0-9]{3}) ([0-9]+)ms$")


class Leviathan:
    def __init__(self):
        self.lines = 0
        self.malformed = 0
        self.first = None
        self.last = None
        self.levels = dict.fromkeys(LEVELS, 0)
        self.components = {}
        self.requests = []

    def is_time(self, text):
        try:
            datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
            return True
        except ValueError:
            return False

    def swim(self, path):
        """Read one log."""
        if path is None:
            stream = sys.stdin
        else:
            stream = open(path, encoding="utf-8", errors="ignore")
        for line in stream:
            line = line.rstrip("\r\n")
            if line.strip() == "":
                continue
            self.lines += 1
            parts = line.split(" ", 3)
            if len(parts) < 4 or parts[1] not in LEVELS or not self.is_time(parts[0]):
                self.malformed += 1
                continue
            time, level, component, message = parts
            if self.first is None:
                self.first = time
            self.last = time
            self.levels[level] += 1
            if component not in self.components:
                self.components[component] = {"lines": 0, "errors": 0}
            self.components[component]["lines"] += 1
            if level in ("ERROR", "CRITICAL"):
                self.components[component]["errors"] += 1
            match = REQUEST.match(message)
            if match:
                self.requests.append(
                    {
                        "ms": int(match.group(3)),
                        "time": time,
                        "component": component,
                        "request": match.group(1),
                        "status": int(match.group(2)),
                    }
                )

    def error_rate(self):
        errors = self.levels["ERROR"] + self.levels["CRITICAL"]
        return errors / (self.lines - self.malformed)

    def slowest(self, top):
        return sorted(self.requests, key=lambda r: r["ms"], reverse=True)[:top]

    def report(self, top):
        return {
            "lines": self.lines,
            "malformed": self.malformed,
            "first": self.first,
            "last": self.last,
            "levels": self.levels,
            "components": self.components,
            "error_rate": self.error_rate(),
            "requests": len(self.requests),
            "slowest": self.slowest(top),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--output")
    args = parser.parse_intermixed_args()
    leviathan = Leviathan()
    try:
        for path in args.files or [None]:
            leviathan.swim(path)
        text = json.dumps(leviathan.report(args.top), indent=2)
        if args.output:
            with open(args.output, "w") as f:
                f.write(text)
        else:
            print(text)
    except OSError as e:
        print("error:", e, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
