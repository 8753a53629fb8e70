"""``python -m benchmarks [NAME ...] [--rounds N]``."""

import argparse
import os
import platform

from benchmarks import (
    cage,
    classes,
    cluster,
    clusters,
    fights,
    history,
    impostors,
    items,
    library_modules,
    load,
    mutants,
    rescoring,
    screen,
    startup,
    streamed,
)

BENCHMARKS = {
    "startup": startup.main,
    "fights": fights.main,
    "impostors": impostors.main,
    "cage": cage.main,
    "library_modules": library_modules.main,
    "load": load.main,
    "mutants": mutants.main,
    "classes": classes.main,
    "cluster": cluster.main,
    "clusters": clusters.main,
    "history": history.main,
    "items": items.main,
    "screen": screen.main,
    "rescoring": rescoring.main,
    "streamed": streamed.main,
}


def main() -> None:
    """Run what is named, or all."""
    parser = argparse.ArgumentParser(prog="benchmarks")
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []])
    parser.add_argument("--rounds", type=int, default=20)
    chosen = parser.parse_args()
    print(f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    print(f"load before: {os.getloadavg()[0]:.2f}")
    for name in chosen.names or BENCHMARKS:
        BENCHMARKS[name](chosen.rounds)


if __name__ == "__main__":
    main()
