"""The command line."""

import argparse
import logging
from typing import List, Optional

from furnace.controller import Controller
from furnace.readings import ReadingsError, ReadingsFile

BAD_INPUT = 1
logger = logging.getLogger(__name__)


def parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="furnace_controller", description="Decide what a furnace must do.")
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", required=True, type=float)
    parser.add_argument("--tolerance", default=1.0, type=float)
    return parser.parse_args(arguments)


def main(arguments: Optional[List[str]] = None) -> int:
    """Run once; the return value is the exit status."""
    options = parse(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        readings = ReadingsFile(options.input).load()
    except ReadingsError as error:
        logger.error("bad input: %s", error)
        return BAD_INPUT
    decision = Controller(options.target_temp, options.tolerance).decide(readings)
    logger.info("decision=%s readings=%d", decision.name, len(readings))
    return decision.value
