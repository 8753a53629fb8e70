"""Entry point: wires the parts together."""

import argparse
import logging
import sys
from pathlib import Path

from furnace.adapters import JsonFileSource, StreamReporter
from furnace.domain import Band, HysteresisPolicy
from furnace.service import ControlCycle


def parse(argv=None):
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Tell a furnace what to do.")
    parser.add_argument("--input", type=Path, required=True, metavar="FILE")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D")
    return parser.parse_args(argv)


def main(argv=None):
    """Run one control cycle and return the exit status."""
    options = parse(argv)
    logging.basicConfig(format="%(levelname)s %(message)s")
    cycle = ControlCycle(
        source=JsonFileSource(options.input),
        policy=HysteresisPolicy(Band.around(options.target_temp, options.tolerance)),
        reporter=StreamReporter(sys.stdout),
    )
    return cycle.run()


if __name__ == "__main__":
    sys.exit(main())
