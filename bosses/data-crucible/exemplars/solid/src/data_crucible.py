"""Command line of the crucible: CSV and config in, JSON out."""

import argparse
import sys

from crucible.config import load_config
from crucible.errors import InputError
from crucible.melt import melt
from crucible.output import save
from crucible.table import load_table


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args(argv)
    try:
        config = load_config(args.config)
        rows = load_table(args.input, config)
        save(args.output, melt(rows, config))
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
