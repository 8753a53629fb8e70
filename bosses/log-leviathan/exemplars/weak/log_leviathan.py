# reads a log and prints a summary
import json
import sys


def get_option(args, name, default):
    if name in args:
        return args[args.index(name) + 1]
    return default


def get_files(args):
    files = []
    skip = False
    for a in args:
        if skip:
            skip = False
        elif a.startswith("--"):
            skip = True
        else:
            files.append(a)
    return files


def count_lines(lines, top):
    levels = {"DEBUG": 0, "INFO": 0, "WARNING": 0, "ERROR": 0, "CRITICAL": 0}
    components = {}
    requests = []
    times = []
    for line in lines:
        time, level, component, message = line.split(" ", 3)
        times.append(time)
        levels[level] += 1
        components.setdefault(component, {"lines": 0, "errors": 0})
        components[component]["lines"] += 1
        if level == "ERROR" or level == "CRITICAL":
            components[component]["errors"] += 1
        if message.endswith("ms"):
            words = message.split(" ")
            requests.append(
                {
                    "ms": int(words[-1][:-2]),
                    "time": time,
                    "component": component,
                    "request": words[0] + " " + words[1],
                    "status": int(words[2]),
                }
            )
    requests.sort(key=lambda r: (r["ms"], r["time"]))
    requests.reverse()
    return {
        "lines": len(lines),
        "malformed": 0,
        "first": min(times),
        "last": max(times),
        "levels": levels,
        "components": components,
        "error_rate": (levels["ERROR"] + levels["CRITICAL"]) / len(lines),
        "requests": len(requests),
        "slowest": requests[:top],
    }


def main():
    args = sys.argv[1:]
    text = ""
    for name in get_files(args):
        text += open(name).read()
    if not get_files(args):
        text = sys.stdin.read()
    summary = count_lines(text.splitlines(), int(get_option(args, "--top", 5)))
    output = get_option(args, "--output", None)
    if output:
        json.dump(summary, open(output, "w"))
    else:
        print(json.dumps(summary))


if __name__ == "__main__":
    main()
