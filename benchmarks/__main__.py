"""``python -m benchmarks [NAME ...] [--rounds N] [--smallest] [--write]``."""

import argparse
import importlib
import os
import platform
import tempfile

from benchmarks.measure import Options

BENCHMARKS = (
    *("startup", "bosses", "fights", "impostors", "library_modules", "load", "mutants", "classes", "cluster"),
    *("clusters", "history", "items", "runs", "screen", "rescoring", "streamed"),
)
"""Modules of this folder whose ``main`` measures something and prints it."""


def main() -> None:
    """Run what is named, or all."""
    parser = argparse.ArgumentParser(prog="benchmarks")
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []])
    parser.add_argument("--rounds", type=int, default=Options.rounds)
    parser.add_argument("--smallest", action="store_true", help="one small round, to see whether a benchmark works")
    parser.add_argument("--write", action="store_true", help="write the table of bosses into the page on performance")
    chosen = parser.parse_args()
    options = Options(chosen.rounds, is_written=chosen.write)
    if chosen.smallest:
        options = Options(rounds=1, warm_ups=0, is_smallest=True)
    print(f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    print(f"load before: {os.getloadavg()[0]:.2f}")
    # Nothing was measured there before, and nobody's own files change.
    with tempfile.TemporaryDirectory() as home:
        os.environ["EVALFORGE_HOME"] = home
        for name in chosen.names or BENCHMARKS:
            importlib.import_module(f"benchmarks.{name}").main(options)


if __name__ == "__main__":
    main()
