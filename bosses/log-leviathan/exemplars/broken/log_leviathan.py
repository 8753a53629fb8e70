"""Log Leviathan, half way through a rewrite to generators."""

import argparse
import json
import re

LINE = re.compile(r"(\S+) (\S+) (\S+) (.+)")


def parse(line):
    match = LINE.match(line)
    if match:
        return match.groups()
    return None


def entries(paths):
    for path in paths:
        with open(path) as file:
            for line in file:
                yield parse(line)


def summarise(paths, top):
    levels = {}
    total = 0
    for time, level, component, message in entries(paths):
        levels[level] = levels.get(level, 0) + 1
        total = totl + 1
    return {"lines": total, "levels": levels}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--top", default=5)
    parser.add_argument("--output")
    args = parser.parse_args()
    print(json.dumps(summarise(args.files, args.top)))


if __name__ == "__main__":
    main()
