"""Which functions mix input and output with decisions: fair to every style of small program."""

import pytest

LOADER = """
import json
def load(path):
    with open(path) as handle:
        data = json.load(handle)
    if not isinstance(data, dict):
        raise ValueError("not an object")
    if "readings" not in data:
        raise ValueError("no readings")
    if len(data["readings"]) < 1:
        raise ValueError("empty")
    for reading in data["readings"]:
        if isinstance(reading, bool) or not isinstance(reading, int | float):
            raise ValueError("not a number")
    return data["readings"]
"""
THIN_MAIN = """
import argparse, sys
CODES = {"HEAT": 10, "COOL": 11}
def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--tolerance", type=float, default=1.0)
    args = parser.parse_args(sys.argv[1:] if argv is None else argv)
    if args.tolerance < 0:
        parser.error("tolerance can't be negative")
    try:
        readings = load(args.input)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    decision = decide(readings, args.target, args.tolerance)
    print(decision)
    if decision == "HEAT":
        return 10
    elif decision == "COOL":
        return 11
    return 0
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(LOADER, id="loader that checks"),
        pytest.param(THIN_MAIN, id="thin main"),
        pytest.param(
            """
            def f(a, b):
                if a < b: return 'x'
                if a > b * 2: return 'y'
                return a / b
            """,
            id="pure",
        ),
        pytest.param(
            """
            import json
            def save(path, rows):
                with open(path, 'w') as h:
                    json.dump(rows, h)
            """,
            id="saver",
        ),
        pytest.param(
            """
            def show(rows):
                for i, row in enumerate(rows):
                    print(f'{i + 1}: {row.n / row.m:.2f}')
            """,
            id="report",
        ),
        pytest.param(
            """
            def show(done, total):
                print('-' * 40)
                print('done: ' + str(done))
            """,
            id="text arithmetic",
        ),
        pytest.param(
            """
            def f(base, name):
                a = base / 'x' / name
                return (a / 'y.txt').read_text() + (base / f'{name}.z').read_text()
            """,
            id="paths",
        ),
        pytest.param(
            """
            def f(src, dst, names):
                for n in names:
                    (dst / n).write_bytes((src / n).read_bytes())
            """,
            id="copying",
        ),
        pytest.param(
            """
            def main():
                failures = 0
                for path in paths():
                    failures += 1
                print('x')
                return 1 if failures > 0 else 0
            """,
            id="counts failures",
        ),
        pytest.param(
            """
            def run(cmd, store):
                if cmd == 'get':
                    print(store.get())
                elif cmd == 'put':
                    store.put(input())
                else:
                    print('?')
            """,
            id="dispatch",
        ),
        pytest.param(
            """
            import csv
            def rows(path):
                out = []
                with open(path) as h:
                    for row in csv.DictReader(h):
                        out.append(row)
                return out
            """,
            id="collects rows",
        ),
        pytest.param(
            """
            import logging
            log = logging.getLogger()
            def f(a, lo, hi):
                if a < lo:
                    log.info('low')
                    return 1
                if a > hi:
                    return 2
                return sum([a]) / 2
            """,
            id="logging is no IO",
        ),
        pytest.param(
            """
            class S:
                def read(self): return 1
                def f(self, a, b):
                    x = self.read()
                    return x if a < b * 2 else a + b
            """,
            id="own read method",
        ),
    ],
)
def test_edges_of_a_program_and_pure_logic_are_not_mixed(facts, source):
    assert facts(source)["code.io_mixed"].findings == ()


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            """
            import json, sys
            def main():
                r = json.load(open(sys.argv[1]))['readings']
                avg = sum(r) / len(r)
                if avg < 19:
                    print('HEAT')
                    sys.exit(10)
                elif avg > 21:
                    sys.exit(11)
            """,
            id="everything in main",
        ),
        pytest.param(
            """
            def f(a, lo, hi):
                if a < lo: print('HEAT')
                elif a > hi: print('COOL')
                else: print('OK')
            """,
            id="decides and prints",
        ),
        pytest.param(
            "import sys\ndef f(a, t, d):\n    if a < t - d: sys.exit(10)\n    if a > t + d: sys.exit(11)",
            id="decides and exits",
        ),
        pytest.param(
            """
            import csv
            def f(path):
                total = 0
                n = 0
                with open(path) as h:
                    for row in csv.DictReader(h):
                        total += float(row['x'])
                        n += 1
                return total / n
            """,
            id="sums while reading",
        ),
        pytest.param(
            """
            import csv
            from collections import defaultdict
            def f(path):
                g = defaultdict(list)
                with open(path) as h:
                    for row in csv.DictReader(h):
                        g[row['k']].append(float(row['v']))
                return [{'k': k, 'sum': sum(v), 'avg': sum(v) / len(v)} for k, v in g.items()]
            """,
            id="groups while reading",
        ),
        pytest.param(
            """
            class C:
                def f(self, p):
                    v = float(p.read_text())
                    return v * 1.8 + 32 if v > self.limit else v
            """,
            id="method",
        ),
        pytest.param(
            """
            async def f(h, lo):
                x = await run(h)
                y = x * 2
                return y if y < lo else lo - y
            """,
            id="async",
        ),
        pytest.param(
            """
            def f(h):
                while (n := int(input())) > 5:
                    h.write(str(n * 2))
            """,
            id="walrus and loop",
        ),
    ],
)
def test_deciding_or_computing_beside_io_is_mixed(facts, source):
    fact = facts(source)["code.io_mixed"]
    assert fact.value == 1
    assert fact.findings[0].message.startswith("`")


def test_a_program_without_functions_mixes_in_its_module_body(facts):
    fact = facts(
        "import sys\na = float(sys.argv[1])\nif a < 19 - 1:\n    print('HEAT')\nelif a > 20:\n    print('COOL')\n"
    )["code.io_mixed"]
    assert fact.value == 1
    assert fact.findings[0].message.startswith("`app.py` ")
    assert "outside any function" in fact.findings[0].message


def test_only_the_function_to_blame_is_named(facts):
    source = """
    def outer(path):
        def inner(a, b):
            return a if a < b * 2 else b
        return inner(open(path), 1)
    """
    assert facts(source)["code.io_mixed"].value == 0


def test_annotated_division_of_paths_is_no_arithmetic(facts):
    source = """
    from pathlib import Path
    def f(a: Path, b: Path, n, m):
        (a / n).unlink()
        (b / m).unlink()
        (a / m).mkdir()
        (b / n).mkdir()
        return a / n / m
    """
    assert facts(source)["code.io_mixed"].value == 0
