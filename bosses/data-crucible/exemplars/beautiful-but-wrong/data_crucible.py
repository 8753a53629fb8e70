"""Pour the rows of a CSV file into groups and cast their totals as JSON."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from casting import write_castings
from melting import melt
from ore import CrucibleError, Recipe, read_ingots

log = logging.getLogger("data_crucible")


def build_parser() -> argparse.ArgumentParser:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="data_crucible", description=__doc__)
    parser.add_argument("--input", dest="source", type=Path, required=True, help="CSV file with a header")
    parser.add_argument("--config", dest="recipe", type=Path, required=True, help="JSON file with the recipe")
    parser.add_argument("--output", dest="mould", type=Path, required=True, help="JSON file to write")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run once and return the exit status."""
    logging.basicConfig(format="%(name)s: %(message)s", stream=sys.stderr)
    options = build_parser().parse_args(arguments)
    try:
        recipe = Recipe.from_file(options.recipe)
        castings = melt(read_ingots(options.source, recipe))
        write_castings(options.mould, recipe, castings)
    except CrucibleError as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
