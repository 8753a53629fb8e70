"""Tell a furnace to heat, to cool or to hold."""

import argparse
import logging
import sys

from controller.readings import ReadingsError, load
from controller.rule import Rule

EXIT_UNUSABLE = 1
log = logging.getLogger("furnace_controller")


def parse(argv):
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", required=True, metavar="FILE", help="JSON file of readings")
    parser.add_argument("--target-temp", type=float, required=True, metavar="T", help="temperature to hold")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="D", help="allowed distance from T")
    options = parser.parse_args(argv)
    if not options.tolerance >= 0:
        parser.error("the tolerance must be 0 or more")
    return options


def main(argv=None):
    """Run once and return the exit status."""
    options = parse(argv)
    logging.basicConfig(format="%(name)s: %(levelname)s: %(message)s")
    try:
        readings = load(options.input)
    except ReadingsError as error:
        log.error("%s", error)
        return EXIT_UNUSABLE
    decision = Rule(options.target_temp, options.tolerance).decide(readings)
    print(decision.name)
    return decision.exit_status


if __name__ == "__main__":
    sys.exit(main())
